import BACommandLine
import BAPackCore

/// `extract`: extracts the files of packs.
struct Extract: Command {
  static let output = Option(
    "output-path", "o", name: "dir", .directory, isRequired: true,
    help: "The folder to extract into, new or empty.")
  static let only = Option(
    "only", name: "glob", .text, arity: .repeating,
    help: "Extract only files that match, or are in a folder that matches.")
  static let any = Option(
    "any",
    help:
      "Extract any Apple Archive as it is, not only what games read of an asset pack. Links are skipped."
  )
  static let row = CommandRow(
    name: "extract", overview: "Extract the files of asset packs.",
    discussion: [
      """
      Several packs are merged as on a device; it is an error if their paths conflict. Nothing is \
      written outside the folder: paths that would leave it are errors, and links in packs are not \
      created. The folder appears complete or not at all.
      """,
      DeviceOptions.discussion,
    ],
    arguments: [PackReading.packs],
    options: [output, only] + DeviceOptions.all + [any, Checking.project]
      + PackReading.options
      + [PackReading.noProgress, PackReading.quiet],
    exclusive: DeviceOptions.all.map { [any, $0] },
    examples: [
      "ba-package extract Harbour.aar -o Harbour": "Extract a pack.",
      "ba-package extract build -o Game --only 'Textures/**/*.png'":
        "Extract some files of all packs.",
      "ba-package extract build/*.aar -o Game --language pt-BR --platform iOS":
        "Extract what a Brazilian player has on an iPhone.",
      "ba-package extract --any App.aar -o App": "Unpack an archive that is not an asset pack.",
    ],
    exitStatus: [
      "0": "Success.",
      "1": "Nothing was extracted.",
    ],
    synonyms: ["unpack", "unzip", "untar"],
    command: Extract.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let reading = PackReading(typed)
    var extraction = Extraction()
    extraction.globs = try typed.values(Self.only, Extraction.glob)
    let device = try DeviceOptions(typed)
    Interruption.postpone()
    let packs = try typed.packs()
    let output = BytePath(typed.required(Self.output))
    if output.isStandardStream {
      throw UsageError.invalid(
        output.bytes, for: Self.output, reason: "files need a folder; 'cat' prints one")
    }
    // Copies of a file in several packs are compared.
    if packs.count > 1 || device.device != nil { try reading.rejectPipes(packs) }
    extraction.wholeArchives = typed.has(Self.any)
    extraction.limits = reading.limits
    extraction.jobs = reading.jobs
    extraction.removedLeftover = tellLeftover
    let progress = typed.showsProgress ? PackReading.progress(of: packs, console) : nil
    if let progress { extraction.progress = { progress.show($0) } }
    let extracted = try device.read(packs, console) { device in
      extraction.device = device
      defer { progress?.erase() }
      do {
        let extracted = try makingFolder(of: output) { try extraction.run(packs, into: output) }
        return (extracted, extracted.language)
      } catch {
        switch error {
        case PackagingError.noMatch: throw noMatch
        case PackagingError.severalLanguages, PackagingError.severalRegions,
          PackagingError.severalPlatforms, PackagingError.noPrimaryLanguage,
          PackagingError.notAssetPack:
          throw error
        case let error as SystemError where error.operation == .syncFolder: throw error
        default: throw PackagingError(words(for: error) + "; nothing was extracted")
        }
      }
    }
    if let link = extracted.skippedLinks.first {
      console.tell(
        "warning: \(counted(extracted.skippedLinks.count, "symbolic link")) not extracted, the first "
          + "being '\(link.path)' -> '\(printable(link.entry.linkTarget ?? []))'")
    }
    if !typed.isQuiet {
      console.tell(
        "\(output): \(counted(extracted.files.count, "file")), \(byteCount(extracted.size))"
          + (packs.count == 1
            ? ""
            : extracted.packs < packs.count
              ? " from \(extracted.packs) of \(packs.count) packs" : " from \(packs.count) packs"))
    }
    return .success
  }

  private var noMatch: PackagingError {
    let patterns = typed.values(Self.only).map { printable($0) }
    let shown = patterns.map { "'\($0)'" }.joined(separator: " or ")
    let hint = patterns.first { !$0.contains("/") }.map { pattern in
      "; patterns start at the top of the pack: '**/\(pattern)' matches in any folder"
    }
    return PackagingError("no file matches \(shown)\(hint ?? "; nothing was extracted")")
  }
}
