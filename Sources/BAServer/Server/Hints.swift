import BAPackCore

/// Hints for users when something doesn't work, given once per device and cause.
///
/// Clients can't make this grow: it knows a limited number of devices, and gives each of them a
/// limited number of hints. A client that uses up its own leaves those of the others.
package struct Hints: Sendable {
  /// The name of the authority on devices; nil for a certificate from elsewhere.
  private let authority: String?
  /// The URL of the page that installs the authority; nil if there is none.
  private let setupPage: String?
  private var devices: [IPAddress?: Device] = [:]
  private var changed: Set<String> = []

  private struct Device {
    var said: Set<String> = []
    /// When it requested a manifest that lists packs without requesting a pack since.
    var waitsSince: Int64?
    var hasRequestedPack = false
    var lastSeen: Int64
  }

  /// The time in nanoseconds within which a device that needs packs requests one after a manifest.
  private static let patience: Int64 = 20_000_000_000
  package static let maximumDevices = 256
  package static let maximumForDevice = 20

  package init(authority: String?, setupPage: String?) {
    self.authority = authority
    self.setupPage = setupPage
  }

  package mutating func hint(for event: ServerEvent) -> String? {
    switch event {
    case .answered(let exchange):
      observe(exchange)
      return nil
    case .handshakeFailed(let peer, .untrusted(let alert)):
      return once(peer, "untrusted", untrusted(peer, alert))
    case .handshakeFailed(let peer, .noCommonProtocol):
      return once(
        peer, "no common protocol",
        "\(name(peer)) speaks neither TLS 1.2 nor TLS 1.3 with the ciphers that Apple's systems use"
      )
    case .handshakeFailed(let peer, .notTLS):
      return once(
        peer, "not TLS",
        "a client sent something other than TLS; the address must begin with 'https://', not 'http://'"
      )
    case .handshakeFailed(let peer, .other(let alert)):
      return once(peer, "alert \(alert)", "\(name(peer)) ended the TLS handshake: \(alert)")
    case .leftOut(let packs, let platform, let peer):
      let list = packs.map { pack in
        "'\(printable(pack.identifier.utf8))' is for "
          + listed(pack.platforms.map(\.shown), "and")
      }.joined(separator: ", ")
      return once(
        peer, "left out \(platform)",
        "\(name(peer)) asked for packs for \(platform); \(list), so it was left out",
        aboutPacks: true)
    case .unknownPack(let identifier, let similar, let peer):
      return once(
        peer, "unknown \(identifier)",
        "no pack is called '\(identifier)'"
          + (similar.map { "; did you mean '\(printable($0.utf8))'?" } ?? ""),
        aboutPacks: true)
    case .foreignHost(let host, let peer):
      let host = brief(host.utf8)
      return once(
        peer, "host \(host)",
        "\(name(peer)) asked for the host '\(host)', which the certificate does not name")
    case .wrongPassword(let peer):
      return once(peer, "password", "\(name(peer)) gave a wrong name or password")
    case .changedOnDisk(let path, let identifier):
      guard changed.insert(identifier).inserted else { return nil }
      return
        "'\(path)' was written to after it was opened, so '\(printable(identifier.utf8))' is not sent"
    case .unreadable(let path, let identifier):
      return "'\(path)' could not be read, so '\(printable(identifier.utf8))' was cut"
    }
  }

  /// Hints about requests that have not come by `now`, on the monotonic clock.
  package mutating func due(at now: Int64) -> [String] {
    let late = devices.compactMap { peer, device in
      device.waitsSince.flatMap { now - $0 >= Self.patience ? peer : nil }
    }
    return late.sorted { $0.description < $1.description }.compactMap { peer in
      devices[peer]?.waitsSince = nil
      return once(
        peer, "local network",
        "\(peer) read the manifest and then asked for no pack. Either it has them all, or the app lacks "
          + "the Local Network permission (the downloads fail with NSURLError -1004): let the app "
          + "itself make a request to this server, and allow it when the device asks. Settings > "
          + "Privacy & Security > Local Network shows what was allowed")
    }
  }

  /// Clears the hints about packs, which have changed.
  package mutating func packsChanged() {
    changed = []
    devices = devices.mapValues { device in
      var device = device
      device.said = device.said.filter { !$0.hasPrefix(Self.aboutPacks) }
      return device
    }
  }

  private static let aboutPacks = "pack: "

  private mutating func observe(_ exchange: HTTPExchange) {
    // Browsers and tests on this machine don't need hints.
    guard let peer = exchange.request.peer, !peer.isLoopback, let path = exchange.request.path
    else { return }
    if path.starts(with: "/assetpacks/".utf8) {
      see(peer)
      devices[peer]?.hasRequestedPack = true
      devices[peer]?.waitsSince = nil
    } else if exchange.status == 200, exchange.request.platform != nil {
      see(peer)
      if devices[peer]?.hasRequestedPack == false { devices[peer]?.waitsSince = Clock.steady }
    }
  }

  private func untrusted(_ peer: IPAddress?, _ alert: String?) -> String {
    let start =
      alert.map { "\(name(peer)) does not trust the certificate (\($0))." }
      ?? "\(name(peer)) closed the connection when it saw the certificate; it probably does not trust it."
    guard let authority else {
      return start + " Install the authority that signed it on that device"
    }
    let install = setupPage.map { "open \($0) there to install it" } ?? "install it there"
    return start
      + " If '\(authority)' is installed on it, turn it on: Settings > General > About > Certificate "
      + "Trust Settings. If not: \(install)"
  }

  private func name(_ peer: IPAddress?) -> String { peer.map(\.description) ?? "a client" }

  /// Adds a device; the one that was not seen for the longest time makes room for it.
  private mutating func see(_ peer: IPAddress?) {
    if devices[peer] == nil, devices.count >= Self.maximumDevices,
      let oldest = devices.min(by: { $0.value.lastSeen < $1.value.lastSeen })?.key
    {
      devices[oldest] = nil
    }
    devices[peer, default: Device(lastSeen: 0)].lastSeen = Clock.steady
  }

  private mutating func once(
    _ peer: IPAddress?, _ cause: String, _ text: String, aboutPacks: Bool = false
  ) -> String? {
    see(peer)
    let said = devices[peer]?.said ?? []
    let cause = (aboutPacks ? Self.aboutPacks : "") + cause
    guard said.count < Self.maximumForDevice, !said.contains(cause) else { return nil }
    devices[peer]?.said.insert(cause)
    return text
  }
}
