extension BytePath {
  /// The files below this folder that are in none of `selections`, in archive order. A file
  /// selected through a link is selected. The folder's own `.git` and the files at `exceptions` are
  /// ignored.
  package func filesNotTaken(
    by selections: [Selection], except exceptions: [BytePath] = []
  ) throws(SystemError) -> [RelativePath] {
    let top = try resolved()
    var taken: Set<BytePath> = []
    for selection in selections { taken.formUnion(try selection.resolvedSources()) }
    for exception in exceptions {
      do throws(SystemError) {
        taken.insert(try exception.resolved())
      } catch {
        if error.code != .noSuchFile, error.code != .notDirectory { throw error }
      }
    }
    let tree = try SourceTree(self)
    var missing: [RelativePath] = []
    var folders = [RelativePath.root]
    while let folder = folders.popLast() {
      let children: [SourceTree.Child]
      do throws(SourceError) {
        children = try tree.children(of: folder).1
      } catch {
        guard case .unreadable(let error) = error else { continue }
        if error.code == .noSuchFile { continue }
        throw error
      }
      for child in children where !(folder == .root && child.name == Array(".git".utf8)) {
        let path = folder.appending(child.name)
        switch child.status.kind {
        case .directory: folders.append(path)
        case .file where !taken.contains(top.appending(path.bytes)): missing.append(path)
        default: break
        }
      }
    }
    return missing.sorted()
  }
}

extension Selection {
  /// The absolute paths of the files, with links resolved; none if the root does not exist.
  fileprivate func resolvedSources() throws(SystemError) -> [BytePath] {
    var folders: [RelativePath: BytePath] = [:]
    var paths: [BytePath] = []
    for file in files {
      let parent = file.source.parent ?? .root
      let full = root.appending(file.source.bytes)
      do throws(SystemError) {
        // Only links are resolved one by one, because that is slow.
        if try FileStatus.notFollowing(full).kind == .symbolicLink {
          paths.append(try full.resolved())
          continue
        }
        if folders[parent] == nil { folders[parent] = try full.folder.resolved() }
        if let folder = folders[parent] { paths.append(folder.appending(file.source.name)) }
      } catch {
        if error.code != .noSuchFile { throw error }
      }
    }
    return paths
  }
}
