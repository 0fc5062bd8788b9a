import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Runs `body` with a copy of the sample game that also contains, in `Odd/`, violations of the
/// rules about files: broken links, a pipe, names that clash, code, stray files, stubs.
func withOddRepository(_ body: (BytePath) throws -> Void) throws {
  let files = FileManager.default
  let root = files.temporaryDirectory.appendingPathComponent("odd-\(UUID().uuidString)")
  defer { try? files.removeItem(at: root) }
  try files.copyItem(at: Fixtures.root.appendingPathComponent("SampleGame"), to: root)
  let odd = root.appendingPathComponent("Odd")

  func write(_ path: String, _ bytes: [UInt8] = Array("odd\n".utf8)) throws {
    let file = odd.appendingPathComponent(path)
    try files.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
  func link(_ path: String, to target: String) throws {
    let file = odd.appendingPathComponent(path)
    try files.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: file.path, withDestinationPath: target)
  }

  try link("Links/inside.txt", to: "../../Credits.txt")
  try link("Links/dangling.txt", to: "nowhere.txt")
  try link("Links/loop.txt", to: "loop.txt")
  try link("Links/outside.txt", to: "/etc/passwd")
  try write("Special/plain.txt")
  #expect(unsafe mkfifo(odd.path + "/Special/pipe", 0o600) == 0)
  try write("Latin1/plain.txt")
  // Rejected by some file systems, for which the fixtures are skipped.
  createFile(Array((odd.path + "/Latin1/K").utf8) + [0xFC] + Array("ste.txt".utf8))
  try write("Stray/plain.txt")
  try write("Stray/.DS_Store")
  try write("Stray/Sub/.DS_Store")
  try write("Stray/Thumbs.db")
  try write("Case/Readme.txt")
  try write("Case/README.txt")
  try write("Case/Sub/a.txt")
  try write("Case/sub/a.txt")
  try write("Normalization/plain.txt")
  for name in ["\u{E9}.txt", "e\u{301}.txt"] {
    createFile(Array((odd.path + "/Normalization/" + name).utf8))
  }
  let padding = [UInt8](repeating: 0, count: 32)
  try write("Code/tool", image(1))
  try write("Code/phone", image(2))
  // A universal binary with images for iOS and Mac Catalyst.
  let entries = [48, 104].flatMap { (start: UInt8) -> [UInt8] in
    [1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, start, 0, 0, 0, 56, 0, 0, 0, 3]
  }
  try write(
    "Code/universal", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2] + entries + image(2) + image(6))
  try write("Code/Main.class", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52] + padding)
  try write("Code/picture.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + padding)
  let pointer = """
    version https://git-lfs.github.com/spec/v1
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
    size 12345

    """
  try write("Stubs/rock.tga", Array(pointer.utf8))
  try write("Merge/plain.txt")
  try write(
    "Merge/a.json", Array("{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> b\n}\n".utf8))
  try write("Sources/rock.xcf")
  try write("Sources/cliff.XCF")
  try write("Sources/rock.png")
  try write("Sources/rock.png.import")
  try write("Sources/world.import")
  try write("Empty/rock.tga", [])
  try write("Empty/plain.txt")
  try body(BytePath(root.path.utf8))
}

/// The fixtures whose files are possible on the volume of `repository`: Apple's reject names that
/// aren't UTF-8, ignore normalization, and usually case too.
func possible(_ fixtures: [MarkedFixture], in repository: BytePath) throws -> [MarkedFixture] {
  try fixtures.filter { fixture in
    for (folder, count) in [("Latin1", 2), ("Case", 4), ("Normalization", 3)]
    where String(decoding: fixture.source.bytes, as: UTF8.self).contains("Odd/\(folder)") {
      let path = repository.appending("Odd/\(folder)".utf8)
      guard try path.names().count == count else {
        print("\(fixture.path): skipped, this file system can't hold its files")
        return false
      }
    }
    return true
  }
}

/// Creates a file whose name need not be UTF-8, if the file system allows it.
private func createFile(_ path: [UInt8]) {
  let descriptor = unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
    unsafe $0.baseAddress.map { unsafe open($0, O_CREAT | O_WRONLY, 0o644) } ?? -1
  }
  if descriptor >= 0 {
    // An empty file would be a finding.
    _ = unsafe write(descriptor, [UInt8(ascii: "x")], 1)
    close(descriptor)
  }
}

/// A Mach-O file with a load command for this platform, LC_BUILD_VERSION.
func image(_ platform: UInt8) -> [UInt8] {
  [0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    + [1, 0, 0, 0, 24, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
    + [0x32, 0, 0, 0, 24, 0, 0, 0, platform] + [UInt8](repeating: 0, count: 15)
}
