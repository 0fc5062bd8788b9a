import BAPackCore
import Foundation
import TestSupport
import Testing

@Suite struct FileChecksumsTests {
  /// Files that are completely covered by checksums, except for this number of bytes.
  static let files: [(name: String, kind: FileChecksums.Kind, uncovered: Int)] = [
    ("image.png", .png, 8), ("tone.ogg", .ogg, 0), ("tone.oga", .ogg, 0),
    // The signature and the blocks before the first frame have none.
    ("tone.flac", .flac, 108),
  ]
  static let zips = ["members.zip", "streamed.zip", "nothing.zip", "locked.zip"]
  static var names: [String] { files.map(\.name) + zips }

  @Test(arguments: files) func aWholeFileIsCovered(
    name: String, kind: FileChecksums.Kind, uncovered: Int
  ) throws {
    let bytes = try read(name)
    let checks = try check(bytes)
    #expect(checks.kind == kind)
    #expect(checks.log.problems.isEmpty)
    #expect(checks.log.covered == UInt64(bytes.count - uncovered))
  }

  /// Their directories have no checksum, nor do members that are encrypted or use other compression
  /// methods.
  @Test(arguments: [
    ("members.zip", 300 + 19), ("streamed.zip", 304 + 19 + 100 + 19), ("nothing.zip", 0),
    ("locked.zip", 0),
  ]) func theDataOfZIPMembersAreCovered(name: String, covered: Int) throws {
    let checks = try check(try read(name))
    #expect(checks.kind == .zip)
    #expect(checks.log.problems.map(\.message) == [])
    #expect(checks.log.covered == UInt64(covered))
  }

  @Test(arguments: names, [1, 5, 64]) func piecesOfAnySizeGiveTheSame(
    name: String, pieceSize: Int
  ) throws {
    var bytes = try read(name)
    for damaged in [false, true] {
      if damaged { bytes[bytes.count / 3] ^= 4 }
      let whole = try check(bytes)
      let inPieces = try check(bytes, pieceSize: pieceSize)
      #expect(inPieces.log.problems.map(\.message) == whole.log.problems.map(\.message))
      #expect(inPieces.log.problems.map(\.offset) == whole.log.problems.map(\.offset))
      #expect(inPieces.log.covered == whole.log.covered)
    }
  }

  /// A change of any covered byte is found at the right location.
  @Test(arguments: files.map(\.name)) func everyChangedByteIsFound(name: String) throws {
    let bytes = try read(name)
    let start = name == "image.png" ? 4 : name == "tone.flac" ? 108 : 4
    for offset in start..<bytes.count {
      var changed = bytes
      changed[offset] ^= 0x10
      let log = try check(changed).log
      #expect(!log.problems.isEmpty, "byte \(offset)")
      #expect(log.problems.allSatisfy { $0.offset <= UInt64(bytes.count) })
    }
  }

  /// Reading a truncated file terminates, and reports that the rest is missing.
  @Test(arguments: ["image.png", "members.zip", "streamed.zip", "tone.ogg"])
  func everyCutIsFound(name: String) throws {
    let bytes = try read(name)
    // A comment at the end of a zip file may be truncated, and so may an Ogg file between two
    // pages.
    let end = name == "members.zip" ? bytes.count - 9 : bytes.count
    var pages = Set<Int>()
    if name == "tone.ogg" {
      for offset in 4..<bytes.count where bytes[offset...].starts(with: "OggS".utf8) {
        pages.insert(offset)
      }
    }
    for count in 4..<end where !pages.contains(count) {
      let log = try check(Array(bytes.prefix(count))).log
      #expect(log.problems.last?.reason == .fileStructure, "\(count) bytes")
    }
  }

  /// The report of a change: the changed byte, the location, the message.
  @Test(arguments: [
    (
      "image.png", 4, 0x80, 4,
      "the signature of a PNG image is damaged; were its line breaks converted"
    ),
    ("image.png", 6, 1, 4, "the signature of a PNG image is damaged"),
    ("image.png", 12, 0x80, 8, "the header of a PNG chunk is damaged"),
    ("image.png", 20, 1, 8, "the CRC-32 of the PNG chunk 'IHDR' is "),
    ("image.png", 50, 1, 33, "the CRC-32 of the PNG chunk 'tEXt' is "),
    ("members.zip", 50, 1, 0, "the CRC-32 of the zip member 'stored.bin' is "),
    ("members.zip", 415, 6, 377, "the data of the zip member can't be inflated ("),
    ("members.zip", 420, 1, 377, "the CRC-32 of the zip member 'text.txt' is "),
    ("tone.ogg", 5, 1, 0, "the CRC-32 of the Ogg page is "),
    ("tone.flac", 120, 1, 108, "the CRC-16 of FLAC frame 0 is wrong"),
  ]) func damageIsNamed(
    name: String, byte: Int, mask: UInt8, place: UInt64, message: String
  ) throws {
    var bytes = try read(name)
    bytes[byte] ^= mask
    let first = try #require(try check(bytes).log.problems.first)
    #expect(first.offset == place)
    #expect(first.message.hasPrefix(message), "\(first.message)")
  }

