import BAPackCore
import CBAMicroHTTPD

/// The TLS handshake in progress on a thread. Corresponds to `pthread_setspecific(3)`.
enum HandshakeThread {
  /// A handshake, used only by its own thread.
  @safe final class Handshake {
    /// The `gnutls_session_t`, which lives as long as the connection.
    let session: OpaquePointer
    let peer: IPAddress?
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

/// Runs `body` on a thread that nobody waits for.
package func startThread(_ body: @escaping @Sendable () -> Void) throws {
  guard HelperThreads(1, body).count == 1 else {
    throw PackagingError("the system refuses another thread")
  }
}
