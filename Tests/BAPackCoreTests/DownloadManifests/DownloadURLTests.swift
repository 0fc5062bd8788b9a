import BAPackCore
import Testing

@Test(arguments: [
  ("https://cdn.example.com/packs", "Tutorial", "https://cdn.example.com/packs/Tutorial"),
  ("https://cdn.example.com/packs/", "Tutorial", "https://cdn.example.com/packs/Tutorial"),
  ("https://cdn.example.com///", "a.b-c_d~e", "https://cdn.example.com/a.b-c_d~e"),
  ("HTTPS://cdn.example.com", "Level 1", "HTTPS://cdn.example.com/Level%201"),
  ("https://h/a%20b", "a/b", "https://h/a%20b/a%2Fb"),
  ("https://[::1]:8443/x", "100%", "https://[::1]:8443/x/100%25"),
  ("https://h", "a?b#c&d=e+f", "https://h/a%3Fb%23c%26d%3De%2Bf"),
  ("https://h", "line\nbreak\r\"quoted\"\\", "https://h/line%0Abreak%0D%22quoted%22%5C"),
  ("https://h", "Gruß", "https://h/Gru%C3%9F"),
  ("https://h", "Gru\u{DF}\u{301}", "https://h/Gru%C3%9F%CC%81"),
  ("https://h", "...", "https://h/..."),
])
func identifiersAreAppendedAsOnePartOfThePath(base: String, id: String, url: String) throws {
  let base = try DownloadBaseURL(Array(base.utf8))
  #expect(base.isSecure)
  #expect(base.url(of: id) == url)
}

@Test(arguments: ["", ".", ".."]) func identifiersThatClientsResolveAreRejected(id: String) throws {
  #expect(try DownloadBaseURL(Array("https://h".utf8)).url(of: id) == nil)
}

@Test(arguments: ["http://192.168.0.2:8000", "ftp://h/x"]) func otherSchemesAreInsecure(
  base: String
)
  throws
{
  #expect(try !DownloadBaseURL(Array(base.utf8)).isSecure)
}

@Test(arguments: [
  ("", "it must begin with a scheme such as 'https://'"),
  ("cdn.example.com/packs", "it must begin with a scheme such as 'https://'"),
  ("https:/cdn", "it must begin with a scheme such as 'https://'"),
  ("1https://h", "it must begin with a scheme such as 'https://'"),
  ("://h", "it must begin with a scheme such as 'https://'"),
  ("https://", "it has no host"),
  ("https:///packs", "it has no host"),
  ("https://:8000/packs", "it has no host"),
  ("https://h/a b", "' ' is not allowed in a URL; percent-encode it"),
  ("https://h/\n", "'\\n' is not allowed in a URL; percent-encode it"),
  ("https://h/\"", "'\"' is not allowed in a URL; percent-encode it"),
  ("https://h\\a", "'\\\\' is not allowed in a URL; percent-encode it"),
  ("https://h/ß", "'\\xC3' is not allowed in a URL; percent-encode it"),
  ("https://h/a%2", "two hexadecimal digits must follow each '%'"),
  ("https://h/a%zz", "two hexadecimal digits must follow each '%'"),
  (
    "https://h/a?key=1",
    "it must end with a path, because the identifier of the pack is appended; remove the part "
      + "after '?'"
  ),
  (
    "https://h/a#b",
    "it must end with a path, because the identifier of the pack is appended; remove the part "
      + "after '#'"
  ),
])
func textsThatAreNoBaseAreRefused(base: String, reason: String) {
  #expect(throws: PackagingError(reason)) {
    try DownloadBaseURL(Array(base.utf8))
  }
}

@Test func invalidBaseURLsOfPlansAreReported() {
  #expect {
    try DownloadManifestPlan.Packs(["a.aar"], platforms: [.iOS], base: "https://h/a b")
  } throws: {
    "\($0)" == "invalid base URL 'https://h/a b': ' ' is not allowed in a URL; percent-encode it"
  }
}
