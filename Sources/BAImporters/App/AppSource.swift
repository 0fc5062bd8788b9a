import BAPackCore

extension AppInfo {
  /// Findings about the file or folder at `path`: an `Info.plist`, a built app or an
  /// `.ipa`.
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
    let isProject = names.contains { name in
      BytePath(name).hasExtension("xcodeproj")
        || ["project.pbxproj", "project.xcproj"].contains { name.elementsEqual($0.utf8) }
    }
    if path.hasExtension("app") || names.contains(Array("Info.plist".utf8)) && !isProject {
      return try AppParts(bundle: path)
    }
    throw Finding(
      .bundleUnreadable,
      isProject
        ? "'\(path)' is an Xcode project; check the app that is built of it, or its Info.plist"
        : "'\(path)' is not a built app", at: nil)
  }
}
