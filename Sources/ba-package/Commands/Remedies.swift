import BAApps
import BACommandLine
import BAImporters
import BAPackCore

/// An error in words, with the option of this program that helps: the library names none.
func words(for error: any Error) -> String {
  switch (error as? PackError)?.underlying ?? error {
  case let error as ArchiveDamage: "\(error)" + hint(for: error)
  case PackagingError.link: "\(error); --\(Extract.only.long) selects other files"
  case PackagingError.notAssetPack: "\(error); --\(Extract.any.long) extracts it as it is"
  case PackagingError.outputExists(let path): exists(path)
  case PackagingError.outOfMemory: "\(error); fewer --\(PackReading.jobs.long) need less"
  case PackagingError.notAReport: "\(error); 'report --\(Report.format.long) json' writes reports"
  case let error as SystemError where error.code == .fileExists && error.operation != .createFolder:
    exists(error.path)
  case let error as SystemError: "\(error)" + suggestion(for: error)
  default: "\(error)"
  }
}

/// A path that may have been meant instead of one that doesn't exist.
private func suggestion(for error: SystemError) -> String {
  guard error.code == .noSuchFile, [.open, .openFolder, .lookUp].contains(error.operation) else {
    return ""
  }
  return error.path.similar().map { "; did you mean '\($0)'?" } ?? ""
}

private func exists(_ path: BytePath) -> String {
  "'\(path)' already exists; use --force to replace it"
}

private func hint(for damage: ArchiveDamage) -> String {
  switch damage.exceeded {
  case .rawSize: "; --\(PackReading.limit.long) allows more"
  case .entries: "; --\(PackReading.limitEntries.long) allows more"
  case nil: ""
  }
}

extension Rule {
  /// The option of this program that helps with a finding; nil if there is none.
  var hint: String? {
    switch self {
    case .projectFile:
      "`ba-package template --project` prints a file with every key; `ba-package explain` lists the "
        + "rules. `--project-file` names one that belongs to somebody else."
    case .fileInNoPack:
      "`validate --coverage` looks for such files."
    case .linkOutsideRoot: "`--links follow` follows links wherever they lead."
    case .tooManyEntries: "`--limit-entries` sets the limit of commands that read packs."
    case .stubFile: "`--allow-stubs` packages pointers as they are."
    case .appInfoExtra: "`--hosting self` checks for packs on your own server."
    case .missingKey, .placeholder: "`ba-package template` prints a manifest with all keys."
    case .downloadVersion: "`ba-package download-manifest update` counts versions up."
    case .depotReading: "`ba-package evaluate` lists the files."
    case .appInfoMissing: "`ba-package app-info` prints all keys."
    case .onDemandTarget: "`--target` names the target."
    default: nil
    }
  }
}

extension DamageReason {
  /// The option of this program that helps with damage of this kind; nil if there is none.
  var hint: String? {
    switch self {
    case .limit: "`--limit` and `--limit-entries` set the limits."
    case .notAnArchive: "`validate` and `evaluate` read manifests, `package` makes packs of them."
    default: nil
    }
  }
}
