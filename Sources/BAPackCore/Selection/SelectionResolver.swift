extension Selection {
  /// Resolves the selectors of `manifest` to files below `root`, and reports all problems.
  ///
  /// If a finding is an error, the selection may be incomplete, and no pack should be made from it.
  /// Walks of folders skip `outputs` and the root's own `.git`. The number of findings
  /// is limited as in `limited()`.
  package static func resolve(
    _ manifest: Manifest, in root: SourceRoot, outputs: PresentOutputs = PresentOutputs(),
    _ policy: SelectionPolicy = SelectionPolicy(), threads: Int? = nil
  ) -> Checked<Selection> {
    do {
      let walks = manifest.selectors.count { $0.kind.isWalk }
      let tree = try SourceTree(
        root.path, outputs: outputs, links: policy.links, cachesListings: walks > fewWalks,
        threads: threads)
      var resolver = SelectionResolver(manifest, root, policy)
      let checked = resolver.resolve(tree)
      return Checked(checked.value, findings: checked.findings.limited())
    } catch {
      let finding =
        error.path == outputs.problem?.path
        ? Finding(.unreadableFile, "\(error)", at: nil)
        : root.finding(error)
      return Checked(Selection(root: root.path, files: []), findings: [finding])
    }
  }
}

/// Resolves one selector after another, then checks all files together.
private struct SelectionResolver {
  private let manifest: Manifest
  private let root: SourceRoot
  private let policy: SelectionPolicy
  private let exclusions: Exclusions
  private var findings: [Finding] = []
  private var files: [SelectedFile] = []
  private var usedExclusions: Set<Int> = []
  /// Whether an exclusion applied to the current selector.
  private var isPartlyExcluded = false
  /// Whether a walk skipped the root's own `.git`.
  private var skippedRepository = false
  private var explanations: SelectionExplanations
  private var exactNames = ExactNameCache()
  private var stubs: StubCheck
  /// The files missing from a sparse checkout; nil if none is.
  private var sparse: SparseCheckout?
  private var folders: Set<RelativePath> = []

  init(_ manifest: Manifest, _ root: SourceRoot, _ policy: SelectionPolicy) {
    self.manifest = manifest
    self.root = root
    self.policy = policy
    explanations = SelectionExplanations(root)
    stubs = StubCheck(readsPointers: policy.readsPointers)
    exclusions = Exclusions(manifest.selectors, &findings)
  }

  mutating func resolve(_ tree: borrowing SourceTree) -> Checked<Selection> {
    if !policy.allowsStubs { findSparseCheckout(tree) }
    for (index, selector) in manifest.selectors.enumerated() {
      let before = (files: files.count, findings: findings.count)
      for path in sparse?.paths(for: selector, except: exclusions) ?? [] {
        // Whatever the reason, the file can't be packaged.
        guard case .blocked = tree.target(of: path) else { continue }
        stubs.add(Stub(kind: .sparseCheckout, size: nil), at: path, selector: index)
      }
      isPartlyExcluded = false
      do {
        try take(selector, index, tree)
      } catch {
        findings.append(error)
      }
      if files.count == before.files, findings.count == before.findings, !stubs.hasAny(of: index) {
        findings += explanations.nothingMatched(
          selector, isPartlyExcluded: isPartlyExcluded, tree)
      }
    }
    reportUnusedExclusions()
    if !policy.allowsStubs { stubs.add(datalessAmong: files) }
    takeExecuteBits(tree)
    if policy.readsPointers {
      findings += readPointers(&files, &stubs, manifest.selectors, in: tree)
    }
    findings += stubs.findings(manifest.selectors, in: tree)
    if files.isEmpty, !findings.hasErrors { reportEmptyPack() }
    findings += DestinationCheck(manifest.selectors).run(&files)
    let selection = Selection(root: root.path, files: files, folders: folders.sorted())
    if selection.size > Selection.maximumSize { reportTooManyBytes(selection) }
    return Checked(selection, findings: findings)
  }

