import BAPackCore
import CBAGnuTLS

package enum KeyType: String, CaseIterable, Sendable {
  case ecdsa
  /// RSA with 2048 bits, the minimum for Apple's systems.
  case rsa
}

@safe package final class PrivateKey: @unchecked Sendable {
  // Not modified after creation, so GnuTLS allows use by several threads.
  let handle: gnutls_x509_privkey_t

  private init() throws {
    var handle: gnutls_x509_privkey_t?
    try check("make a key", unsafe gnutls_x509_privkey_init(&handle))
    guard let handle = unsafe handle else { throw PackagingError("no memory for a key") }
    unsafe self.handle = handle
  }

  deinit { unsafe gnutls_x509_privkey_deinit(handle) }

  package convenience init(generating type: KeyType) throws {
    try self.init()
    let (algorithm, bits) =
      switch type {
      case .ecdsa: (GNUTLS_PK_ECDSA, ba_gnutls_p256())
      case .rsa: (GNUTLS_PK_RSA, 2048)
      }
    try check("make a key", unsafe gnutls_x509_privkey_generate(handle, algorithm, bits, 0))
  }

  package convenience init(pem: [UInt8]) throws {
    try self.init()
    try check("read the key", unsafe ba_gnutls_read_key(handle, pem, pem.count))
  }

  package func pem() throws -> [UInt8] {
    try unsafe exported("write the key") { buffer, size in
      unsafe gnutls_x509_privkey_export(handle, GNUTLS_X509_FMT_PEM, buffer, size)
    }
  }
}

func check(_ operation: String, _ code: CInt) throws {
  guard code < 0 else { return }
  let reason = unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  throw PackagingError("can't \(operation): \(reason)")
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
