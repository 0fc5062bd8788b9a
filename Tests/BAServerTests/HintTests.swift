import BAServer
import Testing

@Suite struct HintTests {
  private let phone = IPAddress([192, 0, 2, 9])

  private func answered(
    _ target: String, from peer: IPAddress?, platform: String? = "iOS"
  ) -> ServerEvent {
    .answered(
      HTTPExchange(
        HTTPRequest(
          method: "GET", target: Array(target.utf8), platform: platform.map { Array($0.utf8) },
          peer: peer),
        status: 200))
  }

  private let later = Clock.steady + 60_000_000_000

  @Test func aManifestWithoutPacksExplainsThePermissionOnce() {
    var hints = Hints(authority: "Authority", setupPage: nil)
    _ = hints.hint(for: answered("/manifest", from: phone))
    #expect(hints.due(at: Clock.steady).isEmpty)
    let due = hints.due(at: later)
    #expect(due.count == 1)
    #expect(due.first?.contains("192.0.2.9") == true)
    #expect(due.first?.contains("Local Network") == true)
    _ = hints.hint(for: answered("/manifest", from: phone))
    #expect(hints.due(at: later).isEmpty)
  }

  @Test func aPackAfterTheManifestIsEnough() {
    var hints = Hints(authority: "Authority", setupPage: nil)
    _ = hints.hint(for: answered("/manifest", from: phone))
    _ = hints.hint(for: answered("/assetpacks/a", from: phone))
    #expect(hints.due(at: later).isEmpty)
    _ = hints.hint(for: answered("/manifest", from: phone))
    #expect(hints.due(at: later).isEmpty)
  }

  @Test func browsersAndThisMachineAreNoDevices() {
    var hints = Hints(authority: "Authority", setupPage: nil)
    _ = hints.hint(for: answered("/manifest", from: phone, platform: nil))
    _ = hints.hint(for: answered("/manifest", from: IPAddress([127, 0, 0, 1])))
    #expect(hints.due(at: later).isEmpty)
  }

  @Test func trustIsExplainedForEachDeviceOnce() throws {
    var hints = Hints(authority: "Authority", setupPage: "http://192.0.2.2:8444/")
    let event = ServerEvent.handshakeFailed(peer: phone, .untrusted(alert: "Unknown CA"))
    let found = hints.hint(for: event)
    let hint = try #require(found)
    #expect(hint.contains("Settings > General > About > Certificate Trust Settings"))
    #expect(hint.contains("'Authority'"))
    #expect(hint.contains("http://192.0.2.2:8444/"))
    #expect(hints.hint(for: event) == nil)
    let other = ServerEvent.handshakeFailed(
      peer: IPAddress([192, 0, 2, 10]), .untrusted(alert: nil))
    #expect(hints.hint(for: other) != nil)
  }

  private func asks(_ pack: Int, _ peer: IPAddress?) -> ServerEvent {
    .unknownPack("pack \(pack)", similar: nil, peer: peer)
  }

  @Test func aDeviceUsesUpOnlyItsOwnHints() {
    var hints = Hints(authority: nil, setupPage: nil)
    let given = (0..<1000).compactMap { hints.hint(for: asks($0, phone)) }
    #expect(given.count == Hints.maximumForDevice)
    #expect(hints.hint(for: asks(0, IPAddress([192, 0, 2, 10]))) != nil)
    #expect(hints.hint(for: .handshakeFailed(peer: phone, .notTLS)) == nil)
    hints.packsChanged()
    #expect(hints.hint(for: asks(0, phone)) != nil)
  }

  @Test func manyDevicesSilenceNobody() {
    var hints = Hints(authority: nil, setupPage: nil)
    for number in 0..<(Hints.maximumDevices * 2) {
      let peer = IPAddress([198, 51, UInt8(number >> 8), UInt8(number & 0xFF)])
      #expect(hints.hint(for: asks(0, peer)) != nil)
    }
    #expect(hints.hint(for: asks(0, phone)) != nil)
  }
}
