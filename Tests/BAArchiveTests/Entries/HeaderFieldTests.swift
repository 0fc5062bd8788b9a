import BAArchive
import Testing

private func encoded(_ field: EntryField) -> String {
  var bytes: [UInt8] = []
  field.append(to: &bytes)
  return String(decoding: bytes.prefix(4), as: UTF8.self) + " " + hexadecimal(bytes.dropFirst(4))
}

/// Two headers of an archive written by Apple's Shortcuts: the root directory and a file.
@Test func encodesGenuineHeaders() {
  let time = ArchiveTime(seconds: 1_700_581_569, nanoseconds: 583_566_495)
  let root = encodeHeader([
    .integer("TYP", 0x44), .string("PAT", []), .integer("MOD", 0o755), .time("MTM", time),
  ])
  #expect(
    hexadecimal(root, uppercase: true)
      == "41413031" + "2700" + "5459503144" + "504154500000" + "4D4F4432ED01"
      + "4D544D54C1D05C65000000009F84C822")
  let file = encodeHeader([
    .integer("TYP", 0x46), .string("PAT", Array("Shortcut.wflow".utf8)), .integer("MOD", 0o644),
    .time("MTM", time), .blob("DAT", size: 145_199),
  ])
  #expect(
    hexadecimal(file, uppercase: true)
      == "41413031" + "3D00" + "5459503146" + "504154500E00" + "53686F72746375742E77666C6F77"
      + "4D4F4432A401" + "4D544D54C1D05C65000000009F84C822" + "444154422F370200")
}

/// The same entries in a layout, with that time.
@Test func entriesEncodeAsGenuineHeaders() throws {
  let time = ArchiveTime(seconds: 1_700_581_569, nanoseconds: 583_566_495)
  let file = ArchiveEntry(
    try #require(RelativePath("Shortcut.wflow".utf8)),
    .file(.bytes([]), size: 145_199, isExecutable: false))
  #expect(
    hexadecimal(ArchiveEntry(.root, .directory).header(modified: time))
      == "4141303127005459503144504154500000" + "4d4f4432ed014d544d54c1d05c65000000009f84c822")
  #expect(
    hexadecimal(file.header(modified: time))
      == "414130313d005459503146504154500e0053686f72746375742e77666c6f77"
      + "4d4f4432a4014d544d54c1d05c65000000009f84c822444154422f370200")
}

@Test(arguments: [
  (UInt64(0), "MOD1 00"), (0o377, "MOD1 ff"), (0o400, "MOD2 0001"), (0o7777, "MOD2 ff0f"),
  (0xFFFF, "MOD2 ffff"), (0x1_0000, "MOD4 00000100"), (0xFFFF_FFFF, "MOD4 ffffffff"),
  (0x1_0000_0000, "MOD8 0000000001000000"), (.max, "MOD8 ffffffffffffffff"),
])
func integersTakeTheSmallestWidth(value: UInt64, bytes: String) {
  #expect(encoded(.integer("MOD", value)) == bytes)
}

@Test(arguments: [
  (UInt64(0), "DATA 0000"), (65_535, "DATA ffff"), (65_536, "DATB 00000100"),
  (0xFFFF_FFFF, "DATB ffffffff"), (0x1_0000_0000, "DATC 0000000001000000"),
  (.max, "DATC ffffffffffffffff"),
])
func blobsTakeTheSmallestWidth(size: UInt64, bytes: String) {
  #expect(encoded(.blob("DAT", size: size)) == bytes)
}

@Test(arguments: [
  (ArchiveTime(seconds: 0), "MTMS 0000000000000000"),
  (ArchiveTime(seconds: 0, nanoseconds: 1), "MTMT 000000000000000001000000"),
  (.constant, "MTMS 80c84f3a00000000"),
  (ArchiveTime(seconds: -1), "MTMS ffffffffffffffff"),
  (ArchiveTime(seconds: -1, nanoseconds: 999_999_999), "MTMT ffffffffffffffffffc99a3b"),
])
func timesWithoutNanosecondsAreShort(time: ArchiveTime, bytes: String) {
  #expect(encoded(.time("MTM", time)) == bytes)
}

@Test func stringsArePrefixedWithTheirLength() {
  #expect(encoded(.string("PAT", [])) == "PATP 0000")
  #expect(encoded(.string("PAT", [0x61, 0xC3, 0xA9])) == "PATP 0300" + "61c3a9")
  let long = [UInt8](repeating: 0x61, count: 1023)
  #expect(encoded(.string("PAT", long)).hasPrefix("PATP ff03" + "6161"))
}

@Test(arguments: [(false, "a401"), (true, "ed01")])
func filesHaveOneOfTwoModes(isExecutable: Bool, mode: String) throws {
  let entry = ArchiveEntry(
    try #require(RelativePath("run".utf8)), .file(.bytes([]), size: 0, isExecutable: isExecutable))
  #expect(
    hexadecimal(entry.header(modified: .constant))
      == "414130312c00" + "5459503146" + "504154500300" + "72756e" + "4d4f4432" + mode
      + "4d544d5380c84f3a00000000" + "444154410000")
}
