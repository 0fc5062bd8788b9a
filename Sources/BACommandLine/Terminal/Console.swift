import BADiagnostics

/// The output of a command: results go to the standard output, findings and messages to the
/// standard error.
///
/// Results are buffered, and flushed before each message, so both appear in the right order
/// when they share a terminal.
package final class Console {
  /// The width for wrapping lines: `COLUMNS`, the terminal's width, or 80.
  package let width: Int
  private let noteWidth: Int
  /// The width of the standard output, if `COLUMNS` or a terminal defines it.
  package let outputColumns: Int?
  /// The width of the standard error, if `COLUMNS` or a terminal defines it.
  package let noteColumns: Int?
  private let decoratesOutput: Bool
  private let decoratesNotes: Bool
  private let forbidsColor: Bool
  private var buffer: [UInt8] = []
  /// The first write error, which is thrown by the next write.
  private var failure: SystemError?

  package init() {
    let output = FileDescriptor.standardOutput
    let notes = FileDescriptor.standardError
    let outputWidth = output.terminalWidth
    let columns = ProcessContext.environment("COLUMNS").flatMap {
      Int(String(decoding: $0, as: UTF8.self))
    }
    width = min(max(columns ?? outputWidth ?? 80, 40), 1000)
    let isDumb = ProcessContext.environment("TERM") == Array("dumb".utf8)
    decoratesOutput = output.isTerminal && !isDumb
    decoratesNotes = notes.isTerminal && !isDumb
    outputColumns = columns ?? outputWidth
    noteColumns = columns ?? notes.terminalWidth
    noteWidth = notes.terminalWidth ?? 80
    forbidsColor = !(ProcessContext.environment("NO_COLOR") ?? []).isEmpty
  }

  /// Writes a part of the command's output, as ``printableLines(_:)``.
  package func write(_ text: String) throws { try write(printableLines(text)) }

  /// Writes bytes of the command's output as they are.
  package func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 1 << 16 { flush() }
    if let failure { throw failure }
  }

  package func write(_ json: JSONValue) throws {
    try JSONWriter.write(json) { try write($0) }
  }

  /// Writes a finding, a message or a summary, and a line feed, to the standard error.
  ///
  /// Errors are ignored, as they can't be reported anywhere.
  package func tell(_ text: String) {
    flush()
    FileDescriptor.writeToStandardError(text + "\n")
  }

  /// Progress of work on `total` bytes; nil unless the standard error is a terminal, or the log of
  /// a CI system, which sets `CI`.
  package func progress(of total: UInt64) -> Progress? {
    let ci = ProcessContext.environment("CI") ?? []
    guard decoratesNotes || !ci.isEmpty && ci != Array("false".utf8) else { return nil }
    flush()
    return Progress(
      total: total, width: noteWidth, on: decoratesNotes ? .terminal : .log)
  }

  /// Flushes the output; throws the first write error.
  package func finish() throws {
    flush()
    if let failure { throw failure }
  }

  package func colorsOutput(_ choice: ColorChoice) -> Bool {
    choice.allows(decoratesOutput, forbidsColor)
  }

  package func colorsNotes(_ choice: ColorChoice) -> Bool {
    choice.allows(decoratesNotes, forbidsColor)
  }

  private func flush() {
    let bytes = buffer
    buffer = []
    guard !bytes.isEmpty, failure == nil else { return }
    do {
      try bytes.withRawSpan { bytes throws(SystemError) in
        try FileDescriptor.writeToStandardOutput(bytes)
      }
    } catch {
      failure = error
    }
  }
}

package enum ColorChoice: String, CaseIterable {
  /// On a terminal that supports them, unless `NO_COLOR` is set and not empty.
  case auto
  case always
  case never

  fileprivate func allows(_ isTerminal: Bool, _ isForbidden: Bool) -> Bool {
    switch self {
    case .auto: isTerminal && !isForbidden
    case .always: true
    case .never: false
    }
  }
}

extension Console {
  /// Writes findings that were rendered as `format`. Only those for people are text for a terminal:
  /// annotations of GitHub are commands.
  package func write(_ findings: String, as format: FindingFormat) throws {
    if format == .text { try write(findings) } else { try write(Array(findings.utf8)) }
  }

  package func tell(_ findings: [Finding], _ color: ColorChoice) {
    guard !findings.isEmpty else { return }
    let text = findings.rendered(as: .text, color: colorsNotes(color), columns: noteColumns)
    tell(String(text.dropLast()))
  }
}
