import BAFiles
import BATestSupport
import Foundation
import Testing

/// The compiled modules beside the tests; nil where the build has another layout.
private let compiledModules: URL? = {
  let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "Modules")
  let isThere = FileManager.default.fileExists(
    atPath: folder.appending(path: "BAPackCore.swiftmodule").path(percentEncoded: false))
  return isThere ? folder : nil
}()

/// What packages that depend on the library can use, with inferred types and conformances, is listed
/// in `api.txt`, so that it changes only on purpose: `WRITE_API=1` writes the list. The change log
/// names the digest of the list, so that each change is told there.
@Suite(.enabled(if: compiledModules != nil))
struct PublicAPITests {
  private static let root = Fixtures.root.deletingLastPathComponent()
  private static let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "api.txt")
  /// What every type conforms to, whether it is written or not.
  private static let implicit: Set = [
    "Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable",
  ]

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      struct Fragment: Decodable { let spelling: String }
      let identifier: Identifier
      let pathComponents: [String]
      let declarationFragments: [Fragment]
    }
    struct Relationship: Decodable {
      let kind: String
      let source: String
      let target: String
      let targetFallback: String?
    }
    let symbols: [Symbol]
    let relationships: [Relationship]
  }

  @Test func isTheListedOne() throws {
    let text =
      try
      (declarations("BAPackCore", with: "BAArchive,BADiagnostics,BAFiles")
      + declarations("BALZFSE", with: "BALZFSE")).joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["WRITE_API"] != nil {
      try text.write(to: Self.list, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: Self.list, encoding: .utf8)
    for change in text.split(separator: "\n").difference(from: listed.split(separator: "\n")) {
      switch change {
      case .insert(_, let line, _): Issue.record("new: \(line)")
      case .remove(_, let line, _): Issue.record("gone: \(line)")
      }
    }
    let log = try String(
      contentsOf: Self.root.appending(path: "Sources/BAPackCore/BAPackCore.docc/ChangeLog.md"),
      encoding: .utf8)
    let digest = hexadecimal(SHA256.digest(of: Array(listed.utf8)).prefix(4))
    #expect(log.contains("api.txt, `\(digest)`"), "tell it in the change log, with \(digest)")
  }

  /// The public declarations and conformances of a module and of those that it exports, sorted.
  private func declarations(_ module: String, with exported: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let maps = try FileManager.default.contentsOfDirectory(
      at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil
    ).map { $0.appending(path: "module.modulemap").path(percentEncoded: false) }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swift", "symbolgraph-extract", "-module-name", module, "-target", try target(),
        "-I", try #require(compiledModules).path(percentEncoded: false),
        "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir",
        folder.path, "-experimental-allowed-reexported-modules=\(exported)",
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var lines: Set<String> = []
    let graphs = try folder.names().map {
      try JSONDecoder().decode(Graph.self, from: Data(folder.contents($0)))
    }
    let names = Dictionary(
      graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0) }, uniquingKeysWith: { $1 })
    for symbol in names.values {
      let owner = symbol.pathComponents.dropLast().map { $0 + "." }.joined()
      let words = symbol.declarationFragments.map(\.spelling).joined()
      lines.insert(
        owner + words.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    for link in graphs.flatMap(\.relationships) where link.kind == "conformsTo" {
      let target =
        names[link.target]?.pathComponents.joined(separator: ".") ?? link.targetFallback ?? ""
      guard let source = names[link.source], !Self.implicit.contains(target) else { continue }
      lines.insert("\(source.pathComponents.joined(separator: ".")): \(target)")
    }
    return lines.sorted()
  }

  private func target() throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "-print-target-info"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    struct Info: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return try JSONDecoder().decode(Info.self, from: data).target.triple
  }
}