  private mutating func findSparseCheckout(_ tree: borrowing SourceTree) {
    do {
      sparse = try SparseCheckout(below: tree.resolvedRoot)
    } catch {
      findings.append(
        error.operation == .runGit
          ? Finding(
            .stubFile, severity: .warning, "\(error)", at: nil,
            notes: [Note("files that this sparse checkout leaves out are not noticed")])
          : Finding(.unreadableFile, "\(error)", at: nil))
    }
  }

  /// Where the file system keeps no execute bits, those in Git's index count; other files have none.
  private mutating func takeExecuteBits(_ tree: borrowing SourceTree) {
    guard tree.resolvedRoot.keepsNoExecuteBits else { return }
    do throws(SystemError) {
      guard let index = try tree.resolvedRoot.repositoryTop()?.gitIndex() else { return }
      let paths = try Selection(root: tree.resolvedRoot, files: files).resolvedSources()
      for (number, path) in zip(files.indices, paths) {
        files[number].isExecutable = path.flatMap { index[$0] } ?? false
      }
    } catch {
      findings.append(
        Finding(
          .lostExecuteBit, "\(error)", at: nil,
          notes: [Note("which files are executable can't be seen on this file system")]))
    }
  }

  private mutating func take(
    _ selector: FileSelector, _ index: Int, _ tree: borrowing SourceTree
  ) throws(Finding) {
    switch selector.kind {
    case .file(let written):
      let source = try RelativePath.selector(written)
      try takeFile(source, to: source, index, written, tree)
    case .fileMapping(let written, let destination):
      let source = try RelativePath.selector(written)
      try takeFile(source, to: try .destination(ofFile: destination), index, written, tree)
    case .directory(let written):
      let source = try RelativePath.selector(written)
      try takeFolder(source, to: source, index, written, tree)
    case .directoryMapping(let written, let destination):
      let source = try RelativePath.selector(written)
      try takeFolder(source, to: try .selector(destination), index, written, tree)
    case .filePattern(let written):
      let pattern = try Glob(try .selector(written), at: written.location)
      if applyExclusions(.root, isFolder: true) { return }
      take(
        TreeWalk(
          matching: pattern, except: exclusions, findsStubs: !policy.allowsStubs, for: index,
          at: written.location), index, tree)
    case .fileExclusion:
      break
    }
  }

  private mutating func takeFile(
    _ source: RelativePath, to destination: RelativePath, _ index: Int,
    _ written: Located<String>, _ tree: borrowing SourceTree
  ) throws(Finding) {
    if applyExclusions(source, isFolder: false) { return }
    guard
      let status = try status(source, to: destination, expecting: .file, written, index, tree)
    else { return }
    if tree.isOutput(status) {
      throw Finding(
        .outputSelected, "'\(source)' is an output, which can't be part of a pack",
        at: written.location, notes: [Note("remove the selector, or write the pack somewhere else")]
      )
    }
    do {
      try tree.checkReadable(source, status)
    } catch {
      findings.append(tree.finding(.unreadable(error), source, at: written.location))
    }
    files.append(
      SelectedFile(destination: destination, source: source, status, selector: index))
  }

  private mutating func takeFolder(
    _ source: RelativePath, to destination: RelativePath, _ index: Int,
    _ written: Located<String>, _ tree: borrowing SourceTree
  ) throws(Finding) {
    if applyExclusions(source, isFolder: true) { return }
    guard
      let folder = try status(source, to: destination, expecting: .directory, written, index, tree)
    else { return }
    take(
      TreeWalk(
        from: source, to: destination, except: exclusions, findsStubs: !policy.allowsStubs,
        for: index, at: written.location),
      index, from: folder.identity, tree)
  }

  private mutating func take(
    _ walk: consuming TreeWalk, _ index: Int, from folder: FileStatus.Identity? = nil,
    _ tree: borrowing SourceTree
  ) {
    if walk.skipsRepository { skippedRepository = true }
    walk.run(from: folder, in: tree, into: &files)
    findings += walk.findings
    folders.formUnion(walk.folders)
    for (stub, path) in walk.stubs { stubs.add(stub, at: path, selector: index) }
    noteUse(of: walk.usedExclusions)
  }

