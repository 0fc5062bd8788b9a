import BAPackCore

/// A small plain-HTTP server for the authority's certificate and the instructions to install it.
/// It serves nothing else: no packs, and never a key.
package final class SetupServer: Sendable {
  private let server: HTTPServer
  package let port: UInt16

  /// Serves the certificate of `authority` on `sockets`, for devices whose override has one of
  /// `servedHosts`, with `code` as a picture of the page's address, to requests for the hosts in the certificate of `identity`.
  package init(
    _ authority: Authority, servedHosts: [String], asksForPassword: Bool,
    code: String?, on sockets: consuming ListeningSockets, identity: Identity
  ) throws {
    port = sockets.port
    let hosts = HostCheck(certificate: identity.certificate, port: port)
    let name = authority.certificate.commonName
    let (der, pem) = (try authority.certificate.der(), try authority.certificate.pem())
    let files: [String: (type: String, bytes: [UInt8])] = [
      "/authority.mobileconfig": ("application/x-apple-aspen-config", try authority.profile()),
      "/authority.cer": ("application/x-x509-ca-cert", der),
      "/authority.pem": ("application/x-pem-file", pem),
    ]
    server = try HTTPServer(on: sockets, identity: nil, observer: { _ in }) { request in
      if let refusal = hosts.refusal(of: request) { return refusal }
      let path = String(decoding: request.path ?? [], as: UTF8.self)
      guard path == "/" || files[path] != nil else {
        return .text(404, "404: nothing is here; the page is at '/'")
      }
      if let refusal = request.refusalOfMethod { return refusal }
      if let file = files[path] { return .fresh(200, file.type, file.bytes) }
      let page = setupPage(
        host: request.host ?? "", authority: name, fingerprint: authority.fingerprint,
        servedHosts: servedHosts, asksForPassword: asksForPassword, code: code)
      return .fresh(
        200, "text/html; charset=utf-8", Array(page.utf8),
        headers: [("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")])
    }
  }

  package func stop() { server.stop() }
}
