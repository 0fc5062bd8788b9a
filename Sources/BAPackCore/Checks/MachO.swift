/// Executable code for macOS and Apple's other systems, recognized by its first bytes.
enum MachO {
  /// Whether a file that begins with `start` is a Mach-O file or a universal binary
  /// (`<mach-o/loader.h>`, `<mach-o/fat.h>`). Eight bytes are enough.
  static func begins(_ start: some Collection<UInt8>) -> Bool {
    guard start.count >= 8 else { return false }
    switch integer(bigEndian: start.prefix(4)) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE, 0xCAFE_BABF: return true
    // Java classes begin with the same magic; their next word is a version of at least 45, while
    // here it is the number of architectures.
    case 0xCAFE_BABE: return integer(bigEndian: start.dropFirst(4).prefix(4)) < 45
    default: return false
    }
  }

  /// A finding for each file of `selection` that is code or can't be read. Files with the extension of
  /// media or text are not opened unless they are executable.
  static func findings(_ selection: Selection, _ manifest: Manifest, examined: Set<UInt64>)
    -> [Finding]
  {
    let files = selection.files.filter {
      $0.size >= 28 && ($0.isExecutable || !isMedia($0.source)) && !examined.contains($0.version)
    }
    if files.isEmpty { return [] }
    var findings: [Finding] = []
    do throws(SystemError) {
      let root = try selection.root.attempt(
        .openFolder, FileDescriptor.directory(selection.root))
      for file in files {
        let location = manifest.selectors[file.selector].location
        do throws(SystemError) {
          guard begins(try root.beginning(of: file.source, below: selection.root)) else { continue }
          findings.append(
            Finding(
              .machOExecutable,
              "'\(file.source)' is executable code, which App Store Connect rejects", at: location,
              file: file.source))
        } catch {
          findings.append(Finding(unreadable: file, error, at: location))
        }
      }
    } catch {
      findings.append(Finding(.unreadableFile, "\(error)", at: nil))
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

extension FileDescriptor {
  /// The first eight bytes of a file in this folder, which is at `root`.
  fileprivate func beginning(
    of file: RelativePath, below root: BytePath
  ) throws(SystemError) -> [UInt8] {
    let shown = root.appending(file.bytes)
    let opened = try shown.attempt(.open, reading(file))
    return try shown.attempt(.read, opened.read(upTo: 8))
  }
}
