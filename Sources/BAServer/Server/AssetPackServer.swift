import BAPackCore

/// The mock server: responds to devices in place of the App Store's servers.
///
/// It serves the download manifest at `/manifest`, `/download-manifest.json` and `/`, and packs at
/// `/assetpacks/ID`. URLs in the manifest have the host of the request, because a device accepts
/// packs from no other.
package final class AssetPackServer: Sendable {
  private let server: HTTPServer
  package let state: ServerState

  /// Serves `catalog` on `sockets`. Requests for hosts that aren't in the certificate of `identity`
  /// are rejected, and those without the `credentials`, if there are any. The observer is called on
  /// many threads.
  package init(
    _ catalog: Catalog, on sockets: consuming ListeningSockets, identity: Identity,
    credentials: Credentials? = nil, faults: Faults = Faults(),
    observer: @escaping @Sendable (ServerEvent) -> Void
  ) throws {
    state = ServerState(catalog, observer: observer)
    state.faults = faults
    let router = Router(
      state: state, hosts: HostCheck(certificate: identity.certificate, port: sockets.port),
      credentials: credentials)
    server = try HTTPServer(
      on: sockets, identity: identity, observer: observer, handler: { router.respond(to: $0) })
  }

  deinit { stop() }

  package func stop() {
    state.stop()
    server.stop()
  }
}
