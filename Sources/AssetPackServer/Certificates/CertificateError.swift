import CGnuTLS

/// Something about certificates or keys that failed.
package struct CertificateError: Error, Sendable, CustomStringConvertible {
  /// What happened, and what to do.
  package let description: String

  /// An error in these words.
  package init(_ description: String) { self.description = description }

  /// A call that GnuTLS answered with `code`.
  init(_ operation: String, code: CInt) {
    let reason = unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    description = "can't \(operation): \(reason)"
  }
}

/// Throws what a call of GnuTLS returned, unless it went well.
func check(_ operation: String, _ code: CInt) throws(CertificateError) {
  guard code >= 0 else { throw CertificateError(operation, code: code) }
}

/// Calls `body` with `bytes` as GnuTLS takes them.
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

/// The bytes that a call of GnuTLS writes to a buffer; it gets the buffer's size, and sets it to what it
/// wrote.
func exported(
  _ operation: String, _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt
) throws(CertificateError) -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var size = buffer.count
  let code = unsafe buffer.withUnsafeMutableBytes { unsafe body($0.baseAddress, &size) }
  try check(operation, code)
  return Array(buffer.prefix(size))
}
