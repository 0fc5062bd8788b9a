import BAPackCore
import BAReports
import BATestSupport
import Foundation
import Testing

/// Checks are repeated with a different failing system call each time, until all have failed once:
/// what could not be read is reported, unless it makes no difference.
@Suite struct UnreadableTests {
  let folder: TemporaryFolder
  let options: ManifestCheck.Options

  init() throws {
    folder = try TemporaryFolder()
    let manifests = [
      "One": #"{"directory": "Levels"}, {"file": "code"}"#,
      "Two": #"{"file": "Levels/map.json"}, {"fileSource": "other", "#
        + #""fileDestination": "Levels/deep/sound.wav"}"#,
    ]
    for (name, selectors) in manifests {
      let text = """
        {"assetPackID": "\(name)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
          "sourceRoot": "..", "fileSelectors": [\(selectors)]}
        """
      try folder.write("Packs/\(name).json", text.utf8)
    }
    try folder.write("Packs/Below/none.json", "{}".utf8)
    try folder.write("Levels/map.json", Array("<<<<<<< ours\n=======\n>>>>>>> theirs\n".utf8))
    try folder.write("Levels/deep/sound.wav", [UInt8](repeating: 7, count: 5000))
    try folder.write("Levels/deep/same.wav", [UInt8](repeating: 7, count: 5000))
    try folder.write("Levels/pointer", "version https://git-lfs.github.com/spec/v1\n".utf8)
    try folder.write("other", [UInt8](repeating: 8, count: 5000))
    try folder.write("code", image(1))
    var page: [UInt8] = []
    try AppReport(of: []).writePage { page += $0 }
    try folder.write("page.html", page)
    try folder.write("left.json", "[]".utf8)
    try folder.link("link", to: "other")
    let file = try folder.write(
      ".ba-package.json", #"{"rules": {"conflict-markers": {"Levels": "error"}}}"#.utf8)
    let project = ProjectDecoder.decode(
      SourceText(name: file.bytes, bytes: try file.contents(limit: 1000)), at: file)
    var options = project.options()
    options.isThorough = true
    self.options = options
  }

  private func outcome() throws -> [String] {
    let app = try AppCheck(reading: [folder.path("Packs")], options)
    let coverage = try app.coverage(of: folder.filePath)
    let findings = app.findings + coverage.problems + coverage.findings
    return findings.map { "\($0.rule.id): \($0.message)" }
  }

  @Test(arguments: SystemCall.allCases) func errorsAreReported(call: SystemCall) throws {
    let expected = try outcome()
    for rule in ["conflict-markers", "contents-clash", "duplicate-files", "mach-o-executable"] {
      #expect(expected.contains { $0.hasPrefix(rule + ":") }, "\(expected)")
    }
    for error in [Errno.inputOutput, .permissionDenied] {
      for number in 1...10_000 {
        let plan = FailurePlan(call, number: number, error)
        do {
          let found = try plan.run { try outcome() }
          // A path that can't be read at first, and later can, may be mistaken for a manifest.
          let isReported = found.contains {
            $0.contains(": can't ") || $0.contains("can't be used") || $0.hasPrefix("missing-key")
          }
          #expect(
            isReported || found == expected,
            "\(call) \(number): \(error): \(Set(found).symmetricDifference(expected))")
        } catch let error where error is SystemError || (error as? PackError)?.errno != nil {
        }
        if !plan.hasFailed { break }
      }
    }
  }
}
