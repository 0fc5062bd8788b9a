/// The result of checking a manifest: reading, decoding, selecting files, and applying all rules,
/// until a step fails.
public struct ManifestCheck: Sendable {
  /// Options for checking a manifest.
  public struct Options: Sendable {
    /// The host of the pack; nil if it isn't stated, which makes warnings of what Apple rejects.
    public var hosting: Hosting?
    /// The name of the caller's option for `hosting`, for messages.
    package var hostingName = "hosting"
    /// The source root, instead of the manifest's `sourceRoot`.
    public var root: BytePath?
    /// The name of the caller's option for `root`, for messages.
    package var rootName: String?
    /// Whether files are selected; otherwise only the text is checked.
    public var selectsFiles: Bool
    /// The output files, which selectors never match.
    public var outputs: [BytePath] { didSet { presentOutputs = nil } }
    /// Those that exist, if they have been looked for.
    var presentOutputs: PresentOutputs?
    package var policy: SelectionPolicy
    /// What Git was asked in this run; nil before the first check.
    package var git: Git?
    /// What is known of the folders below ``root``, which all manifests must have then.
    package var cache: ListingCache?
    /// The source root if neither ``root`` nor the manifest sets one, and the name of what sets it,
    /// for messages. Without it, the working directory is used.
    package var defaultRoot: (path: BytePath, name: String)?
    /// Which rules are off or have a different severity.
    package var rules = RuleSettings()
    package var sizeBudgets = SizeBudgets()
    package var primaryLanguage: String?
    /// The compression of packs and its level, as far as they are stated; see ``compression``.
    package var codec: Codec?
    package var compressionLevel: Int?
    /// The project file that these options are from, and the findings about it.
    package var projectFile: BytePath?
    package var projectFindings: [Finding] = []
    /// Whether ``AppCheck`` also detects duplicate contents, gaps between languages, and files
    /// that Git doesn't track, none of which affects the pack itself.
    public var isThorough = false
    /// The packs that builds in use read, which ``AppCheck`` compares with.
    package var released: [PackIndex] = []

    /// Options for a pack whose host isn't stated and whose manifest sets the source root.
    public init() { self.init(hosting: nil) }

    package init(
      hosting: Hosting? = nil, root: BytePath? = nil, rootName: String? = nil,
      selectsFiles: Bool = true,
      outputs: [BytePath] = [], policy: SelectionPolicy = SelectionPolicy()
    ) {
      self.policy = policy
      self.hosting = hosting
      self.root = root
      self.rootName = rootName
      self.selectsFiles = selectsFiles
      self.outputs = outputs
    }
  }

  /// The manifest and its files; nil if its text could not be read or decoded.
  public let pack: CheckedPack?
  /// The findings: those about the project file that the options are from, then those about the
  /// manifest in the order of the text. If any is an error, don't make a pack.
  public private(set) var findings: [Finding]
  let scope: RuleSettings.Scope
  /// Whether there are findings about the contents of files, including those of rules that are
  /// off.
  package private(set) var hasFindingsInContents: Bool
  /// The number of placeholders for files that are selected because they may be.
  package private(set) var allowedStubs = 0

  /// Reads and checks the manifest at `file`, or the standard input for `-`. A file that can't be
  /// read is a finding.
  public init(reading file: BytePath, _ options: Options = Options()) {
    self.init(of: ManifestFiles.File(reading: file), options)
  }

  /// Checks `file`. If it couldn't be read, that is a finding.
  package init(of file: ManifestFiles.File, _ options: Options) {
    switch file.text {
    // The check of the app fails.
    case _ where Work.isStopping: self.init([], options)
    case .success(let text) where ContainerKind.begins(text.bytes):
      self.init([Self.packFinding(file.path)], options)
    case .success(let text)
    where !file.path.hasExtension("json") && !file.path.isStandardStream && text.isProse:
      self.init(
        [Finding(.syntax, "'\(file.path)' is a text, not a manifest, which is JSON", at: nil)],
        options)
    case .success(let text):
      self.init(of: text, readFrom: file.isOnDisk ? file.path : nil, options)
    case .failure(let error):
      self.init([Self.finding(error)], options)
    }
  }

