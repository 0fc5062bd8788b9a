import BAPackCore
import BAUpload
import Foundation
import Testing

/// Tokens, verified with openssl.
@Suite struct TokenTests {
  private static let hasOpenSSL = (try? run("openssl", "version")) != nil

  @Test(.enabled(if: hasOpenSSL, "openssl is not installed (make test-tools installs it)"))
  func opensslAcceptsTheSignature() throws {
    let folder = try ScratchFolder()
    let pem = try Self.run(
      "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    let key = folder.file("key.pem", pem)
    try Data(Self.run("openssl", "pkey", "-in", key, "-pubout"))
      .write(to: URL(filePath: folder.path("public.pem")))
    let apiKey = try APIKey(
      id: "ABCDE12345", issuer: "57246542-96fe-1a63-e053-0824d011072a", pem: Array(pem),
      source: "test")
    // Two hundred signatures include integers with a leading zero byte and with the high bit set.
    for index in 0..<200 {
      let token = try #require(apiKey.token(now: 1_700_000_000 + index))
      let parts = token.split(separator: ".").map(String.init)
      try #require(parts.count == 3)
      let signature = try #require(Base64.decode(Array(parts[2].utf8)))
      #expect(signature.count == 64)
      if index >= 8, signature[0] != 0, signature[32] != 0 { continue }
      let message = folder.file("message", Data("\(parts[0]).\(parts[1])".utf8))
      let file = folder.file("signature", Data(Self.der(signature)))
      let answer = try Self.run(
        "openssl", "dgst", "-sha256", "-verify", folder.path("public.pem"), "-signature", file,
        message)
      #expect(String(decoding: answer, as: UTF8.self) == "Verified OK\n")
    }
  }

  /// What may be a part of a key in the place of a name isn't shown; what names look like is.
  @Test func partsOfKeysAreKnown() {
    var random = SystemRandomNumberGenerator()
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in random.next() } }
    var unknown = 0
    for size in 48..<96 {
      for _ in 0..<40 {
        let text = Array(Data(bytes(size)).base64EncodedString().utf8)
        unknown += mayBeSecret(text) && mayBeSecret(Array("--key=".utf8) + text) ? 0 : 1
        let hexadecimal = bytes(size).map { String(format: "%02x", $0) }.joined()
        #expect(
          mayBeSecret(Array(hexadecimal.utf8))
            && mayBeSecret(hexadecimal.uppercased().utf8.map(\.self)))
        let digest = hexadecimal.prefix(64)
        #expect(!mayBeSecret(Array(digest.utf8)), "\(digest)")
        let name = (0..<6).map { _ in
          ["harbour", "Level", "de", "2026", "textures", "HD"].randomElement(using: &random) ?? ""
        }.joined(separator: ["-", "_", "."].randomElement(using: &random) ?? "")
        #expect(!mayBeSecret(Array(name.utf8)), "\(name)")
      }
    }
    // By chance, random bytes can look like words, seldom.
    #expect(unknown < 48 * 40 / 20, "\(unknown)")
  }

  @Test(.enabled(if: hasOpenSSL, "openssl is not installed (make test-tools installs it)"))
  func tokensHaveTheirClaims() throws {
    let pem = try Self.run(
      "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    let team = try APIKey(id: "K", issuer: "I", pem: Array(pem), source: "test")
    let individual = try APIKey(id: "K", issuer: nil, pem: Array(pem), source: "test")
    let header = #"{"alg":"ES256","kid":"K","typ":"JWT"}"#
    let times = #""iat":999990,"exp":1000600,"aud":"appstoreconnect-v1"}"#
    #expect(Self.claims(team.token(now: 1_000_000)) == [header, #"{"iss":"I","# + times])
    #expect(Self.claims(individual.token(now: 1_000_000)) == [header, #"{"sub":"user","# + times])
  }

  @Test func idsAreChecked() {
    #expect(throws: StoreError.self) {
      try APIKey(id: "A/B", issuer: nil, pem: [], source: "test")
    }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
    ("\u{FF}\u{FE}?", "w7_Dvj8"),
  ])
  func base64(_ text: String, _ encoded: String) {
    #expect(Base64.urlEncode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(Array(encoded.utf8)) == Array(text.utf8))
    #expect(Base64.decode(Array((encoded + "=\n").utf8)) == Array(text.utf8))
  }

  @Test func otherLettersAreNotBase64() {
    #expect(Base64.decode(Array("Zm9*".utf8)) == nil)
  }

  /// The first two parts of a token.
  private static func claims(_ token: String?) -> [String] {
    (token ?? "").split(separator: ".").prefix(2).map {
      String(decoding: Base64.decode(Array($0.utf8)) ?? [], as: UTF8.self)
    }
  }

  /// The signature in openssl's form: a sequence of two integers.
  private static func der(_ signature: [UInt8]) -> [UInt8] {
    let integers = [signature.prefix(32), signature.suffix(32)].map { half -> [UInt8] in
      var digits = Array(half.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(integers.joined().count)] + integers.joined()
  }

  /// The output of a program.
  @discardableResult
  private static func run(_ words: String...) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return data
  }
}

/// A new folder, removed by `deinit`.
struct ScratchFolder: ~Copyable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// Writes a file, and returns its path.
  func file(_ name: String, _ data: Data) -> String {
    _ = FileManager.default.createFile(atPath: path(name), contents: data)
    return path(name)
  }
}
