/// Text files with Git's merge conflict markers.
package enum ConflictMarkers {
  /// Whether `file` is worth reading: text, and of a size that people merge.
  static func arePossible(in file: SelectedFile) -> Bool {
    (smallest...largest).contains(file.size) && isText(file.source)
  }

  /// A finding for each selector that matches any of `files`.
  static func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    var found = FileGroups<Bool>()
    for file in files where !scope.isOff(.conflictMarkers, about: file.source) {
      found.add(file, true)
    }
    return found.groups.map { group in
      let first = group.files[0].source
      return Finding(
        .conflictMarkers, "'\(first)' has conflict markers",
        at: manifest.selectors[group.selector].location,
        notes: group.notesOnOthers,
        file: first)
    }
  }

  /// The minimum size of the three lines.
  private static let smallest: UInt64 = 24
  private static let largest: UInt64 = 4_000_000

  /// Whether the three marker lines occur in order.
  package static func areIn(_ bytes: [UInt8]) -> Bool {
    guard let first = firstRun(in: bytes) else { return false }
    let markers = ["<<<<<<< ", "=======", ">>>>>>> "].map { Array($0.utf8) }
    var next = 0
    var start = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    while start < bytes.count {
      // The first byte rules out most lines.
      if bytes[start] == markers[next][0], bytes[start...].starts(with: markers[next]) {
        let after = start + markers[next].count
        let isWhole =
          next != 1 || after == bytes.count || bytes[after] == 0x0A || bytes[after] == 0x0D
        if isWhole { next += 1 }
        if next == markers.count { return true }
      }
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { return false }
      start = end + 1
    }
    return false
  }

  /// The first run of seven `<`, found by testing every seventh byte. Almost no file has one.
  private static func firstRun(in bytes: [UInt8]) -> Int? {
    let less = UInt8(ascii: "<")
    for middle in stride(from: 6, to: bytes.count, by: 7) where bytes[middle] == less {
      var start = middle
      while start > 0, bytes[start - 1] == less { start -= 1 }
      if bytes[start...].prefix(7).count(where: { $0 == less }) == 7 { return start }
    }
    return nil
  }

  private static func isText(_ path: RelativePath) -> Bool {
    guard let dot = path.name.lastIndex(of: ASCII.dot), path.name.endIndex - dot <= 11 else {
      return false
    }
    return extensions.contains(
      String(decoding: path.name[(dot + 1)...], as: UTF8.self).lowercased())
  }

  private static let extensions: Set<String> = [
    "json", "json5", "jsonc", "xml", "yaml", "yml", "toml", "ini", "cfg", "conf", "csv", "tsv",
    "txt",
    "md", "plist", "strings", "stringsdict", "lua", "js", "ts", "py", "rb", "nut", "gd", "tscn",
    "tres", "ink", "yarn", "shader", "glsl", "vert", "frag", "metal", "hlsl", "fx", "html", "css",
    "svg", "obj", "mtl", "gltf", "dae", "tmx", "tsx", "ldtk", "atlas", "fnt", "vtt", "srt", "po",
    "properties", "unity", "prefab", "asset", "mat", "sprite",
  ]
}
