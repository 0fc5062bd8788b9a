/// Code for Macs and other Apple systems, known by its first bytes.
enum MachO {
  /// Whether a file that begins with `start` is a Mach-O file or a universal binary
  /// (`<mach-o/loader.h>`, `<mach-o/fat.h>`). Eight bytes tell.
  static func begins(_ start: [UInt8]) -> Bool {
    guard start.count >= 8 else { return false }
    switch Array(start[..<4]) {
    case [0xFE, 0xED, 0xFA, 0xCE], [0xFE, 0xED, 0xFA, 0xCF], [0xCE, 0xFA, 0xED, 0xFE],
      [0xCF, 0xFA, 0xED, 0xFE], [0xCA, 0xFE, 0xBA, 0xBF]:
      return true
    case [0xCA, 0xFE, 0xBA, 0xBE]:
      // Java classes begin the same; their next word is a version from 45 up, here it is the number
      // of architectures.
      return start[4...6].allSatisfy { $0 == 0 } && start[7] < 45
    default:
      return false
    }
  }

  /// A finding for each file of `selection` that is code. Files whose extension says that they are
  /// media or text are not opened unless they may be executed.
  static func findings(_ selection: Selection, _ manifest: Manifest) -> [Finding] {
    guard let root = try? FileDescriptor.directory(selection.root) else { return [] }
    var findings: [Finding] = []
    for file in selection.files
    where file.size >= 28 && (file.isExecutable || !isMedia(file.source)) {
      // A file that cannot be read fails the packaging, with its name.
      guard let descriptor = try? root.reading(file.source),
        let start = try? descriptor.read(upTo: 8, of: FilePath(file.source.bytes)), begins(start)
      else { continue }
      findings.append(
        Finding(
          .machOExecutable, "'\(file.source)' is executable code, which App Store Connect refuses",
          at: manifest.selectors[file.selector].location))
    }
    return findings
  }

  private static func isMedia(_ path: RelativePath) -> Bool {
    let name = path.name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.endIndex - dot <= 6 else {
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
