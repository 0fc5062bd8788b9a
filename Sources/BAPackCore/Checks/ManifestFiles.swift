/// Why the manifests in a folder can't be listed.
public enum ManifestFilesError: Error, Hashable, Sendable {
  /// The system can't list the folder.
  case system(SystemError)
  /// No file in the folder has a name that ends in .json.
  case noManifest(in: BytePath)
}

extension ManifestFilesError: CustomStringConvertible {
  /// What is wrong, in one sentence without a final period.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .noManifest(let folder):
      "no manifests in '\(folder)': no file name there ends in .json"
    }
  }
}

extension AppCheck {
  /// The manifests at `paths`, each once: a folder means every file in it whose name ends in .json,
  /// except hidden ones, sorted by name. `-` is the standard input.
  public static func manifests(at paths: [BytePath]) throws(ManifestFilesError) -> [BytePath] {
    var seen: Set<BytePath> = []
    var files: [BytePath] = []
    for path in paths {
      for file in try manifests(at: path) where seen.insert(file.place).inserted {
        files.append(file)
      }
    }
    return files
  }

  private static func manifests(at path: BytePath) throws(ManifestFilesError) -> [BytePath] {
    guard !path.isStandardStream, (try? FileStatus.following(path))?.kind == .directory else {
      return [path]
    }
    let names: [[UInt8]]
    do throws(SystemError) {
      names = try FileDescriptor.directory(path).names(of: path)
    } catch {
      throw .system(error)
    }
    let files = names.filter { $0.first != ASCII.dot }.map { path.appending($0) }
      .filter { $0.hasExtension("json") }
      // A file that can't be read becomes a finding later.
      .filter { (try? FileStatus.following($0))?.kind != .directory }
    if files.isEmpty { throw .noManifest(in: path) }
    return files
  }
}

extension BytePath {
  /// The same for all forms of this path, but not for links to the file: a manifest's source root
  /// depends on its folder.
  fileprivate var place: BytePath {
    isStandardStream ? self : (try? folder.resolved())?.appending(name) ?? self
  }
}
