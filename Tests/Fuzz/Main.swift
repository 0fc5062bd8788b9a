import BALZFSE
import BAPackCore
import Foundation

/// Passes mutations to the readers of untrusted data, for a limited time:
///
///     fuzz TARGET SECONDS SEED
///
/// Every input must end in a result or a clear error. A trap, or a report of a sanitizer that it
/// was built with, fails the run; the seed and the round reproduce the input.
@main struct Fuzz {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seconds = Double(arguments[2]),
      let seed = UInt64(arguments[3]), let make = targets[arguments[1]]
    else {
      print("usage: fuzz \(targets.keys.sorted().joined(separator: "|")) SECONDS SEED")
      exit(64)
    }
    var random = Mutator(seed: seed)
    var target = try make()
    var outcomes: [String: Int] = [:]
    let end = ContinuousClock.now + .seconds(seconds)
    var round = 0
    while round % 64 != 0 || ContinuousClock.now < end {
      outcomes[try target.run(round, &random), default: 0] += 1
      round += 1
    }
    print("\(arguments[1]): \(round) inputs, seed \(seed)")
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
      print("  \(count)\t\(outcome)")
    }
  }

  private static let targets: [String: @Sendable () throws -> any FuzzTarget] = [
    "app-infos": { try AppInfoTarget() }, "archives": { try ArchiveTarget() },
    "depots": { try DepotTarget() }, "downloads": { try DownloadTarget() },
    "exports": { try ExportTarget() }, "fixes": { try FixTarget() },
    "lzfse": { try LZFSETarget() }, "manifests": { try ManifestTarget() },
    "projects": { try ProjectTarget() },
    "xcode": { try XcodeTarget() },
  ]
}

/// A reader, and the inputs to mutate.
protocol FuzzTarget {
  /// Reads one mutation and returns the result as text.
  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String
}

/// The folder Fixtures.
let fixtureRoot = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../Fixtures").standardized

/// The files in a folder of Fixtures with one of these extensions, by path.
func fixtures(_ folder: String, _ endings: Set<String>) throws -> [[UInt8]] {
  let root = fixtureRoot.appending(path: folder)
  let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
  return try names.filter { endings.contains(URL(filePath: $0).pathExtension) }.map {
    try [UInt8](Data(contentsOf: root.appending(path: $0)))
  }
}

/// Every finding has a message and a location in its text, and can be displayed.
func check(_ findings: [Finding], _ round: Int) {
  for finding in findings {
    let isInText =
      finding.location.map { $0.range.upperBound <= $0.source.bytes.count } ?? true
    guard !finding.message.isEmpty, isInText else { fatalError("round \(round): \(finding)") }
  }
  let rendered = findings.rendered(as: .text, color: false)
  guard findings.isEmpty == rendered.isEmpty else { fatalError("round \(round): rendering") }
}
