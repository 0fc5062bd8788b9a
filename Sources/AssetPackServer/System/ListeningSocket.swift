import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a port could not be opened.
package struct ListeningError: Error, Sendable {
  /// The requested port.
  package let port: UInt16
  /// The error of `bind(2)`, `listen(2)` or `socket(2)`.
  package let code: Errno
  /// The process that uses the port, if known.
  package let owner: PortOwner?
}

extension ListeningError: CustomStringConvertible {
  /// The reason, and what to do.
  package var description: String {
    switch code {
    case Errno(rawValue: EADDRINUSE):
      if let owner {
        "port \(port) is in use by \(owner): stop that process, or choose another port"
      } else {
        "port \(port) is in use: stop the program that has it (see '\(PortOwner.command(port))'), "
          + "or choose another port"
      }
    case Errno(rawValue: EACCES):
      "port \(port) is not permitted for this user: ports below 1024 are the administrator's"
    default:
      "can't listen on port \(port): \(code)"
    }
  }
}

/// Sockets that listen on one port, on all addresses of this machine or only on loopback.
package struct ListeningSockets: ~Copyable {
  /// The port, even if 0 was requested.
  package let port: UInt16
  private var descriptors: [CInt]

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Opens `port`, or any free one for 0. Corresponds to `socket(2)`, `bind(2)` and `listen(2)`.
  package init(port: UInt16, onlyLoopback: Bool) throws(ListeningError) {
    if onlyLoopback {
      let first = try Self.open(.loopback4, port)
      let bound = Self.port(of: first)
      self.port = bound
      // The kernel doesn't support IPv6.
      descriptors = [first]
      if let second = try? Self.open(.loopback6, bound) { descriptors.append(second) }
      return
    }
    do throws(ListeningError) {
      descriptors = [try Self.open(.any6, port)]
    } catch {
      guard
        error.code == Errno(rawValue: EAFNOSUPPORT)
          || error.code == Errno(rawValue: EADDRNOTAVAIL)
      else { throw error }
      descriptors = [try Self.open(.any4, port)]
    }
    self.port = Self.port(of: descriptors[0])
  }

  /// Transfers ownership of the descriptors.
  package consuming func take() -> [CInt] {
    let taken = descriptors
    descriptors = []
    return taken
  }

  private enum Place { case any4, any6, loopback4, loopback6 }

  private static func open(_ place: Place, _ port: UInt16) throws(ListeningError) -> CInt {
    let isVersion6 = place == .any6 || place == .loopback6
    #if canImport(Glibc)
      let stream = CInt(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, stream, 0)
    guard descriptor >= 0 else {
      throw ListeningError(port: port, code: .current, owner: nil)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // The client may disconnect between poll(2) and accept(2).
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    let result: CInt
    if isVersion6 {
      set(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, place == .any6 ? 0 : 1)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      if place == .loopback6 { address.sin6_addr = in6addr_loopback }
      result = bindSocket(descriptor, &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      if place == .loopback4 { address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian }
      result = bindSocket(descriptor, &address)
    }
    guard result == 0, listen(descriptor, 256) == 0 else {
      let code = Errno.current
      close(descriptor)
      let owner = code == Errno(rawValue: EADDRINUSE) ? PortOwner(of: port) : nil
      throw ListeningError(port: port, code: code, owner: owner)
    }
    return descriptor
  }

  private static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) {
    var value = value
    unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  private static func port(of descriptor: CInt) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    // The port is at the same offset for both families.
    return result == 0 ? UInt16(bigEndian: address.sin6_port) : 0
  }
}

private func bindSocket<Address>(_ descriptor: CInt, _ address: inout Address) -> CInt {
  let size = socklen_t(MemoryLayout<Address>.size)
  return unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(descriptor, $0, size)
    }
  }
}
