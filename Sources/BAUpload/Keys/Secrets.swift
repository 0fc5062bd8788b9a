import BAPackCore

/// Whether `text` holds a private key or a token: PEM, also with escaped line feeds or without its
/// first line, PEM in Base64, or a token. Such a text must not be shown, whatever it was given as.
package func hasSecret(_ text: some Sequence<UInt8>) -> Bool {
  let text = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
  return keyMarks.contains { text.contains($0) } || withoutTokens(text) != text
}

/// Whether a word of the command line, or of a variable, must not be shown: it holds a secret, or what
/// looks like a part of a key in whatever form, and nothing exists at this path.
package func mayBeSecret(_ word: [UInt8]) -> Bool {
  if hasSecret(word) { return true }
  let value =
    word.starts(with: "--".utf8) ? word.drop { $0 != UInt8(ascii: "=") }.dropFirst() : word[...]
  let runs = word.filter { $0 > 0x20 }.split {
    !ASCII.isLetter($0) && !ASCII.isDigit($0) && !"+/".utf8.contains($0)
  }
  return runs.contains { isRandom($0.filter { !"+/".utf8.contains($0) }) }
    && (try? FileStatus.following(BytePath(Array(value)))) == nil
}

/// Whether letters and digits alternate as in Base64 of random bytes, unlike those of names, or are
/// hexadecimal and more than a SHA-256 has.
private func isRandom(_ text: [UInt8]) -> Bool {
  guard text.count >= 32 else { return false }
  let hexadecimal = "0123456789abcdefABCDEF".utf8
  if text.count > 64, text.allSatisfy(hexadecimal.contains) { return true }
  enum Kind { case digit, lower, upper }
  let kinds = text.map { $0 < 0x40 ? Kind.digit : $0 < 0x60 ? .upper : .lower }
  let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
  return [.lower, .upper].allSatisfy { kind in kinds.count { $0 == kind } * 5 >= kinds.count }
    && changes * 16 >= 7 * kinds.count
}

private let keyMarks = [
  "-----BEGIN",
  // The same in Base64, at each of the three places within a group.
  "LS0tLS1CRUdJTi", "0tLS0tQkVHSU4", "tLS0tLUJFR0lO",
  // In UTF-16, with either order of bytes, and in Base64 twice.
  "AC0ALQAtA", "TFMwdExTMUNSVWRKVGlC",
  // How a key on an elliptic curve begins in PKCS #8 and in SEC 1, and what is in its second lines.
  "MBMGByqGSM49", "MHcCAQEE", "hRANCAA", "oUQDQgAE",
]

/// `text` without the queries of URLs, which may be signatures, and without tokens.
package func withoutSecrets(_ text: String) -> String {
  var result = ""
  var rest = text[...]
  while let start = rest.firstIndex(of: "?") {
    let word = rest[..<start].lastIndex { $0.isWhitespace }.map { rest[$0...] } ?? rest[...]
    guard word[..<start].contains("/") else {
      result += rest[...start]
      rest = rest[rest.index(after: start)...]
      continue
    }
    result += rest[...start] + "..."
    rest = rest[start...].drop { !$0.isWhitespace && !"\"'<>".contains($0) }
  }
  return withoutTokens(result + rest)
}

/// `text` with each token (RFC 7519), whoever made it, replaced by `[secret]`. The first two of its
/// parts are JSON objects in Base64.
private func withoutTokens(_ text: String) -> String {
  var result: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let start = rest.firstRange(of: Array("eyJ".utf8))?.lowerBound {
    let word = rest[start...].prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "-_.".utf8.contains($0)
    }
    let isToken = word.firstRange(of: Array(".eyJ".utf8)) != nil
    result += rest[..<start] + (isToken ? Array("[secret]".utf8)[...] : word)
    rest = rest[word.endIndex...]
  }
  return String(decoding: result + rest, as: UTF8.self)
}
