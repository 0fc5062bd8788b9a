import BAFiles
import BATestSupport
import Foundation
import Testing

/// The examples of FIPS 180-4, as NIST publishes them.
@Test(arguments: [
  ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  (
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
  ),
  (
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
      + "lmnopqrsmnopqrstnopqrstu",
    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
  ),
])
func sha256GivesThePublishedDigests(message: String, digest: String) {
  #expect(hexadecimal(SHA256.digest(of: Array(message.utf8))) == digest)
}

/// The long example of FIPS 180-4.
@Test func sha256OfAMillionLettersIsThePublishedOne() {
  let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
  #expect(
    hexadecimal(SHA256.digest(of: message))
      == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
}

/// The test suite of RFC 1321.
@Test(arguments: [
  ("", "d41d8cd98f00b204e9800998ecf8427e"),
  ("a", "0cc175b9c0f1b6a831c399e269772661"),
  ("abc", "900150983cd24fb0d6963f7d28e17f72"),
  ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
  ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
  (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    "d174ab98d277d9f5a5611c2c9f419d9f"
  ),
  (
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    "57edf4a22be3c955ac49da2e2107b67a"
  ),
])
func md5GivesThePublishedDigests(message: String, digest: String) {
  #expect(hexadecimal(MD5.digest(of: Array(message.utf8))) == digest)
}

/// All lengths around the limits of blocks and padding: the digest of all digests, computed by
/// Python's hashlib.
@Test func everyLengthIsPaddedCorrectly() {
  let pattern = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
  let sha256 = "7b074096cabb18dd0d1b468a173cb2f97f80e952525bca29542e606fd6d0753a"
  #expect(digestOfDigests(SHA256.self, pattern) == sha256)
  #expect(digestOfDigests(SoftwareSHA256.self, pattern) == sha256)
  #expect(digestOfDigests(MD5.self, pattern) == "7822672476780d31feb48545a90bc2ae")
}

private func digestOfDigests<D: BlockDigest>(_ type: D.Type, _ pattern: [UInt8]) -> String {
  var outer = D()
  for length in pattern.indices { outer.update(D.digest(of: Array(pattern[..<length]))) }
  return hexadecimal(outer.finalize())
}

@Test func piecesGiveTheDigestOfTheWhole() {
  let message = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  let whole = SHA256.digest(of: message)
  for cut in message.indices {
    for second in stride(from: cut, to: message.count, by: 13) {
      var digest = SHA256()
      digest.update(Array(message[..<cut]))
      digest.update(Array(message[cut..<second]))
      digest.update(Array(message[second...]))
      #expect(digest.finalize() == whole)
    }
  }
}

@Test func finalizeLeavesTheMessageOpen() {
  var digest = SHA256()
  digest.update(Array("ab".utf8))
  _ = digest.finalize()
  digest.update(Array("c".utf8))
  #expect(digest.finalize() == SHA256.digest(of: Array("abc".utf8)))
}

/// The system's own tools agree on a large file, added in uneven pieces.
@Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sha256sum")))
func largeFilesAgreeWithTheSystem() throws {
  let seed: UInt64 = 13
  var generator = SeededGenerator(seed: seed)
  let message = (0..<1_048_583).flatMap { _ in
    let word = generator.next()
    return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
  }
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("digest-\(ProcessInfo.processInfo.globallyUniqueString)")
  try Data(message).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  var (sha256, md5) = (SHA256(), MD5())
  var start = 0
  while start < message.count {
    let end = min(message.count, start + Int(generator.next() % 300_000))
    sha256.update(Array(message[start..<end]))
    md5.update(Array(message[start..<end]))
    start = end
  }
  #expect(try checksum("sha256sum", file) == hexadecimal(sha256.finalize()), "seed \(seed)")
  #expect(try checksum("md5sum", file) == hexadecimal(md5.finalize()), "seed \(seed)")
}

private func checksum(_ tool: String, _ file: URL) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
  process.arguments = [file.path]
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: output, as: UTF8.self).split(separator: " ").first.map(String.init) ?? ""
}

/// The implementation for processors without SHA-256 instructions.
private struct SoftwareSHA256: BlockDigest {
  private var sha256 = SHA256()

  init() {}

  var pending: PendingBlock {
    get { sha256.pending }
    set { sha256.pending = newValue }
  }
  var stateBytes: [UInt8] { sha256.stateBytes }
  static func lengthField(_ bits: UInt64) -> [UInt8] { SHA256.lengthField(bits) }
  mutating func compress(_ blocks: RawSpan) { sha256.compressBySoftware(blocks) }
}
