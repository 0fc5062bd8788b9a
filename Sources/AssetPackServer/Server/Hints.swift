import BAPackCore

/// Hints for users when something doesn't work, given once per device and cause.
package struct Hints: Sendable {
  /// The name of the authority on devices; nil for a certificate from elsewhere.
  private let authority: String?
  /// The URL of the page that installs the authority; nil if there is none.
  private let setupPage: String?
  private var said: Set<Said> = []
  /// When each device requested a manifest that lists packs without requesting a pack since.
  private var waiting: [IPAddress: Int64] = [:]
  /// Devices that have requested a pack.
  private var downloading: Set<IPAddress> = []

  private enum Said: Hashable {
    case untrusted(IPAddress?), noCommonProtocol(IPAddress?), notTLS, alert(IPAddress?, String)
    case localNetwork(IPAddress)
    case leftOut(IPAddress?, String), unknownPack(String), foreignHost(String), changed(String)
  }

  /// The time in nanoseconds within which a device that needs packs requests one after a manifest.
  private static let patience: Int64 = 20_000_000_000
  /// The maximum number of recorded causes.
  private static let most = 10_000

  /// Hints for a server with a certificate from `authority`.
  package init(authority: String?, setupPage: String?) {
    self.authority = authority
    self.setupPage = setupPage
  }

  /// The hint for `event`, if any.
  package mutating func hint(for event: ServerEvent) -> String? {
    switch event {
    case .answered(let exchange):
      note(exchange)
      return nil
    case .handshakeFailed(let peer, .untrusted(let alert)):
      return once(.untrusted(peer), untrusted(peer, alert))
    case .handshakeFailed(let peer, .noCommonProtocol):
      return once(
        .noCommonProtocol(peer),
        "\(name(peer)) speaks neither TLS 1.2 nor TLS 1.3 with the ciphers that Apple's systems use"
      )
    case .handshakeFailed(_, .notTLS):
      return once(
        .notTLS,
        "a client sent something other than TLS; the address must begin with 'https://', not 'http://'"
      )
    case .handshakeFailed(let peer, .other(let alert)):
      return once(.alert(peer, alert), "\(name(peer)) ended the TLS handshake: \(alert)")
    case .leftOut(let packs, let platform, let peer):
      let list = packs.map(\.identifier).joined(separator: ", ")
      return once(
        .leftOut(peer, platform + list),
        "\(name(peer)) asked for packs for \(platform); "
          + packs.map { pack in
            "'\(printable(pack.identifier.utf8))' is for "
              + pack.platforms.map(\.rawValue).joined(separator: " and ")
          }.joined(separator: ", ") + ", so it was left out")
    case .unknownPack(let identifier, let similar):
      return once(
        .unknownPack(identifier),
        "no pack is called '\(identifier)'"
          + (similar.first.map { "; '\($0)' differs only in case" } ?? ""))
    case .foreignHost(let host, let peer):
      return once(
        .foreignHost(host),
        "\(name(peer)) asked for the host '\(printable(host.utf8))', which the certificate does not "
          + "name")
    case .changedOnDisk(let path, let identifier):
      return once(
        .changed(identifier),
        "'\(path)' was written to after it was opened, so '\(printable(identifier.utf8))' is not sent"
      )
    case .unreadable(let path, let identifier):
      return "'\(path)' could not be read, so '\(printable(identifier.utf8))' was cut"
    }
  }

  /// Hints about what has not happened by `now`, on the monotonic clock.
  package mutating func due(at now: Int64) -> [String] {
    let late = waiting.filter { now - $0.value >= Self.patience }.map(\.key)
    return late.sorted { $0.description < $1.description }.compactMap { peer in
      waiting[peer] = nil
      return once(
        .localNetwork(peer),
        "\(peer) read the manifest and then asked for no pack. Either it has them all, or the app lacks "
          + "the Local Network permission (the downloads fail with NSURLError -1004): let the app "
          + "itself make a request to this server, and allow it when the device asks. Settings > "
          + "Privacy & Security > Local Network shows what was allowed")
    }
  }

  /// Clears the hints about packs, which have changed.
  package mutating func packsChanged() {
    said = said.filter {
      switch $0 {
      case .leftOut, .unknownPack, .changed: false
      default: true
      }
    }
  }

  private mutating func note(_ exchange: HTTPExchange) {
    // Browsers and tests on this machine don't need hints.
    guard let peer = exchange.request.peer, !peer.isLoopback, let path = exchange.request.path
    else {
      return
    }
    if path.starts(with: "/assetpacks/".utf8) {
      downloading.insert(peer)
      waiting[peer] = nil
    } else if exchange.status == 200, exchange.request.platform != nil,
      !downloading.contains(peer), waiting.count < Self.most
    {
      waiting[peer] = Clock.steady
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

  private mutating func once(_ what: Said, _ text: String) -> String? {
    guard said.count < Self.most, said.insert(what).inserted else { return nil }
    return text
  }
}
