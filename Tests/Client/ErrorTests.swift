import BAPackCore
import Foundation
import Testing

/// Each code of errors, made to happen once while packs are read.
@Suite struct ErrorTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The error of opening a file with these bytes as a pack.
  private func error(opening bytes: some Sequence<UInt8>) throws -> PackError? {
    let path = try scratch.write("a.aar", bytes)
    return #expect(throws: PackError.self) { try PackIndex(reading: path) }
  }

  private func error(of body: () throws -> Void) -> PackError? {
    #expect(throws: PackError.self) { try body() }
  }

  @Test func eachCanBeActedOn() throws {
    let path = scratch.path("gone.aar")
    var advice = ""
    do {
      let index = try PackIndex(reading: path)
      advice = "\(index.files.count) files"
    } catch {
      switch error.code {
      case .notFound: advice = "There is no \(error.path?.string ?? "pack")"
      case .notAPack: advice = "Choose an asset pack"
      case .damaged: advice = "Download it again: \(error.damage?.message ?? "")"
      default: advice = error.description
      }
    }
    #expect(advice == "There is no \(path.string ?? "")")
  }

  @Test func whatIsNoPackIsToldFromADamagedOne() throws {
    let text = try error(opening: "Hello, reader of packs\n".utf8)
    #expect(text?.code == .notAPack && text?.damage?.reason.rawValue == "not-an-archive")
    #expect(text?.path == scratch.path("a.aar"))
    #expect(try error(opening: [])?.code == .notAPack)
    #expect(try error(opening: "PK\u{3}\u{4}".utf8)?.damage?.reason.rawValue == "zip")
    let cut = try error(opening: "pbzz".utf8 + [0, 0, 0, 0, 0, 16, 0, 0, 1])
    #expect(cut?.code == .damaged && cut?.damage?.reason.rawValue == "block-header-cut")
    #expect(cut?.damage?.place.file == 12)
    let unknown = "pbzf".utf8 + [UInt8](repeating: 0, count: 30)
    #expect(try error(opening: unknown)?.code == .unsupported)
    let file = try scratch.write("b.aar", "AA01".utf8)
    #expect(error { _ = try PackIndex(reading: file) }?.code == .damaged)
  }

  @Test func theSystemsErrorsHaveCodes() throws {
    let gone = error { _ = try PackIndex(reading: scratch.path("gone.aar")) }
    #expect(gone?.code == .notFound && gone?.path == scratch.path("gone.aar"))
    #expect(gone?.errno == ENOENT && gone?.damage == nil)
    #expect(error { _ = try PackIndex(reading: scratch.path("")) }?.code == .isFolder)
    let below = try scratch.write("file", [1])
    let path = BytePath("\(below.string ?? "")/a.aar")
    let system = error { _ = try PackIndex(reading: path) }
    #expect(system?.code == .system && system?.errno == ENOTDIR)
    if geteuid() != 0 {
      let secret = try scratch.write("secret.aar", [1])
      unsafe chmod(secret.string ?? "", 0)
      #expect(error { _ = try PackIndex(reading: secret) }?.code == .permissionDenied)
    }
  }

  @Test func namesLimitsLinksAndClashes() throws {
    var twice = Handmade(["a": [1]])
    twice.entries.append(("F", "Contents/a", [2]))
    let good = try PackIndex(bytes: Handmade(["a": [1]]).bytes())
    let odd = try PackIndex(bytes: twice.bytes())
    #expect(odd.files.count == 1 && odd.entries.filter(\.isFile).count == 3)
    #expect(error { _ = try good.difference(from: odd) }?.code == .unsafeName)
    #expect(error { _ = try odd.difference(from: good) }?.code == .unsafeName)
    var linked = Handmade(["a": [1]])
    linked.entries.append(("L", "Contents/b", Array("a".utf8)))
    let target = scratch.path("out")
    let links = [try PackIndex(bytes: linked.bytes())]
    #expect(error { _ = try Extraction().extract(links, to: target) }?.code == .link)
    let other = try PackIndex(bytes: Handmade(["a": [2]], id: "b").bytes())
    #expect(error { _ = try Extraction().extract([good, other], to: target) }?.code == .clash)
    let none = error { _ = try Extraction(files: ["*.png"]).extract([good], to: target) }
    #expect(none?.code == .nothingMatches)
    let languages = try ["de", "ja"].map { tag in
      try PackIndex(bytes: Handmade([tag: [1]], id: tag, language: tag).bytes())
    }
    let undecided = error { _ = try Extraction().extract(languages, to: target) }
    #expect(undecided?.code == .languageUndecided)
    var limits = ReadingLimits()
    limits.entries = 2
    let bytes = try Handmade(["a": [1]]).bytes()
    let many = error { _ = try PackIndex(bytes: bytes, limits: limits) }
    #expect(many?.code == .limitExceeded)
    let file = try #require(good["a"])
    #expect(error { _ = try good.bytes(of: file, limit: 0) }?.code == .limitExceeded)
    #expect(error { _ = try other.bytes(of: file) }?.code == .invalidArgument)
    let stopped = Work(isCancelled: { true })
    #expect(error { _ = try good.bytes(of: file, nil, stopped) }?.code == .cancelled)
    #expect(error { _ = try PackIndex(bytes: bytes, stopped) }?.code == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: target.string ?? ""))
  }

  @Test func downloadManifests() throws {
    let pack = try scratch.write("a.aar", Handmade(["a": [1]]).bytes())
    let packs = try DownloadManifestPlan.Packs([pack], platforms: [.iOS], base: "https://e.com")
    let list = scratch.path("Download.json")
    try DownloadManifestPlan.creating(list, packs: packs).save()
    #expect(
      error { _ = try DownloadManifestPlan.creating(list, packs: packs) }?.code == .outputExists)
    try scratch.write("Download.json", "{\"assetPacks\": 1}".utf8)
    let plan = try DownloadManifestPlan.creating(list, replacing: true, packs: packs)
    let refused = error { try plan.save() }
    #expect(refused?.code == .findings && refused?.findings.isEmpty == false)
  }
}
