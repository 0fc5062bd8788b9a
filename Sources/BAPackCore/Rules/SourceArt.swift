/// Source files of assets, detected by extension.
enum SourceArt {
  /// A finding for each type, with the first file and the total size.
  static func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    let sources = Set(files.map(\.source))
    var types = FileGroups<String>()
    for file in files {
      guard let type = type(of: file.source, among: sources), !manifest.names(file),
        !scope.isOff(.sourceArt, about: file.source)
      else { continue }
      types.add(file, type, bySelector: false)
    }
    return types.groups.map { group in
      let size = group.files.reduce(0) { $0 + $1.size }
      let count = counted(group.files.count, "file")
      return Finding(
        .sourceArt,
        "\(count) of type '.\(group.key)' (\(programs[group.key] ?? "")), \(byteCount(size)),"
          + " would be packaged",
        at: manifest.selectors[group.selector].location,
        notes: [
          Note("the first is '\(group.files[0].source)'"),
          Note("exclude them with { \"fileExclusion\": \"**/*.\(group.key)\" }"),
        ], file: group.files[0].source)
    }
  }

  /// The extension of a file if it is one of these types. Import settings count only if the file
  /// that they belong to is next to them, since other files may have the same extension.
  private static func type(of path: RelativePath, among sources: Set<RelativePath>) -> String? {
    guard let dot = path.bytes.lastIndex(of: ASCII.dot), dot > 0,
      path.bytes[(dot + 1)...].count <= 10
    else { return nil }
    let type = String(decoding: path.bytes[(dot + 1)...], as: UTF8.self).lowercased()
    guard programs[type] != nil else { return nil }
    if type == "meta" || type == "import" {
      let subject = RelativePath(unchecked: Array(path.bytes[..<dot]))
      return sources.contains(subject) ? type : nil
    }
    return type
  }

  /// The programs whose documents have these extensions.
  private static let programs: [String: String] = [
    "psd": "Photoshop", "psb": "Photoshop", "xcf": "GIMP", "kra": "Krita", "ora": "OpenRaster",
    "ai": "Illustrator", "afdesign": "Affinity Designer", "afphoto": "Affinity Photo",
    "clip": "Clip Studio Paint", "pdn": "Paint.NET", "ase": "Aseprite", "aseprite": "Aseprite",
    "blend": "Blender", "blend1": "Blender", "ma": "Maya", "mb": "Maya", "max": "3ds Max",
    "c4d": "Cinema 4D", "ztl": "ZBrush", "zpr": "ZBrush", "spp": "Substance 3D Painter",
    "sbs": "Substance 3D Designer", "tps": "TexturePacker", "fla": "Animate", "spine": "Spine",
    "flp": "FL Studio", "als": "Ableton Live", "rpp": "REAPER", "aup3": "Audacity",
    "meta": "Unity's import settings", "import": "Godot's import settings",
    "uproject": "Unreal Engine", "pot": "gettext templates",
  ]
}
