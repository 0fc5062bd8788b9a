import AssetPackServer
import BAPackCore
import CommandLine

extension Serve {
  func run(_ console: Console) throws(CommandError) -> ExitCode {
    Interruption.postpone()
    let folders = try userFolders()
    var store = PackStore(settings, folders)
    let outcome = store.load()
    console.note(outcome.findings, color)
    for problem in outcome.problems { console.note("error: \(problem)") }
    for warning in outcome.warnings { console.note("warning: \(warning)") }
    if let signal = Interruption.pending { throw .interrupted(signal, "stopped before serving") }
    guard let catalogue = outcome.catalogue else { return .failure }
    try checkFaults(catalogue)

    let trust = try trust(folders, console)
    let log = ServeLog(format)
    let server = try start(catalogue, trust, log)
    let urls = trust.hosts.reachable.map { "https://\($0):\(server.port)" }
    let setup = try setupServer(trust, urls, console)
    let page = setup.map { "http://\(trust.hosts.reachable[0]):\($0.port)/" }
    log.begin(
      ServeStart(
        catalogue: catalogue, urls: urls, page: page, authority: trust.authority,
        isOnTerminal: FileDescriptor.withStandardOutput { $0.isTerminal },
        takesCommands: FileDescriptor.withStandardInput { $0.isTerminal }),
      hints: Hints(authority: trust.authority?.certificate.commonName, setupPage: page))
    var loop = ServeLoop(server, store, log, color, console, watch: try makeWatch())
    let end = loop.run()
    server.stop()
    setup?.stop()
    switch end {
    case .quit:
      log.say("", log.summary)
      return .success
    case .outputClosed: return .outputClosed
    case .signal(let number):
      // Stopping a server is not an error.
      log.say("", "stopped by \(Interruption.name(of: number)): \(log.summary)")
      ProcessContext.exit(128 + number)
    }
  }

  private func makeWatch() throws(CommandError) -> FolderWatch? {
    guard watches else { return nil }
    return try mapping({ CommandError($0 as SystemError) }, FolderWatch())
  }
}
