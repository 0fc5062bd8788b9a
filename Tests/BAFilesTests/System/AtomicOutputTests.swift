import BAFiles
import BATestSupport
import Testing

@Suite struct AtomicOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func writesAreAtomic() throws {
    let output = try AtomicOutput(folder.path("a.json"), replacing: false)
    try output.write(Array("first ".utf8))
    try output.write([])
    try output.write(Array("second".utf8))
    #expect(try !folder.names().contains("a.json"))
    try output.publish()
    #expect(try folder.names() == ["a.json"])
    #expect(try folder.contents("a.json") == Array("first second".utf8))
  }

  @Test func appendsBeginOnALineOfTheirOwn() throws {
    let path = folder.path("log")
    for (text, expected) in [
      ("one\n", "one\n"), ("two", "one\ntwo"), ("three\n", "one\ntwo\nthree\n"),
      ("", "one\ntwo\nthree\n"),
    ] {
      try path.append(text)
      #expect(try folder.contents("log") == Array(expected.utf8))
    }
    #expect(throws: SystemError(notWritable: folder.filePath, .directory)) {
      try folder.filePath.append("text")
    }
  }

  @Test func rejectsAnExistingDestination() throws {
    let output = try AtomicOutput(folder.path("a"), replacing: false)
    try output.write([1])
    try folder.write("a", [9])
    do {
      try output.publish()
      Issue.record("published")
    } catch {
      #expect(error == SystemError(.create, folder.path("a"), code: .fileExists))
    }
    #expect(try folder.contents("a") == [9])
    #expect(try folder.names() == ["a"])
  }

  @Test func replacesAtomically() throws {
    try folder.write("a", [9])
    let old = try FileDescriptor.reading(folder.path("a"))
    let output = try AtomicOutput(folder.path("a"), replacing: true)
    try output.write([1, 2])
    try output.publish()
    #expect(try folder.contents("a") == [1, 2])
    // A descriptor of the old file still reads it.
    #expect(try old.read(upTo: 10) == [9])
    #expect(try folder.names() == ["a"])
  }

  @Test func doesNotReplaceAFolder() throws {
    let output = try AtomicOutput(folder.path("a"), replacing: true)
    try folder.makeFolder("a")
    do {
      try output.publish()
      Issue.record("published")
    } catch {
      #expect("\(error)" == "'\(folder.path)/a' is a folder; name the file to write")
    }
    #expect(try folder.names() == ["a"])
  }

  @Test func leavesNothingIfAbandoned() throws {
    do {
      let output = try AtomicOutput(folder.path("a"), replacing: false)
      try output.write([1])
    }
    #expect(try folder.names() == [])
  }

  @Test func manyFilesWithOneDestinationAreOneFinding() throws {
    let one = try AtomicOutput(folder.path("a"), replacing: true)
    let two = try AtomicOutput(folder.path("a"), replacing: false)
    try one.write([1])
    try two.write([2])
    try two.publish()
    try one.publish()
    #expect(try folder.contents("a") == [1])
    #expect(try folder.names() == ["a"])
  }

  @Test func namesTheMissingFolderInErrors() throws {
    do {
      _ = try AtomicOutput(folder.path("no/a"), replacing: false)
      Issue.record("made")
    } catch {
      #expect(
        "\(error)"
          == "can't create 'a': the folder '\(folder.path)/no' does not exist; create it first")
    }
  }

  /// A lock distinguishes a file that is being written from a leftover of a killed run.
  @Test func leftoversOfKilledRunsAreRemoved() throws {
    let dead = ".a.ba-package-0000000000abc.tmp"
    let alive = ".a.ba-package-0000000000xyz.tmp"
    let others = [".b.ba-package-0000000000abc.tmp", ".a.ba-package-abc.tmp", "a.tmp", ".a.tmp"]
    try folder.write(dead, [1])
    try folder.write(alive, [2])
    for name in others { try folder.write(name, [3]) }
    let holder = try FileDescriptor.reading(folder.path(alive))
    #expect(holder.lock() == .taken)
    var removed: [BytePath] = []
    _ = try AtomicOutput(folder.path("a"), replacing: false) { removed.append($0) }
    #expect(removed == [folder.path(dead)])
    #expect(try folder.names() == ([alive] + others).sorted())
  }
}
