import BAPackCore
import Foundation
import Testing

@Suite struct ErrorTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The error of opening a file with these bytes as a pack.
  private func error(opening bytes: some Sequence<UInt8>) throws -> PackError? {
    let path = try scratch.write("a.aar", bytes)
    return #expect(throws: PackError.self) { try PackIndex.read(path) }
  }

  @Test func whatIsNoPackIsToldFromADamagedOne() throws {
    let text = try error(opening: "Hello, reader of packs\n".utf8)
    #expect(text?.code == .notAPack && text?.damage?.reason.rawValue == "not-an-archive")
    #expect(text?.path == scratch.path("a.aar"))
    #expect(try error(opening: [])?.code == .notAPack)
    #expect(try error(opening: "PK\u{3}\u{4}".utf8)?.damage?.reason.rawValue == "zip")
    let cut = try error(opening: "pbzz".utf8 + [0, 0, 0, 0, 0, 16, 0, 0, 1])
    #expect(cut?.code == .damaged && cut?.damage?.reason.rawValue == "block-header-cut")
    #expect(cut?.damage?.place.file == 12)
  }

  @Test func theSystemsErrorsHaveCodes() throws {
    let gone = #expect(throws: PackError.self) { try PackIndex.read(scratch.path("gone.aar")) }
    #expect(gone?.code == .notFound && gone?.path == scratch.path("gone.aar"))
    #expect(gone?.errno == ENOENT && gone?.damage == nil)
    let folder = #expect(throws: PackError.self) { try PackIndex.read(scratch.path("")) }
    #expect(folder?.code == .isFolder)
  }
}
