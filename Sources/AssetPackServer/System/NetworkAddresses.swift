import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An IP address, as its 4 or 16 bytes in the order of the network.
package struct IPAddress: Hashable, Sendable {
  /// 4 bytes of version 4, 16 of version 6.
  package let bytes: [UInt8]

  /// Takes 4 or 16 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads `192.168.1.7` or `fd00::7`, without brackets or zone. Corresponds to `inet_pton(3)`.
  package init?(text: String) {
    var buffer = [UInt8](repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &buffer) == 1 {
      bytes = Array(buffer[..<4])
    } else if unsafe inet_pton(AF_INET6, text, &buffer) == 1 {
      bytes = buffer
    } else {
      return nil
    }
  }

  /// The address of a socket; one of version 4 that is mapped into version 6 is of version 4.
  package init?(_ address: UnsafePointer<sockaddr>) {
    switch CInt(unsafe address.pointee.sa_family) {
    case AF_INET:
      let value = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      bytes = unsafe withUnsafeBytes(of: value.sin_addr) { unsafe Array($0) }
    case AF_INET6:
      let value = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
      let all = unsafe withUnsafeBytes(of: value.sin6_addr) { unsafe Array($0) }
      let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
      bytes = all.starts(with: mapped) ? Array(all[12...]) : all
    default:
      return nil
    }
  }

  /// Whether it is of version 6.
  package var isVersion6: Bool { bytes.count == 16 }
  /// Whether it reaches this machine only.
  package var isLoopback: Bool {
    isVersion6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
  }
  /// Whether it means nothing without the name of an interface (`fe80::/10`), or was made up by the
  /// machine for want of a network (169.254.0.0/16).
  package var isLinkLocal: Bool {
    isVersion6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
  }
}

extension IPAddress: CustomStringConvertible {
  /// Corresponds to `inet_ntop(3)`.
  package var description: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let family = isVersion6 ? AF_INET6 : AF_INET
    guard unsafe inet_ntop(family, bytes, &buffer, 64) != nil else { return "?" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// As a URL has it: version 6 in brackets.
  package var host: String { isVersion6 ? "[\(self)]" : description }
}

/// How this machine is reached.
package enum NetworkAddresses {
  /// The addresses of interfaces that are up, but loopback and link-local ones: version 4 first, and
  /// those that containers and virtual machines use last. Corresponds to `getifaddrs(3)`.
  package static func local() -> [IPAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var found: [(rank: Int, address: IPAddress)] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      guard unsafe entry.pointee.ifa_flags & isUp != 0,
        let raw = unsafe entry.pointee.ifa_addr, let address = unsafe IPAddress(UnsafePointer(raw)),
        !address.isLoopback, !address.isLinkLocal,
        !found.contains(where: { $0.address == address })
      else { continue }
      let name = unsafe String(cString: entry.pointee.ifa_name)
      let isVirtual = ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun", "tun", "tap"]
        .contains { name.hasPrefix($0) }
      found.append(((isVirtual ? 2 : 0) + (address.isVersion6 ? 1 : 0), address))
    }
    // A stable sort: interfaces stay in the system's order.
    return [0, 1, 2, 3].flatMap { rank in found.filter { $0.rank == rank }.map(\.address) }
  }

  /// The machine's name in lower case; nil for none, or one that no certificate can hold.
  /// Corresponds to `gethostname(3)`.
  package static func hostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, 255) == 0 else { return nil }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self).lowercased()
    return isHostName(name) ? name : nil
  }

  /// The machine's name on the local network, `NAME.local`, if it leads to one of `addresses`.
  ///
  /// On Linux this needs Avahi and a resolver that asks it; without those the question would go to
  /// name servers, which may keep it waiting, so it is not asked.
  package static func multicastName(_ hostName: String, _ addresses: [IPAddress]) -> String? {
    let label = hostName.split(separator: ".").first.map(String.init) ?? hostName
    let name = label + ".local"
    #if os(Linux)
      guard (try? FileStatus.following("/run/avahi-daemon/socket")) != nil,
        let bytes = try? BytePath("/etc/nsswitch.conf").contents(limit: 1 << 16),
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
          .contains(where: { $0.hasPrefix("hosts:") && $0.contains("mdns") })
      else { return nil }
    #endif
    return resolve(name).contains { addresses.contains($0) } ? name : nil
  }

  /// The addresses of a name. Corresponds to `getaddrinfo(3)`.
  private static func resolve(_ name: String) -> [IPAddress] {
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(name, nil, nil, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let raw = unsafe entry.pointee.ai_addr,
        let address = unsafe IPAddress(UnsafePointer(raw))
      {
        addresses.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  private static let isUp = UInt32(IFF_UP)
}

/// Whether `name` is one that DNS allows: letters, digits and hyphens, in parts with dots between.
package func isHostName(_ name: String) -> Bool {
  let labels = name.split(separator: ".", omittingEmptySubsequences: false)
  return name.utf8.count <= 253
    && labels.allSatisfy { label in
      let bytes = label.utf8
      return !bytes.isEmpty && bytes.count <= 63 && bytes.first != UInt8(ascii: "-")
        && bytes.last != UInt8(ascii: "-")
        && bytes.allSatisfy {
          (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
}
