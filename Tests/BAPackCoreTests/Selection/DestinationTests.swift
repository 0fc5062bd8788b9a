import BAPackCore
import BATestSupport
import Testing

private let advice = " | exclude one of them with 'fileExclusion', or change its destination"

@Suite struct DestinationTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("a/x", "a/y", "b/x", "b/y", "c")
  }

  @Test func twoFilesWithOneDestinationAreAnError() throws {
    let first = "{directorySource: 'a', directoryDestination: 'd'}"
    let second = "{fileSource: 'c', fileDestination: 'd/x'}"
    let result = try Selecting("\(first), \(second)", in: tree)
    #expect(
      result.findings == [
        "destination-clash '\(second)': 'a/x' and 'c' both map to 'd/x' | the other selector is "
          + "here '\(first)'" + advice
      ])
    #expect(result.raw.hasErrors)
    // The one that is written first is named first.
    #expect(
      try Selecting("\(second), \(first)", in: tree).findings == [
        "destination-clash '\(first)': 'c' and 'a/x' both map to 'd/x' | the other selector is "
          + "here '\(second)'" + advice
      ])
  }

  @Test func manyClashesOfTwoSelectorsAreOneFinding() throws {
    let result = try Selecting(
      """
      {directorySource: 'a', directoryDestination: 'd'},
      {directorySource: 'b', directoryDestination: 'd'},
      {directorySource: 'a', directoryDestination: 'e'},
      """, in: tree)
    #expect(result.raw.map(\.message) == ["'a/x' and 'b/x' both map to 'd/x'"])
    #expect(
      result.files == ["d/x < a/x", "d/y < a/y", "e/x < a/x", "e/y < a/y"])
  }

  @Test func aFileAndAFolderWithOneDestinationAreAnError() throws {
    let file = "{fileSource: 'c', fileDestination: 'a'}"
    let folder = "{directory: 'a'}"
    #expect(
      try Selecting("\(folder), \(file)", in: tree).findings == [
        "destination-clash '\(file)': 'a' would be both a file, from 'c', and a folder, for 'a/x' "
          + "| the other selector is here '\(folder)'" + advice
      ])
    // 'a-b' is between 'a' and 'a/x' if paths are compared as a whole.
    try tree.write("a-b")
    let result = try Selecting("\(file), {file: 'a-b'}, {file: 'a/y'}", in: tree)
    #expect(result.raw.map(\.rule) == [.destinationClash])
    #expect(result.files == ["a < c", "a-b"])
  }

  @Test func theLengthOfPathsIsLimitedInBytes() throws {
    // 'Contents/' is 9 of 1,023 bytes.
    let part = "é" + String(repeating: "x", count: 251) + "/"
    let fits = String(repeating: part, count: 3) + String(repeating: "x", count: 252)
    let mapping: (String) -> String = { "{fileSource: 'c', fileDestination: '\($0)'}" }
    #expect(try Selecting(mapping(fits), in: tree).findings == [])
    let long = fits + "y"
    let result = try Selecting(mapping(long), in: tree)
    #expect(
      result.findings == [
        "path-too-long '\(mapping(long))': the path of '\(long)' is too long | with 'Contents/' "
          + "it has 1,024 bytes; the maximum on devices is 1,023"
      ])
    #expect(result.raw.hasErrors)
  }

  @Test func theLengthOfNamesIsLimitedInBytes() throws {
    let fits = "é" + String(repeating: "x", count: 253)
    for destination in [fits, "\(fits)/\(fits)/c"] {
      let mapping = "{fileSource: 'c', fileDestination: '\(destination)'}"
      #expect(try Selecting(mapping, in: tree).findings == [])
    }
    let long = fits + "x"
    let mapping = "{directorySource: 'a', directoryDestination: 'd/\(long)/e'}"
    // Once for everything below.
    #expect(
      try Selecting(mapping, in: tree).findings == [
        "path-too-long '\(mapping)': the name '\(long)' is too long | it has 256 bytes; the "
          + "maximum for a name is 255"
      ])
  }

  @Test func theDepthOfFoldersIsLimited() throws {
    let folder = Array(repeating: String(repeating: "d", count: 200), count: 6).joined(
      separator: "/")
    try tree.write("\(folder)/file", [])
    let result = try Selecting("{directory: '.'}", in: tree)
    #expect(result.raw.map(\.rule) == [.pathTooLong])
  }
}
