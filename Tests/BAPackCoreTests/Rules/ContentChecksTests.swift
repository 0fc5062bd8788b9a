import BAPackCore
import BATestSupport
import Foundation
import Testing

@Test func registeredLanguagesAreKnown() {
  for tag in [
    "de", "pt-BR", "zh-Hant-TW", "es-419", "JA", "yue", "fil", "haw", "sr-Latn", "en-001", "qaa",
    "de-Qaaa", "en-XA", "iw", "sr-XK", "cmn-hans-cn",
  ] {
    #expect(isLanguageTag(tag))
    #expect(unregisteredPart(ofLanguageTag: tag) == nil, "\(tag)")
  }
  for (tag, kind, part) in [
    ("xx", "language", "xx"), ("jp", "language", "jp"),
    ("en-UK", "region", "UK"), ("de-Abcd-DE", "script", "Abcd"), ("es-999", "region", "999"),
  ] {
    let found = unregisteredPart(ofLanguageTag: tag)
    #expect(found?.kind == kind && found?.part == part, "\(tag)")
  }
}

@Test func conflictMarkersMustBeWholeAndInOrder() {
  func has(_ text: String) -> Bool { ConflictMarkers.areIn(Array(text.utf8)) }
  #expect(has("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n"))
  #expect(has("x\r\n<<<<<<< HEAD\r\na\r\n||||||| base\r\n=======\r\nb\r\n>>>>>>> main"))
  #expect(!has("<<<<<<< HEAD\na\n========\nb\n>>>>>>> main\n"))
  #expect(!has("=======\n<<<<<<< HEAD\n>>>>>>> main\n"))
  #expect(!has("<<<<<<< HEAD\n=======\n> main\n"))
  #expect(!has("  <<<<<<< HEAD\n=======\n>>>>>>> main\n"))
  #expect(!has("Title\n=======\n"))
  #expect(!has(""))
}

/// Later runs don't open files in which an earlier run found nothing. With a rule off, nothing is
/// found although there is something.
@Test func contentsAreNotCleanBecauseARuleIsOff() throws {
  let folder = try TemporaryFolder()
  try folder.write("Game/a.txt", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n".utf8)
  try folder.write("Game/tool", image(1))
  for (file, rule) in [("a.txt", Rule.conflictMarkers), ("tool", .machOExecutable)] {
    let manifest = try check("One", "{ \"file\": \"\(file)\" }", in: folder)
    var options = ManifestCheck.Options()
    options.rules.add([RuleSettings.Setting(rule.id, .off)])
    let off = ManifestCheck(reading: manifest, options)
    #expect(!off.findings.contains { $0.rule == rule } && off.hasFindingsInContents)
    let found = ManifestCheck(reading: manifest)
    #expect(found.findings.contains { $0.rule == rule } && found.hasFindingsInContents)
    let versions = try #require(found.pack?.selection).files.map(\.version)
    options = ManifestCheck.Options()
    options.policy.examined = Set(versions)
    let known = ManifestCheck(reading: manifest, options)
    #expect(!known.findings.contains { $0.rule == rule } && !known.hasFindingsInContents)
  }
}

/// A manifest that selects `folder`, and its pack with files from `root`.
private func check(
  _ identifier: String, _ selectors: String, _ platforms: String = "", in folder: TemporaryFolder
) throws -> BytePath {
  try folder.write(
    "\(identifier).json",
    Array(
      """
      { "assetPackID": "\(identifier)", "downloadPolicy": { "onDemand": {} },
        "fileSelectors": [\(selectors)], "platforms": [\(platforms)], "sourceRoot": "Game" }
      """.utf8))
}

private var thorough: ManifestCheck.Options {
  var options = ManifestCheck.Options()
  options.isThorough = true
  return options
}

private func messages(_ files: [BytePath], _ rule: Rule) throws -> [String] {
  try AppCheck(reading: files, thorough).findings.filter { $0.rule == rule }.map(\.message)
}

@Test func copiesAreFoundInAndAcrossPacks() throws {
  let folder = try TemporaryFolder()
  let contents = (0..<6000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  var other = contents
  // A sample of the file does not show this difference.
  other[1500] ^= 1
  try folder.write("Game/a/bell.wav", contents)
  try folder.write("Game/a/copy.wav", contents)
  try folder.write("Game/a/near.wav", other)
  try folder.write("Game/a/small1.wav", contents.prefix(4095))
  try folder.write("Game/a/small2.wav", contents.prefix(4095))
  try folder.write("Game/b/bell.wav", contents)
  let a = try check("a", "{\"directory\": \"a\"}", in: folder)
  let b = try check("b", "{\"directory\": \"b\"}", in: folder)
  #expect(
    try messages([a], .duplicateFiles) == [
      "'a/copy.wav' has the same contents as 'a/bell.wav' (6.0 kB)"
    ])
  #expect(
    try messages([a, b], .duplicateFiles) == [
      "'a/copy.wav' has the same contents as 'a/bell.wav' (6.0 kB)",
      "'b/bell.wav' has the same contents as 'a/bell.wav' in the pack 'a' (6.0 kB)",
    ])
  // The same file under the same path in two packs.
  let twice = try check("twice", "{\"file\": \"b/bell.wav\"}", in: folder)
  #expect(try messages([b, twice], .duplicateFiles).count == 1)
  let mac = try check("mac", "{\"directory\": \"b\"}", "\"macOS\"", in: folder)
  let phone = try check("phone", "{\"directory\": \"b\"}", "\"iOS\"", in: folder)
  #expect(try messages([mac, phone], .duplicateFiles) == [])
}

