/// A manifest that was checked: read, decoded, its files selected, and every rule applied, as far as
/// each step allows the next.
public struct ManifestCheck: Sendable {
  /// What a manifest is checked for and against.
  public struct Options: Sendable {
    /// Who serves the pack; Apple has rules of its own.
    public var hosting: Hosting
    /// Where the paths of selectors start, instead of at the manifest's `sourceRoot`.
    public var root: FilePath?
    /// Whether files are selected; without it only the text is checked.
    public var selectsFiles: Bool
    /// The pack to be made, which no selector may pick up.
    public var output: FilePath?

    /// Checks everything that Apple asks for, unless told otherwise.
    public init(
      hosting: Hosting = .apple, root: FilePath? = nil, selectsFiles: Bool = true,
      output: FilePath? = nil
    ) {
      self.hosting = hosting
      self.root = root
      self.selectsFiles = selectsFiles
      self.output = output
    }
  }

  /// The manifest with the files it selects; nil where its text could not be read or decoded.
  public let pack: CheckedPack?
  /// All that is wrong, in the order of the text. With errors no pack should be made.
  public let findings: [Finding]

  /// Reads and checks the manifest at `file`, or the standard input for `-`. A file that cannot be
  /// read is a finding too.
  public init(reading file: FilePath, _ options: Options = Options()) {
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

  /// Checks the manifest in `source`, which was read from `file`; nil where its `sourceRoot` starts
  /// from the working directory.
  public init(of source: SourceText, readFrom file: FilePath?, _ options: Options = Options()) {
    let decoded = ManifestDecoder.decode(source)
    guard let manifest = decoded.value else {
      self.init(nil, decoded.findings)
      return
    }
    var findings =
      decoded.findings + manifest.storeFindings(options.hosting) + manifest.foldersAsTop
    var selection: Selection?
    // Where no selector could be read, the decoder has reported that.
    if options.selectsFiles, !manifest.selectors.isEmpty {
      let root = SourceRoot(of: manifest, readFrom: file, option: options.root)
      let files = Selection.resolve(manifest, in: root, output: options.output)
      findings += files.findings + files.value.storeFindings(of: manifest, options.hosting)
      selection = files.value
    }
    self.init(CheckedPack(manifest, selection), findings.inOrderOfText())
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

  private static func packFinding(_ file: FilePath) -> Finding {
    Finding(
      .syntax,
      "'\(file.shown)' is an asset pack, not a manifest; use 'verify', 'list' or 'info'",
      at: nil)
  }
}

/// A manifest and the files that it selects; nil where the files are left alone.
public struct CheckedPack: Sendable {
  /// The manifest.
  public let manifest: Manifest
  /// Its files.
  public let selection: Selection?

  /// A manifest with its files.
  public init(_ manifest: Manifest, _ selection: Selection?) {
    self.manifest = manifest
    self.selection = selection
  }
}

extension SourceText {
  /// The text of the manifest at `file`, or of the standard input for `-`.
  fileprivate init(readingManifest file: FilePath) throws(FileContentsError) {
    let limit = JSONDocument.maximumSize
    guard file.isStandardStream else {
      self.init(name: file.bytes, bytes: try file.contents(limit: limit))
      return
    }
    let bytes = try FileDescriptor.withStandardInput { (input) throws(FileContentsError) in
      try input.contents(of: FilePath("standard input".utf8), limit: limit)
    }
    self.init(name: "<stdin>", bytes: bytes)
  }
}

extension ContainerKind {
  /// Whether the file at `path` begins as a pack does; never true of a pipe, whose beginning is gone
  /// once it was read.
  fileprivate static func begins(fileAt path: FilePath) -> Bool {
    guard (try? FileStatus.following(path))?.kind == .file,
      let start = try? FileDescriptor.reading(path).read(upTo: headerSize, of: path)
    else { return false }
    return begins(start)
  }
}
