extension Rule {
  /// The rules of manifests, packs and download manifests, area by area.
  public static let all: [Rule] =
    textRules + [
      .unknownKey, .missingKey, .wrongType, .nullValue, .emptyList, .repeatedElement, .unknownValue,
      .missingPolicy, .severalPolicies, .invalidLanguage, .unregisteredLanguage, .replacedLanguage,
      .placeholder, .unknownSelector, .conflictingSelector, .incompleteSelector, .emptyPath,
      .absolutePath, .parentPath, .invalidPath, .invalidPattern, .folderAsTop, .missingRoot,
      .missingFile, .notAFile, .notADirectory, .danglingLink, .linkLoop, .linkOutsideRoot,
      .outputSelected, .repeatedFolder, .specialFile, .unreadableFile, .nameNotUTF8,
      .destinationClash, .pathTooLong, .tooManyEntries, .nothingMatched, .unusedExclusion,
      .emptyPack, .stubFile, .emptyFile, .windowsName, .conflictMarkers, .convertedLineEndings,
      .sourceArt, .duplicateFiles, .untrackedFile, .lostExecuteBit, .assetPackID, .userInfoHosting,
      .machOExecutable, .caseClash, .normalizationClash, .strayFile, .packTooLarge,
      .repeatedAssetPackID, .contentsClash, .languageGap, .languageWithoutPack, .noPrimaryLanguage,
      .localizedReach, .tooManyPacks, .fileInNoPack, .pathRemoved, .packRemoved, .pathMoved,
      .pathRenamed, .policyChanged, .platformDropped, .languageChanged, .versionInID, .projectFile,
      .sizeBudget, .downloadManifest, .downloadRecords, .downloadURL,
      .downloadVersion, .duplicatePack, .packPlatform, .downloadLanguage,
    ]

  /// The rule that is called `id`; nil if there is none, as for a misspelled one.
  public init?(id: String) {
    guard let rule = Self.all.first(where: { $0.id == id }) else { return nil }
    self = rule
  }
}

extension Rule.Area {
  package static let contents = Rule.Area("Contents of files")
  package static let downloads = Rule.Area("Download manifests")
  package static let files = Rule.Area("Files")
  package static let keys = Rule.Area("Keys and values")
  package static let packs = Rule.Area("Several packs")
  package static let project = Rule.Area("Projects")
  package static let releases = Rule.Area("Since a release")
  package static let selectors = Rule.Area("Selectors")
  package static let store = Rule.Area("The store and devices")
}