@Test func copiesOfTwoPacksAreOneFinding() throws {
  let folder = try TemporaryFolder()
  for index in 0..<9 {
    try folder.write("Game/a/\(index)", [UInt8](repeating: UInt8(index), count: 5000))
    try folder.write("Game/b/\(index)", [UInt8](repeating: UInt8(index), count: 5000))
  }
  let a = try check("a", "{\"directory\": \"a\"}", in: folder)
  let b = try check("b", "{\"directory\": \"b\"}", in: folder)
  let findings = try AppCheck(reading: [a, b], thorough).findings
  #expect(
    findings.map(\.message) == [
      "'b/0' has the same contents as 'a/0' in the pack 'a'; 9 files with 45.0 kB are copies"
    ])
  #expect(
    findings[0].notes.map(\.message) == [
      "also 'b/1', 'b/2', 'b/3', 'b/4', 'b/5' and 3 more files", "the first copy is here",
    ])
}

private func git(_ words: String, in folder: TemporaryFolder) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = [
    "-c",
    "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main \(words) >/dev/null 2>&1",
  ]
  process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "git \(words)")
}

private let hasGit = FileManager.default.fileExists(atPath: "/usr/bin/git")

@Test(.enabled(if: hasGit, "git is not installed"))
func filesThatGitDoesNotTrackAreFound() throws {
  let folder = try TemporaryFolder()
  try folder.write(
    "Game/a/tracked", "Game/a/ä \"b\"\nc", "Game/a/new", "Game/a/ignored.bin", "Game/real/x")
  try folder.write(".gitignore", Array("*.bin\n".utf8))
  try folder.link("Game/a/link", to: "../real")
  let pack = try check("a", "{\"directory\": \"a\"}", in: folder)
  #expect(try messages([pack], .untrackedFile) == [])
  try git("init", in: folder)
  try git("add Game/a/tracked Game/a/ä* Game/a/link Game/real", in: folder)
  #expect(
    try messages([pack], .untrackedFile) == [
      "'a/ignored.bin' and 1 more file are not tracked by Git"
    ])
  try git("add Game/a/new", in: folder)
  #expect(try messages([pack], .untrackedFile) == ["'a/ignored.bin' is not tracked by Git"])
  try git("add -f Game/a/ignored.bin", in: folder)
  #expect(try messages([pack], .untrackedFile) == [])
}

@Test(.enabled(if: hasGit, "git is not installed"))
func aRepositoryThatGitCanNotReadIsReported() throws {
  let folder = try TemporaryFolder()
  try folder.write("Game/a/x")
  try folder.write(".git", Array("nothing\n".utf8))
  #expect(
    try messages([try check("a", "{\"directory\": \"a\"}", in: folder)], .untrackedFile) == [
      "Git can't list the files in '\(folder.path)'; run 'git status' there to see why"
    ])
  let selection = Selection(root: folder.path("Game/a"), files: [])
  let coverage = try Coverage(of: folder.path("Game"), in: [selection])
  #expect(coverage.problems.map(\.rule) == [.fileInNoPack])
  #expect(coverage.files.map(\.path.description) == ["a/x"])
}

/// A named pipe in place of a file that Git reads never ends. After one deadline, all questions fail.
@Test(
  .enabled(if: hasGit, "git is not installed"), arguments: [".git/config", ".git/index"])
func gitHasOneDeadlineForARun(file: String) throws {
  let folder = try TemporaryFolder()
  let packs = try (0..<5).map { number in
    try folder.write("Game/\(number)/a.txt", Array("a\r\n".utf8))
    return try check("\(number)", "{\"directory\": \"\(number)\"}", in: folder)
  }
  try git("init", in: folder)
  try git("add .", in: folder)
  let path = "\(folder.path)/\(file)"
  #expect(unsafe rename(path, "\(folder.path)/kept") == 0)
  #expect(unsafe mkfifo(path, 0o600) == 0)
  var options = thorough
  options.git = Git(within: .milliseconds(200))
  func failures() throws -> [Rule] {
    try AppCheck(reading: packs, options).findings
      .filter { $0.message.hasPrefix("Git took too long") }.map(\.rule)
  }
  let expected =
    Array(repeating: Rule.convertedLineEndings, count: 5)
    + Array(repeating: Rule.untrackedFile, count: 5)
  #expect(try failures() == expected)
  // Git, which could answer now, isn't asked again in this run.
  #expect(unsafe rename("\(folder.path)/kept", path) == 0)
  #expect(try failures() == expected)
  options.git = nil
  #expect(try failures() == [])
}

@Test func programsAreRunWithLimits() throws {
  func output(_ script: String, within time: Duration = .seconds(60)) throws -> [UInt8]? {
    let words = ["/bin/sh", "-c", script].map { Array($0.utf8) }
    return try ChildProcess.output(of: words, [Array("A=b".utf8)], within: time, limit: 100_000)
  }
  #expect(throws: Errno.noSuchFile) {
    try ChildProcess.output(
      of: [Array("/ba-no-such-program".utf8)], [], within: .seconds(60), limit: 1)
  }
  #expect(try output("exit 1") == nil)
  #expect(try output("echo $A $HOME") == Array("b\n".utf8))
  #expect(try output("yes | head -c 100000")?.count == 100_000)
  #expect(throws: Errno.fileTooLarge) { try output("exec yes") }
  #expect(throws: Errno.timedOut) { try output("exec sleep 1000", within: .milliseconds(50)) }
  #expect(throws: Errno.timedOut) {
    try output("exec >&-; exec sleep 1000", within: .milliseconds(50))
  }
}
