extension Rule {
  /// Files of an editor or a game engine's project.
  public static let sourceArt = Rule(
    "source-art", .warning, .contents, "Files of an editor or a game engine's project")
}

extension FileRule {
  /// Source files of assets, by extension. Import settings count only if the file that they belong
  /// to, one of `files`, is next to them, since other files may have the same extension.
  static func sourceArt(among files: [SelectedFile]) -> FileRule {
    let sources = Set(files.map(\.source))
    return FileRule(
      rule: .sourceArt, isPerSelector: false, allowsNamed: true,
      reason: { sourceArt($0.source) { sources.contains($0) }?.type },
      message: { type, files in
        let size = files.size(\.size)
        return
          "\(counted(files.count, "file")) of type '.\(type)' (\(sourceArtPrograms[type] ?? "")),"
          + " \(byteCount(size)), would be packaged"
      },
      notes: { type, files in
        [
          Note("the first is '\(files[0].source)'"),
          Note("exclude them with { \"fileExclusion\": \"**/*.\(type)\" }"),
        ]
      })
  }

  /// The type and program of `path` if it is the source of an asset.
  static func sourceArt(
    _ path: RelativePath, beside exists: (RelativePath) -> Bool
  ) -> (type: String, program: String)? {
    guard let type = path.fileType, let program = sourceArtPrograms[type] else { return nil }
    let subject = RelativePath(unchecked: path.bytes.dropLast(type.utf8.count + 1))
    return !["meta", "import"].contains(type) || exists(subject) ? (type, program) : nil
  }
}

/// The programs whose documents have these extensions.
private let sourceArtPrograms: [String: String] = [
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
