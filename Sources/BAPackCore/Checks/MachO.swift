/// Code for Macs and other Apple systems, known by its first bytes.
enum MachO {
  /// Whether a file that begins with `start` is a Mach-O file or a universal binary
  /// (`<mach-o/loader.h>`, `<mach-o/fat.h>`). Eight bytes tell.
  static func begins(_ start: some Collection<UInt8>) -> Bool {
    guard start.count >= 8 else { return false }
    switch integer(bigEndian: start.prefix(4)) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABF: return true
    // Java classes begin the same; their next word is a version from 45 up, here it is the number of
    // architectures.
    case 0xCAFE_BABE: return integer(bigEndian: start.dropFirst(4).prefix(4)) < 45
    default: return false
    }
  }

  /// A finding for each file of `selection` that is code. Files whose extension says that they are
  /// media or text are not opened unless they may be executed.
  static func findings(_ selection: Selection, _ manifest: Manifest) -> [Finding] {
    guard let root = try? FileDescriptor.directory(selection.root),
      let start = try? Buffer(size: 8)
    else { return [] }
    var findings: [Finding] = []
    for file in selection.files
    where file.size >= 28 && (file.isExecutable || !isMedia(file.source)) {
      // A file that cannot be read fails the packaging, with its name.
      guard let descriptor = try? root.reading(file.source),
        let count = unsafe try? descriptor.read(
          into: start.bytes, atLeast: start.bytes.count, at: 0, of: FilePath(file.source.bytes)),
        unsafe begins(start.bytes.prefix(count))
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
