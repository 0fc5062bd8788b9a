import BAPackCore

/// A file of a bundle, which is read piece by piece.
struct BundleFile {
  let size: UInt64
  /// The bytes at an offset: as many as asked for, or fewer at the end of the file.
  let read: (UInt64, Int) throws -> [UInt8]
}

/// The files of a built app: in a folder, or below a folder in a zip archive. Paths are relative to
/// the app and are not resolved: links are never followed, so nothing outside can be reached.
enum BundleFiles {
  case folder(BytePath)
  case archive(ZipArchive, below: String)

  /// The names that end with `.appex` in a folder, which may be missing, sorted.
  func extensions(in folder: String) throws -> [String] {
    var names: [[UInt8]] = []
    switch self {
    case .folder(let root):
      if let opened = try Self.folder(folder.split(separator: "/"), below: root) {
        names = try root.appending(folder.utf8).attempt(.readFolder, opened.names())
      }
    case .archive(let archive, let below): names = archive.names(in: below + folder + "/")
    }
    names = names.filter { BytePath($0).hasExtension("appex") }
    guard names.count <= 1000 else {
      throw Finding(.bundleUnreadable, "'\(folder)' has more than 1,000 extensions", at: nil)
    }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  func file(_ path: String) throws -> BundleFile? {
    switch self {
    case .archive(let archive, let below): return try archive.file(below + path)
    case .folder(let root):
      guard let opened = try Self.file(path, below: root) else { return nil }
      let status = try root.appending(path.utf8).attempt(.lookUp, opened.status())
      return BundleFile(size: status.size) { offset, count in
        guard let opened = try Self.file(path, below: root) else { return [] }
        return try root.appending(path.utf8).attempt(.read, opened.read(count, at: offset))
      }
    }
  }

  func contents(of path: String, limit: Int) throws -> [UInt8]? {
    guard let file = try file(path) else { return nil }
    guard file.size <= limit else {
      throw Finding(
        .bundleUnreadable,
        "'\(brief(path))' is larger than \(byteCount(UInt64(limit))), the maximum", at: nil)
    }
    return try file.read(0, Int(file.size))
  }

  private static func file(_ path: String, below root: BytePath) throws -> FileDescriptor? {
    let parts = path.split(separator: "/")
    guard let name = parts.last, let folder = try folder(parts.dropLast(), below: root),
      let status = try status(of: name, in: folder, path)
    else { return nil }
    guard status.kind == .file else {
      throw Finding(.bundleUnreadable, "'\(brief(path))' is \(status.kind), not a file", at: nil)
    }
    return try root.appending(path.utf8).attempt(
      .open, FileDescriptor.opening(folder.rawValue, name.utf8, [.noFollow, .nonBlocking]))
  }

  /// Opens a folder, part by part; nil if it is missing.
  private static func folder(
    _ parts: [Substring], below root: BytePath
  ) throws -> FileDescriptor? {
    var folder = try root.attempt(.openFolder, FileDescriptor.directory(root))
    for (depth, part) in parts.enumerated() {
      let path = parts[...depth].joined(separator: "/")
      guard try status(of: part, in: folder, path) != nil else { return nil }
      folder = try root.appending(path.utf8).attempt(
        .openFolder, folder.folder(named: part.utf8))
    }
    return folder
  }

  /// The status of a name; nil if it is missing. Links are refused.
  private static func status(
    of name: Substring, in folder: borrowing FileDescriptor, _ path: String
  ) throws -> FileStatus? {
    do {
      let status = try folder.status(named: name.utf8)
      if status.kind != .symbolicLink { return status }
    } catch {
      if error == .noSuchFile || error == .notDirectory { return nil }
      throw Finding(.bundleUnreadable, "can't look up '\(brief(path))': \(error)", at: nil)
    }
    throw Finding(
      .bundleUnreadable, "'\(brief(path))' is a symbolic link, which is not followed", at: nil)
  }
}

func brief(_ text: some StringProtocol) -> String { brief(text.utf8) }
