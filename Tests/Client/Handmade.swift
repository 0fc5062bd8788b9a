import BALZFSE
import BAPackCore

/// An asset pack that is written here, byte by byte, so that it can be as odd as a test needs.
struct Handmade {
  var entries: [(type: Character, path: String, data: [UInt8])] = []
  var manifest: String

  /// A pack of these files, whose paths are those that apps use.
  init(
    _ files: KeyValuePairs<String, [UInt8]>, id: String = "a", language: String? = nil,
    platforms: [String] = []
  ) {
    var folders: Set<String> = ["", "Contents"]
    for (path, _) in files {
      let parts = "Contents/\(path)".split(separator: "/").dropLast()
      for count in parts.indices { folders.insert(parts[...count].joined(separator: "/")) }
    }
    entries = folders.map { ("D", $0, []) } + files.map { ("F", "Contents/\($0.key)", $0.value) }
    entries.sort {
      $0.path.split(separator: "/").lexicographicallyPrecedes($1.path.split(separator: "/"))
    }
    let tag = language.map { #","language":"\#($0)""# } ?? ""
    manifest =
      #"{"assetPackID":"\#(id)","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"."}],"#
      + #""platforms":\#(platforms)\#(tag)}"#
  }

  /// The archive stream. A link's data is its target.
  var stream: [UInt8] {
    (entries + [("F", "Manifest.json", Array(manifest.utf8))]).flatMap { type, path, data in
      var fields = "TYP1".utf8 + [type.asciiValue ?? 0]
      fields += "PATP".utf8 + little(path.utf8.count, 2) + path.utf8
      fields += "MOD2".utf8 + little(type == "D" ? 0o755 : 0o644, 2)
      fields += "MTMS".utf8 + little(978_307_200, 8)
      if type == "L" { fields += "LNKP".utf8 + little(data.count, 2) + data }
      if type == "F" { fields += "DATB".utf8 + little(data.count, 4) }
      return "AA01".utf8 + little(6 + fields.count, 2) + fields + (type == "F" ? data : [])
    }
  }

  /// The archive in blocks, compressed by LZFSE or not at all.
  func bytes(blockSize: Int = 1 << 20, isCompressed: Bool = false) throws -> [UInt8] {
    let stream = stream
    var bytes = "pbz".utf8 + [UInt8(ascii: isCompressed ? "e" : "-")] + big(blockSize)
    for start in stride(from: 0, to: stream.count, by: blockSize) {
      let raw = Array(stream[start..<min(start + blockSize, stream.count)])
      var stored = raw
      if isCompressed {
        let packed = try LZFSE.encode(raw)
        if packed.count < raw.count - raw.count / 16 { stored = packed }
      }
      bytes += big(raw.count) + big(stored.count) + stored
    }
    return bytes
  }

  private func little(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func big(_ number: Int) -> [UInt8] { little(number, 8).reversed() }
}

/// Bytes that compression makes no smaller, always the same.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 33)
  }
}
