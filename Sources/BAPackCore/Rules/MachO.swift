/// Executable code for macOS and Apple's other systems, recognized by its first bytes.
enum MachO {
  /// Whether a file that begins with `start` is a Mach-O file or a universal binary
  /// (`<mach-o/loader.h>`, `<mach-o/fat.h>`). ``startSize`` bytes are enough.
  static func begins(_ start: some Collection<UInt8>) -> Bool {
    guard start.count >= startSize else { return false }
    switch integer(bigEndian: start.prefix(4)) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABF: return true
    // Java classes have the same magic number. It is followed by a version of at least 45 there,
    // and by the number of architectures here.
    case 0xCAFE_BABE: return integer(bigEndian: start.dropFirst(4).prefix(4)) < 45
    default: return false
    }
  }

  /// The number of bytes that ``begins(_:)`` needs.
  static let startSize = 8

  /// Whether `file` is worth opening: it is large enough for a header, and executable or without
  /// the extension of media or text.
  static func isPossible(_ file: SelectedFile) -> Bool {
    file.size >= 28 && (file.isExecutable || !isMedia(file.source))
  }

  /// A finding for each of `files`, which contain code.
  static func findings(_ files: [SelectedFile], _ manifest: Manifest) -> [Finding] {
    files.map { file in
      Finding(
        .machOExecutable,
        "'\(file.source)' is executable code, which App Store Connect rejects",
        at: manifest.selectors[file.selector].location, file: file.source)
    }
  }

  private static func isMedia(_ path: RelativePath) -> Bool {
    let name = path.name
    guard let dot = name.lastIndex(of: ASCII.dot), name.endIndex - dot <= 6 else {
      return false
    }
    return mediaExtensions.contains(
      String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
  }

  private static let mediaExtensions: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "heic", "tga", "bmp", "dds", "ktx", "ktx2", "pvr", "astc",
    "hdr", "exr", "psd", "svg", "wav", "ogg", "mp3", "m4a", "aac", "flac", "caf", "aiff", "mid",
    "mp4", "m4v", "mov", "webm", "txt", "md", "json", "xml", "csv", "yaml", "yml", "toml", "ini",
    "plist", "strings", "lua", "html", "css", "js", "ttf", "otf", "woff", "obj", "mtl", "fbx",
    "gltf", "glb", "usdz", "dae", "stl", "po", "vtt", "srt",
  ]
}
