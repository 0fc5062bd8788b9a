import CGnuTLS

/// An error with certificates or keys.
package struct CertificateError: Error, Sendable, CustomStringConvertible {
  /// What happened.
  package let description: String
  /// Whether a new authority would help.
  package let isOfAuthority: Bool

  /// An error with this description.
  package init(_ description: String, isOfAuthority: Bool = false) {
    self.description = description
    self.isOfAuthority = isOfAuthority
  }

  /// A GnuTLS call that returned `code`.
  init(_ operation: String, code: CInt) {
    let reason = unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    self.init("can't \(operation): \(reason)")
  }
}

/// Throws an error if a GnuTLS call returned one.
func check(_ operation: String, _ code: CInt) throws(CertificateError) {
  guard code >= 0 else { throw CertificateError(operation, code: code) }
}

/// Calls `body` with `bytes` in GnuTLS's representation.
func withDatum<Result>(
  _ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result
) -> Result {
  var bytes = bytes
  let count = UInt32(bytes.count)
  return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: count)
    return unsafe withUnsafePointer(to: &datum, body)
  }
}

/// The output of a GnuTLS call that fills a buffer: `size` is the buffer's size before and the
/// output's size after the call.
func exported(
  _ operation: String, _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt
) throws(CertificateError) -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var size = buffer.count
  let code = unsafe buffer.withUnsafeMutableBytes { unsafe body($0.baseAddress, &size) }
  try check(operation, code)
  return Array(buffer.prefix(size))
}
