import CGnuTLS

/// Throws an error if a GnuTLS call returned one.
func check(_ operation: String, _ code: CInt) throws {
  guard code < 0 else { return }
  let reason = unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  throw ServeError("can't \(operation): \(reason)")
}

/// The output of a GnuTLS call that fills a buffer: `size` is the buffer's size before and the
/// output's size after the call.
func exported(
  _ operation: String, _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt
) throws -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var size = buffer.count
  let code = unsafe buffer.withUnsafeMutableBytes { unsafe body($0.baseAddress, &size) }
  try check(operation, code)
  return Array(buffer.prefix(size))
}
