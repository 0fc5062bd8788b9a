import BATestSupport
import Foundation
import Testing

/// A program of a hundred lines on what the library has for everybody finds, makes and answers the
/// same as `ba-package`.
@Suite struct SmallProgramTests {
  private let folder = try? ScratchBox()

  /// A folder with a copy of the sample game for each program.
  private final class ScratchBox: Sendable {
    let scratch: URL

    init() throws {
      scratch = FileManager.default.temporaryDirectory.appending(path: "small-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
      for name in ["ba-package", "small-package"] {
        try FileManager.default.copyItem(
          at: BuiltTool.fixtures.appending(path: "SampleGame"), to: scratch.appending(path: name))
      }
    }

    deinit { try? FileManager.default.removeItem(at: scratch) }
  }

  /// Writes a file in both copies.
  private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    for program in ["ba-package", "small-package"] {
      let url = try #require(folder).scratch.appending(path: "\(program)/\(name)")
      try Data(bytes).write(to: url)
    }
  }

  private func run(_ program: String, _ words: String) throws -> Outcome {
    try runShell(
      "unset BA_PACKAGE_COMPRESSION; \(program) \(words)",
      in: try #require(folder).scratch.appending(path: program))
  }

  private struct Report: Decodable {
    struct Finding: Decodable, Equatable {
      struct Place: Decodable, Equatable {
        struct Point: Decodable, Equatable { let offset: Int }
        let file: String
        let start, end: Point
      }
      let rule, severity: String
      let location: Place?
    }
    let findings, notes: [Finding]
  }

  /// Compares both programs' findings, exit statuses and packs; whether packs were made.
  private func compare(_ what: String) throws -> Bool {
    let own = try run("ba-package", "validate --format json Packs")
    let small = try run("small-package", "validate --format json Packs")
    #expect(own.status == small.status, "\(what): \(small.errors.text)")
    let reports = try [own, small].map { try JSONDecoder().decode(Report.self, from: $0.output) }
    #expect(reports[0].findings == reports[1].findings, "\(what)")
    #expect(reports[0].notes == reports[1].notes, "\(what)")
    let made = try run("ba-package", "package -q Packs -o build -f")
    let smallMade = try run("small-package", "package Packs -o build -f")
    #expect(made.status == smallMade.status, "\(what): \(smallMade.errors.text)")
    let difference = try runShell(
      "touch ba-package/build small-package/build; diff -r ba-package/build small-package/build && "
        + "ls ba-package/build; rm -rf */build", in: try #require(folder).scratch)
    #expect(difference.status == 0, "\(what): \(difference.output.text)")
    return made.status == 0
  }

  @Test func templatesAreEqual() throws {
    #expect(try run("ba-package", "template").output == run("small-package", "template").output)
  }

  @Test func aProjectFileMeansTheSame() throws {
    #expect(try compare("no project file"))
    var refused = 0
    for text in [
      #"{"hosting": "apple"}"#, #"{"hosting": "self", "compression": "lzfse"}"#,
      #"{"compression": "zlib", "compressionLevel": 9}"#, #"{"compression": "store"}"#,
      #"{"rules": {"localized-reach": "off", "duplicate-files": "error"}, "strict": true}"#,
      #"{"sizeBudgets": {"total": "10 kB"}}"#, #"{"hosting": "aple"}"#, #"{"hosting": apple}"#, "{",
    ] {
      try write(".ba-package.json", text.utf8)
      if try !compare(text) { refused += 1 }
    }
    #expect(refused > 2)
  }

  @Test func mutatedManifestsAreJudgedTheSame() throws {
    var random = SeededGenerator(seed: 40)
    let names = ["Harbour", "Lighthouse", "Dialogue-de"]
    let manifests = try names.map { name in
      try Data(contentsOf: BuiltTool.fixtures.appending(path: "SampleGame/Packs/\(name).json"))
    }
    var refused = 0
    for round in 0..<40 {
      let index = Int.random(in: names.indices, using: &random)
      var bytes = Array(manifests[index])
      for _ in 0...Int.random(in: 0...1, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = "\"{}[],:/a.*-".utf8.randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[bytes.count - 1 - place], at: place)
        }
      }
      try write("Packs/\(names[index]).json", bytes)
      if try !compare("\(round): \(String(decoding: bytes, as: UTF8.self))") { refused += 1 }
      try write("Packs/\(names[index]).json", manifests[index])
    }
    #expect(refused > 10 && refused < 40)
  }
}
