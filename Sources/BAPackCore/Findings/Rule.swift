/// A rule that manifests and packs are held against. Its raw value is its stable id; `documentation`
/// says the rest.
public enum Rule: String, Sendable, CaseIterable {
  // The text of a manifest.

  /// The manifest is not JSON5.
  case syntax
  /// The manifest is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// The manifest is larger or deeper than is read.
  case manifestTooLarge = "manifest-too-large"
  /// A key stands twice in an object.
  case duplicateKey = "duplicate-key"

  // Keys and values.

  /// A key that manifests don't have.
  case unknownKey = "unknown-key"
  /// A key that must be there is not.
  case missingKey = "missing-key"
  /// A value of another kind than its key takes.
  case wrongType = "wrong-type"
  /// `null`.
  case nullValue = "null-value"
  /// A list without the elements that it needs.
  case emptyList = "empty-list"
  /// A list names the same thing twice.
  case repeatedElement = "repeated-element"
  /// A platform or an event that does not exist.
  case unknownValue = "unknown-value"
  /// No download policy.
  case missingPolicy = "missing-policy"
  /// More than one download policy.
  case severalPolicies = "several-policies"
  /// A language that is no tag.
  case invalidLanguage = "invalid-language"
  /// A placeholder of the template that was not filled in.
  case placeholder
  /// A number that plain JSON cannot say.
  case notPlainJSON = "not-plain-json"

  // Selectors.

  /// A selector without a key that says what it selects.
  case unknownSelector = "unknown-selector"
  /// A selector with keys of two kinds.
  case conflictingSelector = "conflicting-selector"
  /// A source without its destination, or the reverse.
  case incompleteSelector = "incomplete-selector"
  /// An empty path.
  case emptyPath = "empty-path"
  /// A path that begins at the top of the file system.
  case absolutePath = "absolute-path"
  /// A path with `..` in it.
  case parentPath = "parent-path"
  /// A path that cannot name a file in a pack.
  case invalidPath = "invalid-path"
  /// A glob that cannot be read.
  case invalidPattern = "invalid-pattern"

  // What selectors meet in the repository.

  /// The folder that selectors start from does not exist.
  case missingRoot = "missing-root"
  /// A selector names nothing that exists.
  case missingFile = "missing-file"
  /// A selector for a file names something else.
  case notAFile = "not-a-file"
  /// A selector for a directory names something else.
  case notADirectory = "not-a-directory"
  /// A symbolic link that leads to nothing.
  case danglingLink = "dangling-link"
  /// A symbolic link that leads back to itself.
  case linkLoop = "link-loop"
  /// A symbolic link that leads out of the source root.
  case linkOutsideRoot = "link-outside-root"
  /// A folder that links lead to too often.
  case repeatedFolder = "repeated-folder"
  /// A socket, a pipe or a device.
  case specialFile = "special-file"
  /// A file or a folder that cannot be read.
  case unreadableFile = "unreadable-file"
  /// A name that is not UTF-8.
  case nameNotUTF8 = "name-not-utf8"
  /// Two files for one path in the pack.
  case destinationClash = "destination-clash"
  /// A path longer than devices take.
  case pathTooLong = "path-too-long"
  /// A pattern that matches nothing.
  case nothingMatched = "nothing-matched"
  /// An exclusion that takes nothing out.
  case unusedExclusion = "unused-exclusion"
  /// A pack without files.
  case emptyPack = "empty-pack"

  // What the store and devices refuse or stumble over.

  /// An identifier that App Store Connect refuses.
  case assetPackID = "asset-pack-id"
  /// `userInfo` in a pack that Apple hosts.
  case userInfoHosting = "user-info-hosting"
  /// Code for a Mac.
  case machOExecutable = "mach-o-executable"
  /// Names that differ in case only.
  case caseClash = "case-clash"
  /// Names that differ in normalization only.
  case normalizationClash = "normalization-clash"
  /// A file that the system or a tool left behind.
  case strayFile = "stray-file"
  /// A pack larger than the store takes.
  case packTooLarge = "pack-too-large"

  // Several manifests together.

  /// Two manifests with one identifier.
  case repeatedAssetPackID = "repeated-asset-pack-id"
  /// Different contents at one path in two packs.
  case contentsClash = "contents-clash"
  /// More packs than the store takes.
  case tooManyPacks = "too-many-packs"

  // Steam build scripts.

  /// A Steam build script is not KeyValues text.
  case depotSyntax = "depot-syntax"
  /// A Steam build script reads only with escapes.
  case depotEscapes = "depot-escapes"
  /// A Steam build script holds a condition such as `[$WIN32]`.
  case depotConditional = "depot-conditional"
  /// A Steam build script includes another file.
  case depotInclude = "depot-include"
  /// A Steam build script does not describe one depot.
  case depotKind = "depot-kind"
  /// A Steam build script holds a key that can't be converted.
  case depotKey = "depot-key"
  /// A value of a Steam build script is missing, stands twice or is not of its kind.
  case depotValue = "depot-value"
  /// A path of a Steam build script that a manifest can't say.
  case depotPath = "depot-path"
  /// A key of a Steam build script has no counterpart.
  case depotLeftOut = "depot-left-out"
  /// Files that a pattern takes in Steam are listed by name.
  case depotListed = "depot-listed"
  /// Steam's documentation leaves a meaning open.
  case depotReading = "depot-reading"

  // Download manifests.

  /// A download manifest does not have the form of one.
  case downloadManifest = "download-manifest"
  /// The file of contents digests beside a download manifest does not have the form of one.
  case downloadRecords = "download-records"
  /// A pack can't be served below the base URL, or should not be.
  case downloadURL = "download-url"
  /// The version of a pack in a download manifest must not be what it would be.
  case downloadVersion = "download-version"
  /// Two packs of a download manifest have one identifier.
  case duplicatePack = "duplicate-pack"
  /// A pack is not made for a platform that a download manifest is for.
  case packPlatform = "pack-platform"

  /// The severity of a finding of this rule, unless a command changes it.
  public var severity: Severity { documentation.severity }
}
