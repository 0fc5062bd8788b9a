import BAPackCore
import BAServer
import Foundation
import Synchronization
import Testing

@Suite struct ConnectionTests {
  private final class Time: Sendable {
    let now = Mutex<Int64>(1_000_000_000_000)
  }

  private let time: Time
  private let connections: Connections

  init() {
    let time = Time()
    self.time = time
    connections = Connections {
      time.now.withLock { now in
        now += 1
        return now
      }
    }
  }

  private func pass(_ seconds: Int64) { time.now.withLock { $0 += seconds * 1_000_000_000 } }

  /// Both ends of a connection.
  private func sockets() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  private func isEnded(_ end: CInt) -> Bool {
    var byte: UInt8 = 0
    return unsafe recv(end, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }

  private func address(_ network: UInt8, _ host: Int) -> IPAddress? {
    IPAddress(
      [0x20, 1, 0xD, 0xB8, 0, 0, 0, network] + [UInt8](repeating: 0, count: 6)
        + [UInt8(host >> 8), UInt8(host & 0xFF)])
  }

  /// A machine with IPv6 has more addresses than anybody could count: the oldest of its connections
  /// make room for others, and those of another network stay.
  @Test func aNetworkIsCountedAsOne() throws {
    let limit = Connections.maximumForNetwork.version6
    let (mine, other) = try sockets()
    defer { for file in [mine, other] { close(file) } }
    let (theirs, there) = try sockets()
    defer { for file in [theirs, there] { close(file) } }
    connections.add(0, socket: theirs, peer: address(2, 0))
    connections.add(1, socket: mine, peer: address(1, 1))
    for number in 2...limit { connections.add(number, socket: -1, peer: address(1, number)) }
    #expect(!isEnded(other))
    #expect(connections.admits(address(1, limit + 1)))
    #expect(isEnded(other))
    #expect(!isEnded(there))
    connections.add(1, socket: -1, peer: address(1, 1))
    // Those that are answered stay.
    for number in 1...limit { connections.answers(number) }
    #expect(!connections.admits(address(1, limit + 1)))
    #expect(connections.admits(address(3, 1)))
  }

  @Test func anAddressOfIPv4IsCountedAlone() {
    for number in 0..<Connections.maximumForNetwork.version4 {
      connections.add(number, socket: -1, peer: IPAddress([192, 0, 2, 1]))
      connections.answers(number)
    }
    #expect(!connections.admits(IPAddress([192, 0, 2, 1])))
    #expect(connections.admits(IPAddress([192, 0, 2, 2])))
  }

  /// Programs on this machine can do worse anyway.
  @Test func loopbackHasNoLimitOfANetwork() {
    let limits = Connections.maximumForNetwork
    let hosts = [IPAddress([127, 0, 0, 1]), IPAddress([UInt8](repeating: 0, count: 15) + [1])]
    for number in 0...2 * max(limits.version4, limits.version6) + 1 {
      #expect(connections.admits(hosts[number % 2]))
      connections.add(number, socket: -1, peer: hosts[number % 2])
      connections.answers(number)
    }
  }

  @Test func aFullServerEndsTheOldestWithoutARequest() throws {
    let (busy, first) = try sockets()
    defer { for file in [busy, first] { close(file) } }
    let (idle, second) = try sockets()
    defer { for file in [idle, second] { close(file) } }
    connections.add(0, socket: busy, peer: address(0, 0))
    connections.answers(0)
    connections.add(1, socket: idle, peer: address(1, 0))
    for number in 2..<Connections.maximum {
      connections.add(number, socket: -1, peer: address(UInt8(number / 100), number))
    }
    #expect(!isEnded(second))
    connections.add(Connections.maximum, socket: -1, peer: address(99, 0))
    #expect(isEnded(second))
    #expect(!isEnded(first))
  }

  /// Clients that take a few bytes now and then make room: first those that took none for the longest
  /// time, and one whose request is awaited only if it is late, too.
  @Test func answersWithoutProgressMakeRoom() throws {
    let ends = try (0..<4).map { _ in try sockets() }
    defer { for (first, second) in ends { for file in [first, second] { close(file) } } }
    let limit = Connections.maximumForNetwork.version6
    for number in 0..<limit {
      let socket = number < 4 ? ends[number].0 : -1
      connections.add(number, socket: socket, peer: address(1, number))
      if number == 3 { continue }
      connections.answers(number)
      if number < 3 { pass(1) }
    }
    pass(3)
    connections.answers(1)
    #expect(connections.admits(address(1, limit)))
    #expect(ends.map { isEnded($0.1) } == [true, false, false, false])
    connections.add(limit, socket: -1, peer: address(1, limit))
    connections.answers(limit)
    // None is without progress for five seconds.
    #expect(connections.admits(address(1, limit)))
    #expect(ends.map { isEnded($0.1) } == [true, false, false, true])
    connections.add(limit + 1, socket: -1, peer: address(1, limit))
    connections.answers(limit + 1)
    #expect(!connections.admits(address(1, limit)))
    pass(1)
    #expect(connections.admits(address(1, limit)))
    #expect(ends.map { isEnded($0.1) } == [true, false, true, true])
  }

  @Test func theLargestNetworkMakesRoom() throws {
    let (first, theirs) = try sockets()
    let (mine, here) = try sockets()
    defer { for file in [first, theirs, mine, here] { close(file) } }
    connections.add(0, socket: first, peer: address(0, 0))
    connections.answers(0)
    pass(1)
    connections.add(1, socket: mine, peer: address(1, 1))
    connections.answers(1)
    pass(1)
    for number in 2..<Connections.maximum {
      connections.add(
        number, socket: -1, peer: address(number < 300 ? 1 : UInt8(number / 100), number))
      connections.answers(number)
    }
    pass(10)
    connections.add(Connections.maximum, socket: -1, peer: address(99, 0))
    #expect(!isEnded(theirs))
    #expect(isEnded(here))
  }
}
