import BAPackCore
import CommandLine

/// `info`: summarizes a pack, and shows what an upload needs.
struct Info: Command {
  static let row = CommandRow(
    name: "info", overview: "Show an asset pack's manifest, container, sizes and checksums.",
    discussion: [
      """
      An upload to App Store Connect needs the file's name, its size in bytes and its MD5. The sizes \
      by extension are uncompressed.
      """
    ],
    arguments: [PackReading.pack],
    options: [PackReading.format, PackReading.limit, PackReading.limitEntries, PackReading.jobs],
    examples: [
      Example("ba-package info Harbour.aar", "Summarize a pack."),
      Example("ba-package info --format json Harbour.aar", "The same as JSON."),
    ],
    exitStatus: ExitStatus.reading,
    command: { typed throws(UsageError) in try Info(typed) })

  let path: BytePath
  let format: PackReading.Format
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    path = typed.path(PackReading.pack)
    format = try typed.choice(PackReading.format)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let summary = try reading.summary(of: path)
    switch format {
    case .text: try console.write(summary.text(width: console.width))
    case .json: try console.write(JSONWriter.bytes(summary.json))
    }
    if let remark = summary.remark { console.note("warning: '\(path.shown)': \(remark)") }
    return .success
  }
}
