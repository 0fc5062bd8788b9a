/// What a rule is about. `ba-package explain` and the list of rules in the documentation are made
/// from this; its texts are Markdown.
public struct RuleDocumentation: Sendable {
  /// The weight of a finding, unless a command changes it.
  public let severity: Severity
  /// The part of the program that the rule belongs to.
  public let area: Area
  /// What a finding of the rule means, on one line.
  public let title: String
  /// Why the rule is there, and where it comes from.
  public let reason: String
  /// What to do about it.
  public let remedy: String
  /// A piece of a manifest (or of a script) that breaks the rule; empty where none can show it.
  public let example: String

  /// The groups of rules, in the order in which they are listed.
  public enum Area: String, Sendable, CaseIterable {
    /// The manifest as a text.
    case text = "The text of a manifest"
    /// The manifest's keys and their values.
    case keys = "Keys and values"
    /// The selectors as they are written.
    case selectors = "Selectors"
    /// What the selectors meet.
    case files = "Files"
    /// The store's and the devices' limits.
    case store = "The store and devices"
    /// Several manifests.
    case packs = "Several packs"
    /// Steam build scripts.
    case depot = "Steam build scripts"
    /// Download manifests.
    case downloads = "Download manifests"
  }

  init(
    _ severity: Severity, _ area: Area, _ title: String, reason: String, remedy: String,
    example: String = ""
  ) {
    self.severity = severity
    self.area = area
    self.title = title
    self.reason = reason
    self.remedy = remedy
    self.example = example
  }
}

extension Rule {
  /// What the rule is about.
  public var documentation: RuleDocumentation {
    switch self {
    case .syntax: .syntax
    case .invalidUTF8: .invalidUTF8
    case .manifestTooLarge: .manifestTooLarge
    case .duplicateKey: .duplicateKey
    case .unknownKey: .unknownKey
    case .missingKey: .missingKey
    case .wrongType: .wrongType
    case .nullValue: .nullValue
    case .emptyList: .emptyList
    case .repeatedElement: .repeatedElement
    case .unknownValue: .unknownValue
    case .missingPolicy: .missingPolicy
    case .severalPolicies: .severalPolicies
    case .invalidLanguage: .invalidLanguage
    case .placeholder: .placeholder
    case .notPlainJSON: .notPlainJSON
    case .unknownSelector: .unknownSelector
    case .conflictingSelector: .conflictingSelector
    case .incompleteSelector: .incompleteSelector
    case .emptyPath: .emptyPath
    case .absolutePath: .absolutePath
    case .parentPath: .parentPath
    case .invalidPath: .invalidPath
    case .invalidPattern: .invalidPattern
    case .missingRoot: .missingRoot
    case .missingFile: .missingFile
    case .notAFile: .notAFile
    case .notADirectory: .notADirectory
    case .danglingLink: .danglingLink
    case .linkLoop: .linkLoop
    case .linkOutsideRoot: .linkOutsideRoot
    case .repeatedFolder: .repeatedFolder
    case .specialFile: .specialFile
    case .unreadableFile: .unreadableFile
    case .nameNotUTF8: .nameNotUTF8
    case .destinationClash: .destinationClash
    case .pathTooLong: .pathTooLong
    case .nothingMatched: .nothingMatched
    case .unusedExclusion: .unusedExclusion
    case .emptyPack: .emptyPack
    case .assetPackID: .assetPackID
    case .userInfoHosting: .userInfoHosting
    case .machOExecutable: .machOExecutable
    case .caseClash: .caseClash
    case .normalizationClash: .normalizationClash
    case .strayFile: .strayFile
    case .packTooLarge: .packTooLarge
    case .repeatedAssetPackID: .repeatedAssetPackID
    case .contentsClash: .contentsClash
    case .tooManyPacks: .tooManyPacks
    case .depotSyntax: .depotSyntax
    case .depotEscapes: .depotEscapes
    case .depotConditional: .depotConditional
    case .depotInclude: .depotInclude
    case .depotKind: .depotKind
    case .depotKey: .depotKey
    case .depotValue: .depotValue
    case .depotPath: .depotPath
    case .depotLeftOut: .depotLeftOut
    case .depotListed: .depotListed
    case .depotReading: .depotReading
    case .downloadManifest: .downloadManifest
    case .downloadRecords: .downloadRecords
    case .downloadURL: .downloadURL
    case .downloadVersion: .downloadVersion
    case .duplicatePack: .duplicatePack
    case .packPlatform: .packPlatform
    }
  }
}
