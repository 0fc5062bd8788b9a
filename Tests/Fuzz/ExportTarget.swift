import BAPackCore
import Foundation

/// Proposes manifests for exports of engines with mutated catalogs and names: each must select the
/// files that it is proposed for, in bounded memory.
struct ExportTarget: FuzzTarget {
  /// In bytes, with all that the process needs; inputs have at most `maximumInput` bytes.
  private static let maximumMemory = 256 << 20
  private static let maximumInput = 100_000

  private let scratch = Scratch()
  private let catalogs: [(name: String, bytes: [UInt8])]
  private let names: [[UInt8]]

  init() throws {
    let names = [
      "ui_assets_all_0123456789abcdef0123456789abcdef.bundle", "ui_scenes_x.bundle",
      "b[1]_assets_*.bundle", "x_monoscripts_0123456789abcdef0123456789abcdef.bundle",
      "main.pck", "snow [1].pck", "pakchunk0-ios.pak", "pakchunk12-ios.ucas",
      "pakchunk12-ios.utoc", "pakchunk12-ios_s1.ucas", "global.utoc", "a.txt", "a.psd", "de", "fr",
    ]
    self.names = names.map { Array($0.utf8) }
    let binary: [UInt8] = names.reduce([0x42, 0x89, 0xE3, 0x0D, 1, 0, 0, 0]) {
      $0 + [UInt8(clamping: $1.utf8.count), 0, 0, 0] + Array($1.utf8)
    }
    let identifiers = names.map { #""{UnityEngine.RuntimePath}/iOS/\#($0)""# }
    let bundles = names.map { #"{ "name": "n", "path": "aa/\#($0)", "tag": "\#($0.prefix(3))" }"# }
    catalogs = [
      ("catalog.bin", binary),
      (
        "catalog_1.json",
        Array(#"{ "m_InternalIds": [\#(identifiers.joined(separator: ", "))] }"#.utf8)
      ),
      (
        "settings_odr.json",
        Array(#"{ "m_bundles": [\#(bundles.joined(separator: ", "))] }"#.utf8)
      ),
    ]
    // What a run keeps for later ones is no growth.
    var random = Mutator(seed: 0)
    _ = try run(0, &random)
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    try? FileManager.default.removeItem(at: scratch.folder)
    try FileManager.default.createDirectory(at: scratch.folder, withIntermediateDirectories: true)
    let root = BytePath(scratch.folder.path(percentEncoded: false).utf8)
    for _ in 0..<1 + random.below(12) {
      var name = names[random.below(names.count)]
      if random.below(3) == 0 {
        name = random.textMutation(of: name, with: names[random.below(names.count)])
      }
      name.removeAll { $0 == 0 || $0 == UInt8(ascii: "/") }
      let folder = ["", "a[b]/", "aa/"][random.below(3)]
      let start = ["UnityFS", "GDPC", "none"][random.below(3)]
      write(Array(start.utf8), Array(folder.utf8) + name, below: root)
    }
    for _ in 0..<1 + random.below(2) {
      let (name, bytes) = catalogs[random.below(catalogs.count)]
      var input = random.textMutation(of: bytes, with: catalogs[random.below(3)].bytes)
      if random.below(4) == 0, !input.isEmpty {
        // One part, again and again.
        let start = random.below(input.count)
        let part = input[start..<min(input.count, start + 1 + random.below(64))]
        let missing = max(0, Self.maximumInput - input.count)
        input.insert(
          contentsOf: repeatElement(part, count: missing / part.count + 1).joined(), at: start)
      }
      write(Array(input.prefix(Self.maximumInput)), Array(name.utf8), below: root)
    }
    let outcome = try propose(for: root, depth: random.below(4), round)
    if let peak = peakMemory(), peak > Self.maximumMemory {
      fatalError("round \(round): \(peak) bytes of memory")
    }
    return outcome
  }

  private func propose(for root: BytePath, depth: Int, _ round: Int) throws -> String {
    let scaffold = try Scaffold(
      of: root, depth: depth == 0 ? nil : depth, skipping: [], sourceRoot: ".")
    var options = ManifestCheck.Options()
    options.root = root
    options.cache = ListingCache()
    var outcome = scaffold.problems.isEmpty ? "proposed" : "problems"
    for pack in scaffold.packs {
      let checked = ManifestCheck(
        of: SourceText(name: "\(pack.identifier).json", bytes: pack.manifest), readFrom: nil,
        options)
      check(checked.findings, round)
      guard scaffold.problems.isEmpty, !checked.findings.hasErrors else {
        outcome = checked.findings.first { $0.severity == .error }?.rule.id ?? outcome
        continue
      }
      guard let selection = checked.pack?.selection else { fatalError("round \(round): no files") }
      if let difference = pack.difference(from: selection) {
        fatalError("round \(round): \(difference)")
      }
    }
    return outcome
  }

  /// Names too long or taken by a folder are left out.
  private func write(_ bytes: [UInt8], _ path: [UInt8], below root: BytePath) {
    let path = root.appending(path)
    guard !path.name.isEmpty, path.name.count < 200 else { return }
    try? FileManager.default.createDirectory(
      atPath: String(decoding: path.folder.bytes, as: UTF8.self),
      withIntermediateDirectories: true)
    guard let name = String(validating: path.bytes, as: UTF8.self) else { return }
    try? Data(bytes).write(to: URL(filePath: name))
  }
}

/// The most memory that this process ever had, in bytes; nil where the system doesn't tell.
private func peakMemory() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
  else { return nil }
  return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
}

/// A temporary folder, removed by `deinit`.
private final class Scratch {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "ba-package-fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  deinit { try? FileManager.default.removeItem(at: folder) }
}