  /// Checks the manifest in `source`, which was read from `file`; with nil, its `sourceRoot` is
  /// relative to the working directory.
  public init(of source: SourceText, readFrom file: BytePath?, _ options: Options = Options()) {
    if let kind = otherKind(ofManifest: source.bytes) {
      let location = SourceLocation(source, 0..<0)
      self.init(
        [Finding(.syntax, "this is \(kind), not the manifest of a pack", at: location)], options)
      return
    }
    let decoded = ManifestDecoder.decode(source)
    guard let manifest = decoded.value else {
      self.init(decoded.findings, options)
      return
    }
    var scope = options.rules.scope(manifest: file, root: nil)
    var findings =
      decoded.findings
      + manifest.storeFindings(options.hosting, statedBy: options.hostingName)
      + manifest.foldersAsTop
    var selection: Selection?
    var hasFindingsInContents = false
    var allowedStubs = 0
    // If no selector could be decoded, that has been reported.
    if options.selectsFiles, !manifest.selectors.isEmpty {
      let root = SourceRoot(
        of: manifest, readFrom: file, option: options.root, name: options.rootName,
        default: options.defaultRoot)
      scope = options.rules.scope(manifest: file, root: root.path)
      let git = options.git ?? Git()
      let files = Selection.resolve(
        manifest, in: root, outputs: options.presentOutputs ?? PresentOutputs(options.outputs),
        options.policy, cache: options.cache, git: git)
      // Selectors that couldn't be decoded have been reported, and would have selected files.
      let isIncomplete = decoded.findings.contains {
        $0.severity == .error && $0.rule.area == .selectors
      }
      findings += files.findings.filter { !isIncomplete || $0.rule != .emptyPack }
      let contents = FileContentsCheck(
        of: files.value, manifest, options.policy, findsCode: options.hosting != .ownServer, scope,
        git
      )
      allowedStubs = contents.allowedStubs
      hasFindingsInContents = !contents.isClean
      findings +=
        files.value.fileFindings(of: manifest, scope)
        + contents.findings
        + options.sizeBudgets.findings(manifest, files.value)
        + files.value.entryFindings(of: manifest)
      // An unusable root has been reported.
      if let problem = scope.problem, !files.findings.contains(where: { $0.rule == .missingRoot }) {
        findings.report(.unreadableFile, "\(problem)", at: nil)
      }
      selection = files.value
    }
    self.init(
      CheckedPack(manifest, selection), findings.withoutRepeatedReading().sortedByLocation(), scope)
    self.findings = options.projectFindings + self.findings
    self.hasFindingsInContents = hasFindingsInContents
    self.allowedStubs = allowedStubs
  }

  private init(_ findings: [Finding], _ options: Options) {
    self.init(nil, findings, options.rules.scope(manifest: nil, root: nil))
    self.findings = options.projectFindings + self.findings
  }

  private init(_ pack: CheckedPack?, _ findings: [Finding], _ scope: RuleSettings.Scope) {
    self.pack = pack
    self.scope = scope
    self.findings = scope.applied(to: findings)
    hasFindingsInContents = false
  }

  /// Removes the findings about files that are not there.
  mutating func removeMissingFiles() {
    findings.removeAll { $0.rule == .missingFile || $0.rule == .nothingMatched }
  }

  private static func finding(_ error: SystemError) -> Finding {
    if error.code == .noSuchFile { return missing(error.path) }
    guard error.limit != nil else {
      return Finding(.unreadableFile, error.description, at: nil)
    }
    return ContainerKind.begins(fileAt: error.path)
      ? packFinding(error.path) : Finding(.manifestTooLarge, error.description, at: nil)
  }

  /// The finding for a missing manifest at `file`, with a similar name as a suggestion, if the
  /// folder can be read.
  private static func missing(_ file: BytePath) -> Finding {
    let message = "there is no manifest '\(file)'"
    if file.bytes.contains(ASCII.backslash) {
      let slashed = file.bytes.map { $0 == ASCII.backslash ? ASCII.slash : $0 }
      if (try? FileStatus.following(BytePath(slashed)))?.kind == .file {
        return Finding(
          .unreadableFile, message + "; folders are separated by '/': '\(printable(slashed))'",
          at: nil)
      }
    }
    let near =
      file.similar("json")
      ?? file.similar().flatMap { ((try? $0.isFolder()) ?? false) ? $0 : nil }
    let advice =
      file.name.contains(UInt8(ascii: "*"))
      ? "shells expand '*' only outside quotes; name the folder '\(file.folder)'"
      : near.map { "did you mean '\($0)'?" }
    return Finding(.unreadableFile, message + (advice.map { "; " + $0 } ?? ""), at: nil)
  }

  private static func packFinding(_ file: BytePath) -> Finding {
    Finding(
      .syntax,
      "'\(file.shown)' is an asset pack, not a manifest",
      at: nil)
  }
}

/// A manifest and the files that it selects; nil if the files were not checked.
public struct CheckedPack: Sendable {
  /// The manifest.
  public let manifest: Manifest
  /// Its files.
  public let selection: Selection?
  let language: Language?

  var files: [SelectedFile] { selection?.files ?? [] }

  package init(_ manifest: Manifest, _ selection: Selection?) {
    self.manifest = manifest
    self.selection = selection
    language = manifest.likelyLanguage
  }
}

extension BytePath {
  /// The name of the text in findings.
  var textName: [UInt8] { isStandardStream ? Array("<stdin>".utf8) : bytes }
}

extension SourceText {
  /// Whether it begins like nothing in JSON5.
  fileprivate var isProse: Bool {
    bytes.first { !" \t\r\n".utf8.contains($0) }.map { $0 < 0x80 && !"{[/\"'".utf8.contains($0) }
      ?? false
  }

  /// The text of the manifest at `file`, or of the standard input for `-`.
  init(readingManifest file: BytePath) throws(SystemError) {
    let limit = JSONDocument.maximumSize
    guard file.isStandardStream else {
      self.init(name: file.textName, bytes: try file.contents(limit: limit))
      return
    }
    self.init(
      name: file.textName,
      bytes: try BytePath.standardInput.contents(of: .standardInput, limit: limit))
  }
}

extension ContainerKind {
  /// Whether the file at `path`, which is too large for a manifest, begins like a pack; false for a
  /// pipe, whose start has already been read, and for files that can't be read again.
  static func begins(fileAt path: BytePath) -> Bool {
    guard (try? FileStatus.following(path))?.kind == .file,
      let start = try? FileDescriptor.reading(path).read(upTo: headerSize)
    else { return false }
    return begins(start)
  }
}
