import BACommandLine
import BAPackCore

/// `cat`: prints the contents of one file.
struct Cat: Command {
  static let path = Argument("path", .text, help: "The path of the file, as the game reads it.")
  static let row = CommandRow(
    name: "cat", overview: "Print one file of asset packs to standard output.",
    discussion: [
      """
      Several packs are merged as on a device. Blocks that contain only other files are skipped, \
      except for a few that are decoded ahead.
      """,
      DeviceOptions.discussion,
    ],
    arguments: [PackReading.packs, path],
    options: DeviceOptions.all + [Checking.project] + PackReading.options,
    examples: [
      "ba-package cat Harbour.aar Levels/order.txt": "Print a file of a pack.",
      "ba-package cat build Dialogue/keeper.txt --language de": "Print a file in a language.",
    ],
    exitStatus: PackReading.exitStatus,
    command: Cat.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let reading = PackReading(typed)
    let device = try DeviceOptions(typed)
    let paths = try typed.packs()
    let packs = try reading.read(paths)
    let owned = try device.read(paths, console) { device in
      let owned = try packs.owned(by: device)
      return (owned.packs.map { packs[$0] }, owned.language)
    }
    let merged = try MergedPacks(owned, jobs: reading.jobs)
    let file = try find(in: merged, among: packs)
    try merged.packs[file.pack].readContents(of: file.entry, jobs: reading.jobs) { bytes in
      try FileDescriptor.writeToStandardOutput(bytes)
    }
    return .success
  }

  /// The file, of those that a device has; `packs` are all there are.
  private func find(in merged: MergedPacks, among packs: [PackIndex]) throws -> PackedFile {
    let names = typed.paths(PackReading.packs).map { "'\($0)'" }.joined(separator: ", ")
    let path = typed.required(Self.path)
    let relative = RelativePath(path)
    guard let file = relative.flatMap(merged.file(at:)) else {
      let shown = printable(path)
      if relative.map(merged.directories.contains) == true {
        throw PackagingError(
          "'\(shown)' in \(names) is a directory; 'list' shows its files, 'extract' copies them")
      }
      if let game = PackFormat.contentsPath(of: path) {
        throw PackagingError("no '\(shown)' in \(names); games read it as '\(printable(game))'")
      }
      if let relative,
        let other = packs.first(where: { $0.entries.contains { $0.gamePath == relative } })
      {
        throw PackagingError("no '\(shown)' for this device in \(names); '\(other.path)' has it")
      }
      let near = suggestion(for: shown, among: merged.files.map { $0.path.description })
      throw PackagingError(
        "no '\(shown)' in \(names)" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    if file.entry.kind == .symbolicLink {
      throw PackagingError(
        "'\(file.path)' is a symbolic link to '\(printable(file.entry.linkTarget ?? []))'")
    }
    return file
  }
}
