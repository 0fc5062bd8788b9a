import BAPackCore
import CommandLine

/// `info`: what a pack is, and what an upload asks for.
struct Info: Command {
  static let row = CommandRow(
    name: "info", overview: "Show what an asset pack is: manifest, container, sizes, checksums.",
    discussion: [
      """
      An upload to App Store Connect asks for the file's name, its size in bytes and its MD5. The \
      list by extension is of the bytes before compression.
      """
    ],
    arguments: [PackReading.pack],
    options: [PackReading.format, PackReading.limit, PackReading.jobs],
    examples: [
      Example("ba-package info Harbour.aar", "Show a pack's facts."),
      Example("ba-package info --format json Harbour.aar", "The same for programs."),
    ],
    exitStatus: ExitStatus.reading,
    command: { typed throws(UsageError) in try Info(typed) })

  let path: FilePath
  let format: PackReading.Format
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    path = typed.path(PackReading.pack)
    format = try typed.choice(PackReading.format)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let summary = PackSummary(try reading.read(path, .fileDigests))
    switch format {
    case .text: try console.write(summary.text(width: console.width))
    case .json: try console.write(JSONWriter.bytes(summary.json))
    }
    if let remark = summary.remark { console.note("warning: '\(path.shown)': \(remark)") }
    return .success
  }
}
