import BAPackCore

/// A small plain-HTTP server for the authority's certificate and installation instructions. It
/// serves nothing else: no packs, and never a key.
package final class SetupServer: Sendable {
  private let server: HTTPServer
  package let port: UInt16

  /// Serves the certificate of `authority` on `sockets`, for devices whose override is one of
  /// `overrideURLs`, to requests for the hosts in the certificate of `identity`.
  package init(
    _ authority: Authority, overrideURLs: [String], on sockets: consuming ListeningSockets,
    identity: Identity
  ) throws {
    port = sockets.port
    let page = SetupPage(
      authorityName: authority.certificate.commonName, fingerprint: authority.fingerprint,
      overrideURLs: overrideURLs)
    let files = Files(
      hosts: HostCheck(certificate: identity.certificate, port: port), page: page,
      profile: try authority.profile(),
      der: try authority.certificate.der(), pem: try authority.certificate.pem())
    server = try HTTPServer(
      on: sockets, identity: nil, observer: { _ in }, handler: { files.respond(to: $0) })
  }

  package func stop() { server.stop() }

  private struct Files: Sendable {
    let hosts: HostCheck
    let page: SetupPage
    let profile: [UInt8]
    let der: [UInt8]
    let pem: [UInt8]

    func respond(to request: HTTPRequest) -> HTTPResponse {
      if let refusal = hosts.refusal(of: request) { return refusal }
      let path = String(decoding: request.path ?? [], as: UTF8.self)
      let found: (type: String, bytes: [UInt8])? =
        switch path {
        case "/":
          ("text/html; charset=utf-8", Array(page.html(host: request.host ?? "").utf8))
        case "/authority.mobileconfig": ("application/x-apple-aspen-config", profile)
        case "/authority.cer": ("application/x-x509-ca-cert", der)
        case "/authority.pem": ("application/x-pem-file", pem)
        default: nil
        }
      guard let found else { return .text(404, "404: nothing is here; the page is at '/'") }
      if let refusal = request.refusalOfMethod { return refusal }
      var headers: [(name: String, value: String)] = [
        ("Content-Type", found.type), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ]
      if path == "/" {
        headers.append(
          ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"))
      }
      return HTTPResponse(200, headers: headers, body: .bytes(found.bytes))
    }
  }
}
