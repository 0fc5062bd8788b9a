/// The result of checking a manifest: it is read and decoded, its files are selected, and every rule
/// is applied, until a step fails.
public struct ManifestCheck: Sendable {
  /// How a manifest is checked.
  public struct Options: Sendable {
    /// Who hosts the pack; Apple has additional rules.
    public var hosting: Hosting
    /// The source root, instead of the manifest's `sourceRoot`.
    public var root: BytePath?
    /// The name of the caller's option for `root`, for messages.
    public var rootName: String?
    /// Whether files are selected; otherwise only the text is checked.
    public var selectsFiles: Bool
    /// The files to be written, which no selector matches.
    public var outputs: [BytePath]
    /// What selectors may take.
    public var policy: SelectionPolicy

    /// Options for a pack that Apple hosts, by default.
    public init(
      hosting: Hosting = .apple, root: BytePath? = nil, rootName: String? = nil,
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
  /// The findings, in the order of the text. If there is an error, no pack should be made.
  public let findings: [Finding]

  /// Reads and checks the manifest at `file`, or the standard input for `-`. A file that can't be
  /// read is a finding.
  public init(reading file: BytePath, _ options: Options = Options()) {
    do throws(FileContentsError) {
      let source = try SourceText(readingManifest: file)
      guard !ContainerKind.begins(source.bytes) else {
        self.init(nil, [Self.packFinding(file)])
        return
      }
      self.init(of: source, readFrom: file.isStandardStream ? nil : file, options)
    } catch {
      self.init(nil, [Self.finding(error)])
    }
  }

  /// Checks the manifest in `source`, which was read from `file`; with nil, its `sourceRoot` is
  /// relative to the working directory.
  public init(of source: SourceText, readFrom file: BytePath?, _ options: Options = Options()) {
    let decoded = ManifestDecoder.decode(source)
    guard let manifest = decoded.value else {
      self.init(nil, decoded.findings)
      return
    }
    var findings =
      decoded.findings + manifest.storeFindings(options.hosting) + manifest.foldersAsTop
    var selection: Selection?
    // If no selector could be read, the decoder has reported it.
    if options.selectsFiles, !manifest.selectors.isEmpty {
      let root = SourceRoot(
        of: manifest, readFrom: file, option: options.root,
        name: options.rootName)
      let files = Selection.resolve(
        manifest, in: root, outputs: options.outputs, options.policy)
      findings += files.findings + files.value.storeFindings(of: manifest, options.hosting)
      selection = files.value
    }
    self.init(CheckedPack(manifest, selection), findings.sortedByLocation())
  }

  private init(_ pack: CheckedPack?, _ findings: [Finding]) {
    self.pack = pack
    self.findings = findings
  }

  private static func finding(_ error: FileContentsError) -> Finding {
    switch error {
    case .system:
      Finding(.unreadableFile, error.description, at: nil)
    case .tooLarge(let file, _) where ContainerKind.begins(fileAt: file):
      packFinding(file)
    case .tooLarge:
      Finding(.manifestTooLarge, error.description, at: nil)
    }
  }

  private static func packFinding(_ file: BytePath) -> Finding {
    Finding(
      .syntax,
      "'\(file.shown)' is an asset pack, not a manifest; use 'verify', 'list' or 'info'",
      at: nil)
  }
}

/// A manifest and the files that it selects; nil if the files were not checked.
public struct CheckedPack: Sendable {
  /// The manifest.
  public let manifest: Manifest
  /// Its files.
  public let selection: Selection?

  /// A manifest with its files.
  package init(_ manifest: Manifest, _ selection: Selection?) {
    self.manifest = manifest
    self.selection = selection
  }
}

extension SourceText {
  /// The text of the manifest at `file`, or of the standard input for `-`.
  fileprivate init(readingManifest file: BytePath) throws(FileContentsError) {
    let limit = JSONDocument.maximumSize
    guard file.isStandardStream else {
      self.init(name: file.bytes, bytes: try file.contents(limit: limit))
      return
    }
    let bytes = try FileDescriptor.withStandardInput { (input) throws(FileContentsError) in
      try input.contents(of: BytePath("standard input".utf8), limit: limit)
    }
    self.init(name: "<stdin>", bytes: bytes)
  }
}

extension ContainerKind {
  /// Whether the file at `path` begins like a pack; false for a pipe, whose start has already been
  /// read.
  static func begins(fileAt path: BytePath) -> Bool {
    guard (try? FileStatus.following(path))?.kind == .file,
      let start = try? FileDescriptor.reading(path).read(upTo: headerSize, of: path)
    else { return false }
    return begins(start)
  }
}