  /// Line breaks were converted, as by a wrong `.gitattributes`.
  @Test func anImageTransferredAsTextIsRecognized() throws {
    let bytes = try read("image.png")
    let converted = Array(bytes[..<4]) + bytes[5...]
    let log = try check(converted).log
    #expect(
      log.problems.map(\.message) == [
        "the signature of a PNG image is damaged; were its line breaks converted as if it were a text?"
      ])
  }

  @Test func theDirectoryOfAZIPFileIsCompared() throws {
    let bytes = try read("members.zip")
    let central = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    func messages(_ change: (inout [UInt8]) -> Void) throws -> [String] {
      var changed = bytes
      change(&changed)
      return try check(changed).log.problems.map(\.message)
    }
    let crc = try messages { $0[central + 16] ^= 1 }
    #expect(crc.count == 1)
    #expect(crc[0].hasPrefix("the CRC-32 of the zip member 'stored.bin' is "))
    #expect(
      try messages { $0[central + 20] ^= 1 } == [
        "the zip directory has other sizes of the member 'stored.bin' than its header"
      ])
    #expect(
      try messages { $0[central + 46] ^= 1 } == [
        "the zip directory has another name for the member 'rtored.bin' than its header"
      ])
    #expect(
      try messages { $0[central + 42] ^= 1 } == [
        "the zip directory has the member 'stored.bin' at byte 1, where none begins"
      ])
    let end = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 5, 6]) })
    #expect(
      try messages { $0[end + 10] ^= 1 } == [
        "the zip directory has 5 members, but its end says 4"
      ])
  }

  /// Android's packages have a signing block there.
  @Test func bytesBetweenMembersAndDirectoryAreIgnored() throws {
    var bytes = try read("members.zip")
    let central = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    bytes.insert(contentsOf: [UInt8](repeating: 0x50, count: 100), at: central)
    #expect(try check(bytes).log.problems.isEmpty)
  }

  @Test(arguments: ["image.png", "tone.ogg", "tone.oga"])
  func bytesAfterTheEndAreIgnored(name: String) throws {
    let bytes = try read(name) + Array("anything".utf8)
    #expect(try check(bytes).log.problems.isEmpty)
  }

  @Test func tagsAtTheEndOfFLACFilesAreIgnored() throws {
    let bytes = try read("tone.flac")
    for tag in [Array("TAG".utf8) + [UInt8](repeating: 1, count: 125), Array("APETAGEX1234".utf8)] {
      #expect(try check(bytes + tag).log.problems.isEmpty)
    }
    #expect(try check(bytes + Array("anything".utf8)).log.problems.count == 1)
  }

  @Test func lostFLACFramesAreReportedOnce() throws {
    let bytes = try read("tone.flac")
    let frames = bytes.indices.filter { bytes[$0...].starts(with: [0xFF, 0xF8]) }
    var changed = bytes
    // The number and the CRC-8 of the second header.
    changed[frames[1] + 4] ^= 1
    let log = try check(changed).log
    #expect(log.problems.map(\.message) == ["the CRC-16 of FLAC frame 0 is wrong"])
  }

  @Test func inflatingHasALimit() throws {
    let log = try check(try read("members.zip"), limit: 100).log
    #expect(log.problems.map(\.reason) == [.limit])
  }

  @Test(arguments: ["", "PK", "PKPK", "\u{89}PNG", "hello, harbour"])
  func otherFilesHaveNoChecksums(text: String) throws {
    let checks = try check(Array(text.utf8))
    #expect(checks.kind == nil)
    #expect(checks.log.problems.isEmpty)
  }

  /// The check values of the catalogue of parametrised CRC algorithms, left-aligned.
  @Test func crcsAreThoseOfTheCatalogue() {
    let digits = Array("123456789".utf8)[...]
    #expect(ForwardCRC.flacFrame.updated(0, digits) == 0xFEE8_0000)
    #expect(ForwardCRC.flacHeader.updated(0, digits) == 0xF400_0000)
    // CRC-32/CKSUM without its final inversion.
    #expect(ForwardCRC.oggPage.updated(0, digits) == ~0x765E_7680)
  }

  private func read(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: Fixtures.root.appending(path: "checksums/\(name)")))
  }

  private func check(
    _ bytes: [UInt8], pieceSize: Int = .max, limit: UInt64 = 1 << 30
  ) throws -> FileChecksums {
    var checks = FileChecksums(
      size: UInt64(bytes.count), inflater: try DeflateChecker(limit: limit))
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieceSize))
      unsafe checks.update(piece.span.bytes)
      rest = rest.dropFirst(piece.count)
    }
    checks.finish()
    return checks
  }
}
