import AssetPackServer
import BAPackCore
import CommandLine

/// What makes devices trust the server.
struct Trust {
  let identity: Identity
  let hosts: ServerHosts
  /// Nil for a certificate from elsewhere.
  let authority: Authority?
}

extension Serve {
  /// The certificate that was given, or a new one.
  func trust(_ folders: UserFolders, _ console: Console) throws(CommandError) -> Trust {
    do throws(CertificateError) {
      guard let paths = identityPaths else {
        let hosts = ServerHosts(given: hosts)
        let authority = try Authority.load(from: folders.data, keyType: keyType)
        let identity = try Identity(
          names: hosts.names, addresses: hosts.addresses, keyType: keyType, issuedBy: authority)
        return Trust(identity: identity, hosts: hosts, authority: authority)
      }
      let identity = try Identity(certificate: paths.certificate, key: paths.key)
      let found = ServerHosts(of: identity.certificate, given: hosts)
      for objection in identity.objections(hosts: hosts) { console.note("warning: \(objection)") }
      return Trust(identity: identity, hosts: found, authority: nil)
    } catch {
      throw CommandError(error)
    }
  }

  func start(
    _ catalogue: Catalogue, _ trust: Trust, _ log: ServeLog
  ) throws(CommandError) -> AssetPackServer {
    let sockets = try mapping(
      { CommandError($0 as ListeningError) },
      ListeningSockets(port: port, onlyLoopback: trust.hosts.onlyLoopback))
    do {
      return try AssetPackServer(
        catalogue, on: sockets, identity: trust.identity, faults: faults,
        observer: { log.note($0) })
    } catch {
      throw CommandError(error)
    }
  }

  /// The page that installs the authority; nil if it is disabled, or if its default port is in use.
  func setupServer(
    _ trust: Trust, _ urls: [String], _ console: Console
  ) throws(CommandError) -> SetupServer? {
    guard let setupPort, let authority = trust.authority else { return nil }
    let sockets: ListeningSockets
    do throws(ListeningError) {
      sockets = try ListeningSockets(port: setupPort, onlyLoopback: trust.hosts.onlyLoopback)
    } catch {
      if isSetupPortGiven { throw CommandError(error) }
      console.note("warning: no setup page: \(error) with --\(Self.setupPort.long)")
      return nil
    }
    do { return try SetupServer(authority, overrideURLs: urls, on: sockets) } catch {
      throw CommandError(error)
    }
  }

  /// A fault for a pack that isn't served would have no effect.
  func checkFaults(_ catalogue: Catalogue) throws(CommandError) {
    if let unknown = faults.identifiers.first(where: { catalogue.pack($0) == nil }) {
      let names = catalogue.packs.map { "'\(printable($0.identifier.utf8))'" }
      throw .failure(
        "there is no pack '\(printable(unknown))' to set a fault for, but "
          + names.prefix(10).joined(separator: ", "))
    }
  }
}
