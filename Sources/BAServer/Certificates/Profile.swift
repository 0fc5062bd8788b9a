import BAPackCore

extension Authority {
  /// A configuration profile that installs the certificate: XML, with the extension
  /// `.mobileconfig`. It is deterministic, so installing it again replaces it.
  package func profile() throws -> [UInt8] {
    let der = try certificate.der()
    let digest = SHA256.digest(of: der)
    let name = escapedXML(certificate.commonName)
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
            <data>\(Base64.encode(der))</data>
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
