import BACommandLine
import BAPackCore
import BAServer

/// Everything besides requests: typed commands, changed packs, and hints.
struct ServeLoop {
  let server: AssetPackServer
  let setup: SetupServer?
  var store: PackStore
  let log: ServeLog
  let color: ColorChoice
  let console: Console
  /// Nil if packs are not watched.
  let watch: FolderWatch?
  var input: [UInt8] = []
  var readsInput = true

  enum End {
    case quit
    case outputClosed
    case signal(CInt)
  }

  /// The interval for checking hints, in milliseconds.
  private static let tick: CInt = 250
  /// The time in milliseconds without a change after which packs are reloaded.
  private static let quiet: CInt = 150

  mutating func run() -> End {
    InputPoll.ignoreTerminalStops()
    while true {
      if let signal = Interruption.pending { return .signal(signal) }
      if log.isClosed { return .outputClosed }
      log.sayDueHints()
      server.state.closeUnused()
      let ready = InputPoll.wait(
        [readsInput ? InputPoll.standardInput : -1, watch?.descriptor ?? -1],
        milliseconds: Self.tick)
      if ready[1], let watch { reload(watch) }
      if ready[0], readInput() { return .quit }
    }
  }

  /// Reads the input; true if a command ends the server.
  private mutating func readInput() -> Bool {
    let bytes = InputPoll.input(of: InputPoll.standardInput)
    if bytes.isEmpty { readsInput = false }
    input += bytes
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeFirst(end + 1)
      if obey(line) { return true }
    }
    // No command is that long.
    if input.count > 4096 { input = [] }
    return false
  }

  private mutating func obey(_ line: String) -> Bool {
    do {
      switch try FaultCommand(line) {
      case nil: break
      case .quit?: return true
      case .help?:
        let rows = FaultCommand.reference.map { [$0.words, $0.meaning] }
        for line in aligned(rows) { log.say("", line) }
      case .status?: sayFaults()
      case .packs?:
        for line in packLines(server.state.catalog) { log.say("", line) }
      case .clear(let kind, let name)?:
        server.state.faults.clear(kind, try name.map(server.state.catalog.identifier(named:)))
        sayFaults()
      case .set(let kind, let name, let value)?:
        server.state.faults.set(
          kind, try name.map(server.state.catalog.identifier(named:)), to: value)
        sayFaults()
      }
    } catch {
      log.say("error", "\(error)")
    }
    return false
  }

  private func sayFaults() {
    let lines = server.state.faults.lines
    for line in lines.isEmpty ? ["no faults are set"] : lines { log.say("", line) }
  }

  /// Reloads packs when changes have stopped, but after at most two seconds.
  private mutating func reload(_ watch: FolderWatch) {
    let start = Clock.steady
    repeat {
      watch.drain()
    } while InputPoll.wait([watch.descriptor], milliseconds: Self.quiet)[0]
      && Clock.steady - start < 2_000_000_000 && Interruption.pending == nil
    let outcome = store.load(watching: watch) { log.say("warning", waitingText($0)) }
    console.tell(outcome.findings, color)
    for problem in outcome.problems { log.say("error", problem) }
    for warning in outcome.warnings { log.say("warning", warning) }
    if let catalog = outcome.catalog {
      let changes = catalog.changes(from: server.state.catalog)
      server.state.catalog = catalog
      if !changes.isEmpty { log.packsChanged(changes) }
    }
  }
}
