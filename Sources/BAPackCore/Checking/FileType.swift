/// The purposes of files, by their extensions.
package enum FileType: Int, CaseIterable {
  case image, audio, video, model, data, code, archive, other

  /// The name in reports.
  package var title: String {
    switch self {
    case .image: "Images"
    case .audio: "Audio"
    case .video: "Video"
    case .model: "Models and scenes"
    case .data: "Text and data"
    case .code: "Code and shaders"
    case .archive: "Archives and fonts"
    case .other: "Other"
    }
  }

  /// The extensions of text formats, and of others.
  private static let extensions: [(type: FileType, text: String, binary: String)] = [
    (
      .image, "svg",
      "png jpg jpeg gif webp heic avif bmp tga tif tiff psd dds ktx ktx2 astc pvr exr hdr ico xcf"
    ),
    (.audio, "", "wav mp3 m4a aac ogg oga opus flac caf aif aiff mid midi bank wem"),
    (.video, "", "mp4 mov m4v webm mkv avi ogv bk2"),
    (
      .model, "usda obj mtl gltf dae unity prefab tscn",
      "usd usdc usdz glb fbx blend reality scn abc ply b3d spm mesh pmd psa"
    ),
    (
      .data,
      "json json5 jsonc xml yaml yml toml ini cfg conf csv tsv txt md plist strings stringsdict po "
        + "vtt srt properties html css ink yarn tmx tsx ldtk atlas fnt asset mat sprite tres stl",
      "mo db sqlite bin dat lvl map"
    ),
    (
      .code, "lua js ts py rb nut gd shader glsl vert frag metal hlsl fx",
      "metallib wasm mlmodel mlpackage"
    ),
    (.archive, "", "zip pak aar gz xz zst 7z tar ttf otf woff woff2"),
  ]

  private static let types: [String: (type: FileType, isText: Bool)] = {
    var types: [String: (type: FileType, isText: Bool)] = [:]
    for (type, text, binary) in extensions {
      for name in text.split(separator: " ") { types[String(name)] = (type, true) }
      for name in binary.split(separator: " ") { types[String(name)] = (type, false) }
    }
    return types
  }()

  /// The extensions of text formats.
  static var textExtensions: [Substring] { extensions.flatMap { $0.text.split(separator: " ") } }

  /// The type of the file at `path`.
  package static func of(_ path: RelativePath, size: UInt64) -> FileType {
    guard let name = path.fileType, let type = types[name]?.type else { return .other }
    // Games name tile levels like models for printers. A binary model has a header of 84 bytes and
    // 50 bytes for each triangle.
    return name == "stl" && size >= 84 && (size - 84).isMultiple(of: 50) ? .model : type
  }

  /// Whether the file at `path` has the extension of a text format.
  static func isText(_ path: RelativePath) -> Bool {
    path.fileType.flatMap { types[$0]?.isText } ?? false
  }

  /// Whether the file at `path` has the extension of text or media, which can't be executed.
  static func isTextOrMedia(_ path: RelativePath) -> Bool {
    guard let (type, isText) = path.fileType.flatMap({ types[$0] }) else { return false }
    return isText || [.image, .audio, .video, .model].contains(type)
  }
}

extension RelativePath {
  /// The extension in lowercase; nil without one of at most ten bytes.
  var fileType: String? {
    guard let dot = name.lastIndex(of: ASCII.dot), name.endIndex - dot <= 11 else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }
}
