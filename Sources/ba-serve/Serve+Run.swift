import BACommandLine
import BAPackCore
import BAServer

extension Serve {
  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    SecondSignal.endsProcess()
    guard var loop = try start(console) else { return .failure }
    return end(loop.run(), of: loop)
  }

  private func end(_ end: ServeLoop.End, of loop: ServeLoop) -> ExitCode {
    SecondSignal.isAnyFurther()
    loop.server.stop()
    loop.setup?.stop()
    switch end {
    case .quit:
      loop.log.end("")
      return .success
    case .outputClosed: return .outputClosed
    case .signal(let number):
      // Stopping a server is not an error.
      loop.log.end("stopped by \(Interruption.name(of: number)): ")
      ProcessContext.exit(128 + number)
    }
  }

  /// Loads the packs and serves them; nil if they can't be loaded, which was reported. Returns no
  /// pack but those in the server, which closes them when they are replaced.
  private func start(_ console: Console) throws -> ServeLoop? {
    let folders = try UserFolders()
    var store = PackStore(settings, folders)
    let watch = typed.has(Self.watch) ? try FolderWatch() : nil
    let color: ColorChoice = try typed.choice(Self.color)
    let outcome = store.load(watching: watch) { console.tell(waitingText($0)) }
    try Interrupted.check("nothing was served")
    console.tell(outcome.findings, color)
    for problem in outcome.problems { console.tell("error: \(problem)") }
    for warning in outcome.warnings { console.tell("warning: \(warning)") }
    guard let catalog = outcome.catalog else { return nil }
    let faults = try faults.resolved(in: catalog)

    let trust = try trust(folders, console)
    let sockets = try ListeningSockets(port: port, onlyLoopback: trust.hosts.onlyLoopback)
    let hosts = trust.hosts.reachable.map { "\($0):\(sockets.port)" }
    let setup = try setupServer(trust, hosts, console)
    let page = setup.map { setupPage(trust, $0.port) }
    let log = ServeLog(
      format, Hints(authority: trust.authority?.certificate.commonName, setupPage: page))
    let server = try AssetPackServer(
      catalog, on: sockets, identity: trust.identity, credentials: credentials, faults: faults,
      observer: { log.tell($0) })
    try log.begin(
      ServeStart(
        catalog: catalog, hosts: hosts, areLocal: trust.hosts.areLocal, credentials: credentials,
        page: page, authority: trust.authority,
        isOnTerminal: FileDescriptor.standardOutput.isTerminal,
        takesCommands: FileDescriptor.standardInput.isTerminal))
    return ServeLoop(
      server: server, setup: setup, store: store, log: log, color: color, console: console,
      watch: watch)
  }

  /// The credentials that devices trust. `authority` is nil for a certificate from elsewhere.
  private typealias Trust = (identity: Identity, hosts: ServerHosts, authority: Authority?)

  private func trust(_ folders: UserFolders, _ console: Console) throws -> Trust {
    guard let (path, keyPath) = identityPaths else {
      let hosts = ServerHosts(given: hosts)
      let authority = try Authority.load(from: folders.data, keyType: keyType, remedy: renewal) {
        console.tell(waitingText($0))
      }
      let identity = try Identity(
        names: hosts.names, addresses: hosts.addresses, keyType: keyType, issuedBy: authority)
      return (identity, hosts, authority)
    }
    let identity = try Identity(certificate: path, key: keyPath)
    var warnings = identity.objections(hosts: hosts)
    if keyPath.permits(0o077) {
      warnings.append(
        "other users can read or write the key '\(keyPath)': 'chmod 600' prevents that")
    }
    if path.permits(0o022) {
      warnings.append(
        "other users can write to the certificate '\(path)': 'chmod 644' prevents that")
    }
    for warning in warnings { console.tell("warning: \(warning)") }
    return (identity, ServerHosts(of: identity.certificate, given: hosts), nil)
  }

  private func setupPage(_ trust: Trust, _ port: UInt16) -> String {
    "http://\(trust.hosts.reachable[0]):\(port)/"
  }

  /// The page that installs the authority; nil if it is disabled, or if its default port is in use.
  private func setupServer(
    _ trust: Trust, _ hosts: [String], _ console: Console
  ) throws -> SetupServer? {
    guard let setupPort, let authority = trust.authority else { return nil }
    do {
      let sockets = try ListeningSockets(port: setupPort, onlyLoopback: trust.hosts.onlyLoopback)
      return try SetupServer(
        authority, servedHosts: hosts, asksForPassword: credentials != nil,
        code: trust.hosts.areLocal ? nil : codePicture(setupPage(trust, sockets.port)),
        on: sockets, identity: trust.identity)
    } catch {
      if typed.has(Self.setupPort) { throw error }
      console.tell("warning: no setup page: \(error) with --\(Self.setupPort.long)")
      return nil
    }
  }
}
