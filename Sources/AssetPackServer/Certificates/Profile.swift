import BAPackCore

extension Authority {
  /// A configuration profile that installs the certificate: XML, with the extension
  /// `.mobileconfig`. It is deterministic, so that installing it again replaces it.
  package func profile() throws(CertificateError) -> [UInt8] {
    let der = try certificate.der()
    let digest = SHA256.digest(of: der)
    let name = escaped(certificate.commonName)
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>PayloadContent</key>
        <array>
          <dict>
            <key>PayloadCertificateFileName</key>
            <string>authority.cer</string>
            <key>PayloadContent</key>
            <data>\(base64(der))</data>
            <key>PayloadDescription</key>
            <string>Lets this device connect to \(name).</string>
            <key>PayloadDisplayName</key>
            <string>\(name)</string>
            <key>PayloadIdentifier</key>
            <string>ba-serve.authority.\(uuid(digest[..<16]))</string>
            <key>PayloadType</key>
            <string>com.apple.security.root</string>
            <key>PayloadUUID</key>
            <string>\(uuid(digest[..<16]))</string>
            <key>PayloadVersion</key>
            <integer>1</integer>
          </dict>
        </array>
        <key>PayloadDescription</key>
        <string>Trusts the certificates of a development server for asset packs.</string>
        <key>PayloadDisplayName</key>
        <string>\(name)</string>
        <key>PayloadIdentifier</key>
        <string>ba-serve.profile.\(uuid(digest[16...]))</string>
        <key>PayloadType</key>
        <string>Configuration</string>
        <key>PayloadUUID</key>
        <string>\(uuid(digest[16...]))</string>
        <key>PayloadVersion</key>
        <integer>1</integer>
      </dict>
      </plist>

      """.utf8)
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

/// Base64 (RFC 4648) with padding, on one line.
package func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// `text`, escaped for XML and HTML.
func escaped(_ text: String) -> String {
  var result = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.unicodeScalars.append(character)
    }
  }
  return result
}
