import BAPackCore

extension Authority {
  /// A configuration profile that installs the certificate: XML, with the extension
  /// `.mobileconfig`. It is deterministic, so installing it again replaces it.
  package func profile() throws -> [UInt8] {
    let der = try certificate.der()
    let digest = SHA256.digest(of: der)
    return Array(
      filled(
        PackageResources.authority_mobileconfig,
        [
          "@CERTIFICATE@": Base64.encode(der), "@FIRST@": uuid(digest[..<16]),
          "@SECOND@": uuid(digest[16...]), "@NAME@": escapedXML(certificate.commonName),
        ]
      ).utf8)
  }
}

/// A UUID made from 16 bytes of a digest: version 8, for custom use (RFC 9562).
private func uuid(_ bytes: ArraySlice<UInt8>) -> String {
  var bytes = Array(bytes)
  bytes[6] = bytes[6] & 0x0F | 0x80
  bytes[8] = bytes[8] & 0x3F | 0x80
  let text = hexadecimal(bytes, uppercase: true)
  var rest = text[...]
  return [8, 4, 4, 4, 12].map { count in
    defer { rest = rest.dropFirst(count) }
    return String(rest.prefix(count))
  }.joined(separator: "-")
}
