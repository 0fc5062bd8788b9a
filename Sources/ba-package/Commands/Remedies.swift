import BAPackCore
import CommandLine
import XcodeProject

// The library's messages describe problems; these additions name the options that solve them.

extension ArchiveDamage {
  /// The damage, with the option that helps.
  var remedied: String { description + hint }

  fileprivate var hint: String {
    switch exceeded {
    case .rawSize: "; --\(PackReading.limit.long) allows more"
    case .entries: "; --\(PackReading.limitEntries.long) allows more"
    case nil: ""
    }
  }
}

extension ArchiveError {
  /// The description, with the option that helps.
  var remedied: String {
    if case .damage(let damage) = cause { description + damage.hint } else { description }
  }
}

extension ExtractionError {
  /// The description, with the option that helps.
  var remedied: String {
    switch self {
    case .archive(let error): error.remedied
    case .existing: "\(self); --\(Extract.force.long) replaces files"
    case .link: "\(self); --\(Extract.only.long) selects other files"
    case .notAssetPack: "\(self); --\(Extract.any.long) extracts it as it is"
    default: description
    }
  }
}

extension PackagingError {
  /// The description, with the option that helps.
  var remedied: String {
    switch self {
    case .outputExists(let path): CommandError.exists(path).message
    case .outOfMemory: "\(self); fewer --\(Packing.jobs.long) need less"
    default: description
    }
  }
}

extension ReportError {
  /// The description, with the command that helps.
  var remedied: String {
    switch self {
    case .notAReport: "\(self); 'report --\(Report.format.long) json' writes reports"
    default: description
    }
  }
}

extension Rule {
  /// The option of this program that helps with a finding; nil if there is none.
  var hint: String? {
    switch self {
    case .projectFile:
      "`ba-package template --project` prints a file with every key; `ba-package explain` lists the "
        + "rules."
    case .fileInNoPack:
      "`validate --coverage` looks for such files."
    case .linkOutsideRoot: "`--links follow` follows links wherever they lead."
    case .stubFile: "`--allow-stubs` packages pointers as they are."
    case .appInfoExtra: "`--hosting self` checks for packs on your own server."
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
    default: nil
    }
  }
}
