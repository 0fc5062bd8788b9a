import BAPackCore
import CBAMicroHTTPD

/// Sockets that listen on one port, on all addresses of this machine or only on loopback.
package struct ListeningSockets: ~Copyable {
  /// The port, even if 0 was requested.
  package let port: UInt16
  private var descriptors: [CInt]

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Opens `port`, or any free one for 0.
  package init(port: UInt16, onlyLoopback: Bool) throws {
    var isVersion6 = !onlyLoopback
    var first = ba_listen(isVersion6 ? 1 : 0, onlyLoopback ? 1 : 0, port)
    // A kernel without IPv6.
    if isVersion6, first == -EAFNOSUPPORT || first == -EADDRNOTAVAIL {
      isVersion6 = false
      first = ba_listen(0, 0, port)
    }
    guard first >= 0 else { throw Self.error(Errno(rawValue: -first), port) }
    self.port = ba_port(first)
    descriptors = [first]
    if onlyLoopback {
      let second = ba_listen(1, 1, self.port)
      if second >= 0 { descriptors.append(second) }
    }
  }

  private static func error(_ code: Errno, _ port: UInt16) -> PackagingError {
    #if canImport(Darwin)
      let command = "lsof -nP -iTCP:\(port) -sTCP:LISTEN"
    #else
      let command = "ss -ltnp sport = :\(port)"
    #endif
    return switch code {
    case Errno(rawValue: EADDRINUSE):
      PackagingError(
        "port \(port) is in use: stop the program that has it (see '\(command)'), or choose another "
          + "port")
    case .permissionDenied:
      PackagingError(
        "port \(port) is not permitted for this user: ports below 1024 are the administrator's")
    default: PackagingError("can't listen on port \(port): \(code)")
    }
  }

  package consuming func take() -> [CInt] {
    let taken = descriptors
    descriptors = []
    return taken
  }
}
