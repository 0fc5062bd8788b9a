import BAPackCore
import CBAMicroHTTPD

/// An IP address as 4 or 16 bytes in network order.
package struct IPAddress: Hashable, Sendable {
  package let bytes: [UInt8]

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Parses `192.168.1.7` or `fd00::7`, without brackets or zone. Corresponds to `inet_pton(3)`.
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

  /// The address of a socket; an IPv4-mapped IPv6 address becomes IPv4.
  init?(_ address: UnsafePointer<sockaddr>?) {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe ba_address(address, &buffer)
    self.init(Array(buffer.prefix(Int(count))))
  }

  /// The peer address of a connected socket; nil if there is none. Corresponds to `getpeername(2)`.
  init?(peerOf descriptor: CInt) {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = unsafe ba_peer(descriptor, &buffer)
    self.init(Array(buffer.prefix(Int(count))))
  }

  package var isVersion6: Bool { bytes.count == 16 }
  package var isLoopback: Bool {
    isVersion6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
  }
  /// What one machine may have as many addresses of as it likes: the first 64 bits of IPv6, and the
  /// whole address of IPv4.
  var network: IPAddress {
    guard isVersion6 else { return self }
    return IPAddress(bytes[..<8] + [UInt8](repeating: 0, count: 8)) ?? self
  }
  /// Whether it is link-local: `fe80::/10`, which needs an interface, or 169.254.0.0/16,
  /// self-assigned without a network.
  package var isLinkLocal: Bool {
    isVersion6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
  }
}

extension IPAddress: CustomStringConvertible {
  /// Corresponds to `inet_ntop(3)`.
  package var description: String {
    var buffer = [CChar](repeating: 0, count: 64)
    let family = isVersion6 ? AF_INET6 : AF_INET
    _ = unsafe inet_ntop(family, bytes, &buffer, 64)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The address as in a URL: IPv6 in brackets.
  package var host: String { isVersion6 ? "[\(self)]" : description }
}

package enum NetworkAddresses {
  /// The addresses of active interfaces, without loopback and link-local ones: IPv4 first, and
  /// those of containers and virtual machines last. Corresponds to `getifaddrs(3)`.
  package static func local() -> [IPAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var found: [(rank: Int, address: IPAddress)] = []
    var next = unsafe list
    while let entry = unsafe next {
      unsafe next = entry.pointee.ifa_next
      guard unsafe entry.pointee.ifa_flags & isUp != 0,
        let address = unsafe IPAddress(entry.pointee.ifa_addr),
        !address.isLoopback, !address.isLinkLocal,
        !found.contains(where: { $0.address == address })
      else { continue }
      let name = unsafe String(cString: entry.pointee.ifa_name)
      let isVirtual = ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun", "tun", "tap"]
        .contains { name.hasPrefix($0) }
      found.append(((isVirtual ? 2 : 0) + (address.isVersion6 ? 1 : 0), address))
    }
    // Interfaces of the same rank stay in the system's order.
    return [0, 1, 2, 3].flatMap { rank in found.filter { $0.rank == rank }.map(\.address) }
  }

  /// The machine's name in lowercase; nil if there is none or it isn't valid in a certificate.
  /// Corresponds to `gethostname(3)`.
  package static func hostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, 255) == 0 else { return nil }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self).lowercased()
    return isHostName(name) ? name : nil
  }

  /// The machine's name on the local network, `NAME.local`, if it resolves to one of `addresses`.
  ///
  /// On Linux this requires Avahi and its resolver module. Without them, the query would go to name
  /// servers, which may be slow, so it is omitted.
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

  /// The addresses for a name. Corresponds to `getaddrinfo(3)`.
  private static func resolve(_ name: String) -> [IPAddress] {
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(name, nil, nil, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe IPAddress(entry.pointee.ai_addr) { addresses.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }

  private static let isUp = UInt32(IFF_UP)
}

/// Whether `name` is valid in DNS: letters, digits and hyphens in parts separated by dots.
package func isHostName(_ name: String) -> Bool {
  let labels = name.split(separator: ".", omittingEmptySubsequences: false)
  return name.utf8.count <= 253
    && labels.allSatisfy { label in
      let bytes = label.utf8
      return !bytes.isEmpty && bytes.count <= 63 && bytes.first != UInt8(ascii: "-")
        && bytes.last != UInt8(ascii: "-")
        && bytes.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_".utf8.contains($0) }
    }
}
