import BAPackCore

@main
struct Main {
  static func main() {
    Interruption.turnWriteSignalsIntoErrors()
    allowManyOpenFiles()
    let console = Console()
    ProcessContext.exit(status(of: ProcessContext.arguments, console))
  }

  private static func status(of words: [[UInt8]], _ console: Console) -> Int32 {
    do throws(CommandError) {
      let request: Request
      do throws(FailedParse) {
        request = try parse(words, with: tool)
      } catch {
        console.note(errorText(error))
        return ExitCode.usage.rawValue
      }
      let code = try answer(request, console)
      try console.finish()
      return code.rawValue
    } catch {
      switch error {
      case .failure(let message):
        console.note("error: \(message)")
        return Interruption.pending.map { 128 + $0 } ?? ExitCode.failure.rawValue
      case .outputClosed: return ExitCode.outputClosed.rawValue
      case .interrupted(let signal, let message):
        console.note("error: \(message)")
        return 128 + signal
      }
    }
  }

  private static func answer(
    _ request: Request, _ console: Console
  ) throws(CommandError) -> ExitCode {
    switch request {
    case .run(let command): return try command.run(console)
    case .help(let path): try console.write(helpText(path, width: console.width))
    case .version: try console.write(toolVersion + "\n")
    case .completionScript(let shell): try console.write(completionScript(for: shell, of: tool))
    case .manual: try console.write(manual(of: tool))
    }
    return .success
  }
}
