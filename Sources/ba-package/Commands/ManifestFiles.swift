import BAPackCore
import CommandLine

extension [FilePath] {
  /// The manifests that these paths of a command line stand for, each once: a folder stands for the
  /// files in it whose names end in .json, but hidden ones, sorted by name.
  func manifestFiles() throws(CommandError) -> [FilePath] {
    var seen: Set<FilePath> = []
    var files: [FilePath] = []
    for path in self {
      for file in try path.manifestFiles() where seen.insert(file.place).inserted {
        files.append(file)
      }
    }
    return files
  }
}

extension FilePath {
  fileprivate func manifestFiles() throws(CommandError) -> [FilePath] {
    guard !isStandardStream, (try? FileStatus.following(self))?.kind == .directory else {
      return [self]
    }
    let names: [[UInt8]]
    do throws(SystemError) {
      names = try FileDescriptor.directory(self).names(of: self)
    } catch {
      throw .failure(error.description)
    }
    let files = names.filter { $0.first != ASCII.dot }.map { appending($0) }
      .filter { $0.hasExtension("json") }
      // What can't be looked up is a finding later.
      .filter { (try? FileStatus.following($0))?.kind != .directory }
    if files.isEmpty {
      throw .failure(
        "there is no manifest in '\(self)': no file there has a name that ends in .json")
    }
    return files
  }

  /// The same for all spellings of this path, but not for links to the file: a manifest's source root
  /// depends on where it stands.
  fileprivate var place: FilePath {
    isStandardStream ? self : (try? folder.resolved())?.appending(name) ?? self
  }
}