  private mutating func applyExclusions(_ source: RelativePath, isFolder: Bool) -> Bool {
    let excluding = exclusions.selectors(excludingAnyOf: source, isFolder: isFolder)
    noteUse(of: excluding)
    return !excluding.isEmpty
  }

  private mutating func noteUse(of exclusions: some Collection<Int>) {
    usedExclusions.formUnion(exclusions)
    if !exclusions.isEmpty { isPartlyExcluded = true }
  }

  /// The status of `source`, which must be of one kind; nil for a stub, which is recorded.
  private mutating func status(
    _ source: RelativePath, to destination: RelativePath, expecting kind: FileKind,
    _ written: Located<String>, _ index: Int, _ tree: borrowing SourceTree
  ) throws(Finding) -> FileStatus? {
    let status: FileStatus
    switch target(of: source, tree) {
    case .there(let found): status = found
    case .blocked(let obstacle):
      if !policy.allowsStubs, let stub = obstacle.stub ?? tree.placeholder(of: source) {
        stubs.add(stub, at: source, selector: index)
        return nil
      }
      if stubs.hasAny(of: index) { return nil }
      guard case .missing = obstacle else {
        throw tree.finding(obstacle, source, at: written.location)
      }
      throw explanations.missing(source, kind, written, tree)
    }
    if status.kind == kind { return status }
    switch (kind, status.kind) {
    case (.file, .directory):
      throw Finding(
        .notAFile, "'\(source)' is a folder, not a file", at: written.location,
        notes: [Note("use 'directory' to select a folder with everything in it")])
    case (.directory, .file):
      throw Finding(
        .notADirectory, "'\(source)' is a file, not a folder", at: written.location,
        notes: [Note("use 'file' to select a single file")])
    default:
      throw Finding(
        .specialFile, "'\(source)' is \(status.kind), which can't be packaged",
        at: written.location, notes: [Note("packs contain only regular files and folders")])
    }
  }

  /// What `source` leads to; what the system finds by another name is missing.
  private mutating func target(
    of source: RelativePath, _ tree: borrowing SourceTree
  ) -> SourceTree.Target {
    let target = tree.target(of: source)
    guard case .there = target, !namesAreBytes else { return target }
    do {
      return try exactNames.isExact(source, in: tree) ? target : .blocked(.missing)
    } catch {
      return .blocked(.unreadable(error))
    }
  }

  private mutating func reportUnusedExclusions() {
    var excluded = exclusions.paths(of: usedExclusions)
    if skippedRepository { excluded.insert(RelativePath(unchecked: Array(".git".utf8))) }
    let broken = Set(findings.compactMap { $0.location?.range })
    for (index, selector) in manifest.selectors.enumerated() {
      guard case .fileExclusion(let written) = selector.kind, !usedExclusions.contains(index),
        !exclusions.isInside(index, anyOf: excluded), !broken.contains(written.location.range)
      else { continue }
      findings.append(explanations.unusedExclusion(written, among: files))
    }
  }

  private mutating func reportTooManyBytes(_ selection: Selection) {
    guard let largest = selection.files.max(by: { $0.size < $1.size }) else { return }
    findings.report(
      .packTooLarge, severity: .error, "the files are too large for a pack",
      at: manifest.selectors[largest.selector].location,
      notes: [Note("'\(largest.source)' alone has \(counted(largest.size, "byte"))")])
  }

  private mutating func reportEmptyPack() {
    findings.report(
      .emptyPack, "the pack would be empty",
      at: SourceLocation(manifest.source, 0..<0),
      notes: [Note("add a selector, or remove exclusions")])
  }
}

/// Up to this number of walks, the tree is read without a cache, which saves memory.
private let fewWalks = 8

extension FileSelector.Kind {
  /// Whether folders must be walked to find the files.
  fileprivate var isWalk: Bool {
    switch self {
    case .directory, .directoryMapping, .filePattern: true
    case .file, .fileMapping, .fileExclusion: false
    }
  }
}
