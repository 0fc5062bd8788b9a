import BAPackCore

extension AppInfo {
  /// Findings about the file or folder at `path`: an `Info.plist`, a built app, an `.ipa`, or the
  /// folder of an Xcode project.
  package func check(_ path: BytePath) throws -> [Finding] {
    do {
      if try FileStatus.following(path).kind == .directory {
        return check(try parts(ofFolder: path))
      }
      let file = try path.attempt(.open, FileDescriptor.reading(path))
      let start = try path.attempt(.read, file.read(4, at: 0))
      if start == Array("PK\u{3}\u{4}".utf8) || path.hasExtension("ipa") {
        return check(try AppParts(archive: path))
      }
    } catch let error as Finding {
      return [error]
    } catch let error as SystemError {
      // A pipe is read from its start.
      if error.code != .illegalSeek { throw error }
    } catch {
      return [Finding(.bundleUnreadable, "'\(path)': \(error)", at: nil)]
    }
    return check(
      SourceText(name: path.bytes, bytes: try path.contents(limit: PropertyListLimits.size)))
  }

  private func parts(ofFolder path: BytePath) throws -> AppParts {
    let names = try path.names()
    if path.hasExtension("app")
      || names.contains(Array("Info.plist".utf8))
        && !names.contains(where: { BytePath($0).hasExtension("xcodeproj") })
    {
      return try AppParts(bundle: path)
    }
    if names.contains(Array("project.pbxproj".utf8)) { return try AppParts(project: path) }
    let projects = names.filter { BytePath($0).hasExtension("xcodeproj") }
    guard let project = projects.first, projects.count == 1 else {
      throw Finding(
        .bundleUnreadable,
        projects.isEmpty
          ? "'\(path)' is neither a built app nor a folder with an Xcode project"
          : "'\(path)' has \(counted(projects.count, "Xcode project")); choose one", at: nil,
        notes: projects.prefix(5).map { Note("there is '\(path.appending($0))'") })
    }
    return try AppParts(project: path.appending(project))
  }
}
