import BAPackCore

/// The mock server: what devices ask of the App Store's servers, answered from a catalogue.
///
/// It answers `/manifest`, `/download-manifest.json` and `/` with the download manifest, and
/// `/assetpacks/ID` with packs. Addresses in the manifest are built from the host that the client
/// asked for, because a device accepts packs from no other.
package final class AssetPackServer: Sendable {
  private let server: HTTPServer
  private let state: ServerState
  /// The port.
  package let port: UInt16

  /// Serves `catalogue` on `sockets`. Only hosts that the certificate of `identity` names are
  /// answered. The observer is called from many threads.
  package init(
    _ catalogue: Catalogue, on sockets: consuming ListeningSockets, identity: Identity,
    faults: Faults = Faults(), observer: @escaping @Sendable (ServerEvent) -> Void
  ) throws(CertificateError) {
    let state = ServerState(catalogue, observer: observer)
    state.faults = faults
    let router = Router(state: state, certificate: identity.certificate)
    self.state = state
    port = sockets.port
    server = try HTTPServer(
      on: sockets, identity: identity,
      observer: { event in
        switch event {
        case .answered(let exchange): observer(.answered(exchange))
        case .handshakeFailed(let peer, let failure):
          observer(.handshakeFailed(peer: peer, failure))
        }
      }, handler: { router.respond(to: $0) })
  }

  deinit { stop() }

  /// Ends all transfers and closes the port.
  package func stop() {
    state.stop()
    server.stop()
  }

  /// What is served. Transfers that are under way go on with what they began with.
  package var catalogue: Catalogue {
    get { state.catalogue }
    set { state.catalogue = newValue }
  }

  /// What goes wrong on purpose, for transfers under way too.
  package var faults: Faults {
    get { state.faults }
    set { state.faults = newValue }
  }
}
