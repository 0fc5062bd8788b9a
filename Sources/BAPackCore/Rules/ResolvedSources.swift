extension Selection {
  /// The absolute path of each file, with links resolved; nil if it doesn't exist.
  func resolvedSources() throws(SystemError) -> [BytePath?] {
    var folders: [RelativePath: BytePath] = [:]
    var paths: [BytePath?] = []
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
        paths.append(folders[parent]?.appending(file.source.name))
      } catch {
        if error.code != .noSuchFile { throw error }
        paths.append(nil)
      }
    }
    return paths
  }
}
