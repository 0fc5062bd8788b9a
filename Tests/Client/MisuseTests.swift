import BAPackCore
import Foundation
import Testing

/// Arguments and sources as wrong as can be: each is an error or has a documented meaning.
@Suite struct MisuseTests {
  private let scratch: Scratch
  private let index: PackIndex

  init() throws {
    scratch = try Scratch()
    index = try PackIndex(bytes: Handmade(["a/b.txt": Array("text".utf8), "c": []]).bytes())
  }

  private func code(_ body: () throws -> Void) -> PackError.Code? {
    do { try body() } catch { return (error as? PackError)?.code }
    return nil
  }

  @Test func rangesOfFiles() throws {
    let file = try #require(index["a/b.txt"])
    for range: Range<UInt64> in [0..<5, 4..<5, 0..<UInt64.max, UInt64.max..<UInt64.max] {
      #expect(
        [.invalidArgument, .limitExceeded].contains(code { _ = try index.bytes(of: file, range) }))
      let unlimited = code { _ = try index.bytes(of: file, range, limit: .max) }
      #expect([.invalidArgument, .limitExceeded].contains(unlimited))
    }
    #expect(try index.bytes(of: file, 4..<4) == [] && index.bytes(of: file, 1..<3) == [101, 120])
    #expect(code { _ = try index.bytes(of: file, limit: .min) } == .limitExceeded)
    let empty = try #require(index["c"])
    #expect(try index.bytes(of: empty) == [] && index.bytes(of: empty, limit: -1) == [])
    for threads in [Int.max, 1 << 36, 0, -1, .min] {
      #expect(try index.bytes(of: file, nil, Work(threads: threads)) == Array("text".utf8))
    }
  }

  @Test func namesOfFiles() throws {
    for path in ["", "/", "a", "a/", "/a/b.txt", "a//b.txt", "a/./b.txt", "a/../c", "C", "c\0"] {
      #expect(index[path] == nil, "\(path)")
    }
    #expect(RelativePath("a/b.txt").flatMap { index[$0] } == index["a/b.txt"])
    // '-' is a file like others, and never a standard stream.
    let folder = FileManager.default.currentDirectoryPath
    let isThere = FileManager.default.fileExists(atPath: "\(folder)/-")
    #expect(isThere || code { _ = try PackIndex(reading: "-") } == .notFound)
    #expect(try isThere || PackVerification.problems(of: ["-"]).map(\.code) == [.notFound])
    for path: BytePath in ["", "a\0b", "\0", BytePath("\(scratch.path("x").string ?? "")\0")] {
      let found = code { _ = try PackIndex(reading: path) }
      #expect(found == .notFound || found == .invalidArgument, "\(path)")
    }
    #expect(code { _ = try PackVerification.problems(of: []) } == .invalidArgument)
    #expect(try PackIndex(bytes: Handmade([:]).bytes()).files.isEmpty)
  }

  @Test func extraction() throws {
    for pattern in ["", "/", "../a", "a/../b", "a//b", "[", "a\0"] {
      let target = scratch.path("out")
      let found = code { _ = try Extraction(files: [pattern]).extract([index], to: target) }
      #expect(found == .invalidArgument || found == .nothingMatches, "\(pattern)")
    }
    #expect(code { _ = try Extraction().extract([] as [BytePath], to: scratch.path("o")) } != nil)
    #expect(code { _ = try Extraction().extract([index], to: "") } != nil)
    #expect(code { _ = try Extraction().extract([index], to: scratch.path("a/b")) } == .notFound)
    try scratch.write("full/x", [1])
    #expect(code { _ = try Extraction().extract([index], to: scratch.path("full")) } != nil)
    #expect(try scratch.contents("full/x") == [1])
    var device = Device()
    device.platform = Platform(rawValue: "toasterOS")
    #expect(code { _ = try Players(of: [index]).downloadSize(on: device) } == .invalidArgument)
    device.platform = nil
    device.requestedPacks = ["none"]
    #expect(code { _ = try Players(of: [index]).downloadSize(on: device) } == .invalidArgument)
    #expect(try Players(of: []).downloadSize(on: Device()) == 0)
  }

  /// Names that are odd or hostile are in no list of files, and the list has no path twice.
  @Test func namesAreSafeWhateverIsStored() throws {
    let names = [
      "a", "A", "a/b", "..", "../x", "/x", "a//b", "./a", "b/..", "b", "c\u{1}", "a/b/c", "",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var pack = Handmade([:])
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let type: Character = ["F", "F", "F", "D", "L"].randomElement(using: &random) ?? "F"
        let name = (names.randomElement(using: &random) ?? "")
        let prefix =
          Bool.random(using: &random) ? "Contents/" : ["", "Contents"].randomElement() ?? ""
        pack.entries.append((type, prefix + name, [1]))
      }
      guard let index = try? PackIndex(bytes: pack.bytes()) else { continue }
      let files = index.files
      #expect(zip(files, files.dropFirst()).allSatisfy { $0.path < $1.path })
      for file in files {
        #expect(file.isFile && !file.path.bytes.isEmpty && index[file.path] == file)
        #expect(file.archivePath == Array("Contents/".utf8) + file.path.bytes)
        _ = try index.bytes(of: file)
      }
      let all = Set(files.map(\.path.bytes))
      for path in all {
        for end in path.indices where path[end] == UInt8(ascii: "/") {
          #expect(!all.contains(Array(path[..<end])))
        }
      }
    }
  }

  /// A source that lies about its size, or gives other bytes than it should.
  private struct Lying: ByteSource {
    let bytes: [UInt8]
    let size: UInt64
    let lie: @Sendable (Range<UInt64>) -> Int

    func read(_ range: Range<UInt64>) throws -> [UInt8] {
      let known = range.clamped(to: 0..<UInt64(bytes.count))
      let part = Array(bytes[Int(known.lowerBound)..<Int(known.upperBound)])
      let change = lie(range)
      return change < 0 ? part.dropLast(-change) : part + [UInt8](repeating: 7, count: change)
    }
  }

  @Test func sourcesThatLie() throws {
    let bytes = try Handmade(["a": noise(3000), "b": noise(500)]).bytes(
      blockSize: 400, isCompressed: true)
    let whole = UInt64(bytes.count)
    let exact = Lying(bytes: bytes, size: whole) { _ in 0 }
    #expect(try PackIndex(reading: exact).files.count == 2)
    for lie in [-1, 1, 1 << 20, -100_000] {
      let source = Lying(bytes: bytes, size: whole) { $0.lowerBound > 0 ? lie : 0 }
      #expect(code { _ = try PackIndex(reading: source) } == .external)
    }
    for size in [0, 1, 11, 13, whole - 1, whole + 1, 1 << 40, .max] as [UInt64] {
      let source = Lying(bytes: bytes, size: size) { _ in 0 }
      #expect(code { _ = try PackIndex(reading: source) } != nil, "\(size)")
    }
  }

  @Test func changedBytes() throws {
    var random = SystemRandomNumberGenerator()
    for isCompressed in [false, true] {
      let text = Array(repeating: Array("some text ".utf8), count: 30).flatMap(\.self)
      let bytes = try Handmade(["a/x": text, "b": noise(300), "c": []]).bytes(
        blockSize: 256, isCompressed: isCompressed)
      for _ in 0..<2000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
          case 1: changed.removeSubrange(place...)
          case 2: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
          default: changed[place] ^= 1 << Int.random(in: 0..<8, using: &random)
          }
          if changed.isEmpty { changed = bytes }
        }
        do {
          let index = try PackIndex(bytes: changed, Work(threads: 1))
          for file in index.files {
            let size = try index.bytes(of: file, nil, Work(threads: 1)).count
            #expect(UInt64(size) == file.size)
          }
        } catch {
          #expect(error.code != .external && !error.description.isEmpty, "\(error)")
        }
      }
    }
  }
}
