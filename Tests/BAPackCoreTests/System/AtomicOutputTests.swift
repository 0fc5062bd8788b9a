import BAPackCore
import TestSupport
import Testing

@Suite struct AtomicOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func isThereWholeOrNotAtAll() throws {
    let output = try AtomicOutput(folder.path("a.json"))
    try output.write(Array("first ".utf8))
    try output.write([])
    try output.write(Array("second".utf8))
    #expect(try folder.names().count == 1 && folder.names() != ["a.json"])
    #expect(try folder.names()[0].hasPrefix(".a.json."))
    try output.publish(replacing: false)
    #expect(try folder.names() == ["a.json"])
    #expect(try folder.contents("a.json") == Array("first second".utf8))
  }

  @Test func refusesAnExistingDestination() throws {
    let output = try AtomicOutput(folder.path("a"))
    try output.write([1])
    try folder.write("a", [9])
    do {
      try output.publish(replacing: false)
      Issue.record("published")
    } catch {
      #expect(error == SystemError("create", folder.path("a"), code: .fileExists))
    }
    #expect(try folder.contents("a") == [9])
    #expect(try folder.names() == ["a"])
  }

  @Test func replacesInOneStep() throws {
    try folder.write("a", [9])
    let old = try FileDescriptor.reading(folder.path("a"))
    let output = try AtomicOutput(folder.path("a"))
    try output.write([1, 2])
    try output.publish(replacing: true)
    #expect(try folder.contents("a") == [1, 2])
    // Whoever has the old file open keeps it.
    #expect(try old.contents(of: "a", limit: 10) == [9])
    #expect(try folder.names() == ["a"])
  }

  @Test func doesNotReplaceAFolder() throws {
    try folder.makeFolder("a")
    let output = try AtomicOutput(folder.path("a"))
    do {
      try output.publish(replacing: true)
      Issue.record("published")
    } catch {
      #expect("\(error)" == "can't replace '\(folder.path)/a': is a directory")
    }
    #expect(try folder.names() == ["a"])
  }

  @Test func leavesNothingWhenAbandoned() throws {
    do {
      let output = try AtomicOutput(folder.path("a"))
      try output.write([1])
      #expect(try folder.names().count == 1)
    }
    #expect(try folder.names() == [])
  }

  @Test func severalAtOneDestinationDoNotMeet() throws {
    let one = try AtomicOutput(folder.path("a"))
    let two = try AtomicOutput(folder.path("a"))
    try one.write([1])
    try two.write([2])
    try two.publish(replacing: false)
    try one.publish(replacing: true)
    #expect(try folder.contents("a") == [1])
    #expect(try folder.names() == ["a"])
  }

  @Test func namesTheMissingFolderInErrors() throws {
    do {
      _ = try AtomicOutput(folder.path("no/a"))
      Issue.record("made")
    } catch {
      #expect("\(error)" == "there is no folder '\(folder.path)/no' to write 'a' to; make it first")
    }
  }
}
