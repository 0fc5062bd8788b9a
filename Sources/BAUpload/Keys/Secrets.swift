import BAPackCore

/// Whether `text` holds a private key or a token: PEM, also with escaped line feeds or without its
/// first line, PEM in Base64, or a token. Such a text must not be shown, whatever it was given as.
package func hasSecret(_ text: some Sequence<UInt8>) -> Bool {
  let text = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
  return keyMarks.contains { text.contains($0) } || withoutTokens(text) != text
}

private let keyMarks = [
  "-----BEGIN",
  // The same in Base64, at each of the three places within a group.
  "LS0tLS1CRUdJTi", "0tLS0tQkVHSU4", "tLS0tLUJFR0lO",
  // How a key on an elliptic curve begins in PKCS #8.
  "MBMGByqGSM49",
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
