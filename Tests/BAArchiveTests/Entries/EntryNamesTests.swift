import BAArchive
import Testing

@Suite struct EntryNamesTests {
  private func entry(_ path: String, type: Unicode.Scalar = "F", number: Int = 0) throws
    -> PackEntry
  {
    let header = encodeHeader([
      .integer("TYP", UInt64(type.value)), .string("PAT", Array(path.utf8)),
    ])
    return try decodeHeader(header, number: number, offset: 0).entry
  }

  @Test func directoriesWithoutEntriesAreLimited() throws {
    var names = EntryNames()
    // The longest path has hundreds of components, each of one byte.
    let deep = String(repeating: "/a", count: 500)
    var refused: ArchiveDamage?
    for number in 0..<300 where refused == nil {
      let entry = try entry("\(number)\(deep)", number: number)
      do throws(ArchiveDamage) {
        try names.add(entry)
      } catch {
        refused = error
      }
    }
    #expect(refused?.reason == .limit)
    #expect(refused?.place.entry == 200)
  }

  @Test func directoriesMayFollowTheirContents() throws {
    var names = EntryNames()
    for number in 0..<300 {
      var path = "\(number)" + String(repeating: "/a", count: 500)
      try names.add(try entry(path, number: 2 * number))
      while let slash = path.lastIndex(of: "/") {
        path = String(path[..<slash])
        try names.add(try entry(path, type: "D", number: 2 * number + 1))
      }
    }
  }

  @Test func metadataIsNotAFile() throws {
    #expect(try entry("Contents/x", type: "M").gamePath == nil)
    #expect(try entry("Contents/x").path.description == "x")
  }

  @Test func expandingCaseFoldingsClash() throws {
    var names = EntryNames()
    try names.add(try entry("STRASSE"))
    #expect(names.clash == nil)
    try names.add(try entry("stra\u{DF}e", number: 1))
    #expect(names.clash?.reason == .pathClash)
  }
}
