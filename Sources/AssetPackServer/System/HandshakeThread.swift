#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The TLS handshake in progress on a thread. Corresponds to `pthread_setspecific(3)`.
enum HandshakeThread {
  /// A handshake, used only by its own thread.
  @safe final class Handshake {
    /// The `gnutls_session_t`, which lives as long as the connection.
    let session: OpaquePointer
    /// The client.
    let peer: IPAddress?
    /// Whether the ClientHello was parsed and accepted.
    var helloWasRead = false

    init(session: OpaquePointer, peer: IPAddress?) {
      unsafe self.session = session
      self.peer = peer
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key) { handshake in
      // Not every platform declares it as optional.
      let handshake = unsafe handshake as UnsafeMutableRawPointer?
      if let handshake = unsafe handshake {
        unsafe Unmanaged<Handshake>.fromOpaque(handshake).release()
      }
    }
    precondition(result == 0, "pthread_key_create: \(result)")
    return key
  }()

  /// The handshake of this thread, released when the thread ends.
  static var current: Handshake? {
    get {
      unsafe pthread_getspecific(key).map {
        unsafe Unmanaged<Handshake>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set {
      let old = unsafe pthread_getspecific(key)
      let new = unsafe newValue.map { unsafe Unmanaged.passRetained($0).toOpaque() }
      _ = unsafe pthread_setspecific(key, new)
      if let old = unsafe old { unsafe Unmanaged<Handshake>.fromOpaque(old).release() }
    }
  }
}

extension IPAddress {
  /// The peer address of a connected socket; nil if there is none. Corresponds to `getpeername(2)`.
  init?(peerOf descriptor: CInt) {
    var storage = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let address = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        unsafe getpeername(descriptor, raw, &size) == 0 ? IPAddress(UnsafePointer(raw)) : nil
      }
    }
    guard let address else { return nil }
    self = address
  }
}
