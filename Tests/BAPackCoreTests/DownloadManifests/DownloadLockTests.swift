import BAPackCore
import BATestSupport
import Testing

@Suite struct DownloadLockTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aSecondRunWaitsForTheFirst() throws {
    var first: FolderLock? = try FolderLock(listAt: folder.path("D.json")) { Issue.record("waits") }
    var hasWaited = false
    let second = try FolderLock(listAt: folder.path("D.json")) {
      hasWaited = true
      first = nil
    }
    #expect(hasWaited)
    second.release()
    _ = first.take()
    #expect(try folder.names() == [])
  }

  /// The target of a link is locked, and so are all lists in its folder.
  @Test func linksLeadToTheSameLock() throws {
    let other = try TemporaryFolder()
    try folder.write("D.json", "{}".utf8)
    try other.link("D.json", to: "\(folder.path)/D.json")
    var first: FolderLock? = try FolderLock(listAt: other.path("D.json")) { Issue.record("waits") }
    try FolderLock(listAt: other.path("Own.json")) { Issue.record("waits") }.release()
    var hasWaited = false
    try FolderLock(listAt: folder.path("E.json")) {
      hasWaited = true
      first = nil
    }.release()
    #expect(hasWaited)
    _ = first.take()
  }

  @Test func aFolderThatIsMissingIsAnError() throws {
    let missing = folder.path("none/D.json")
    #expect(throws: SystemError(.openFolder, folder.path("none"), code: .noSuchFile)) {
      try FolderLock(listAt: missing) {}.release()
    }
  }
}
