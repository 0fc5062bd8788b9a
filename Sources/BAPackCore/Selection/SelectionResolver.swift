extension Selection {
  /// Resolves the selectors of `manifest` to files below `root`, and reports all problems.
  ///
  /// If a finding is an error, the selection may be incomplete, and no pack should be made from it.
  /// Walks of folders skip `outputs` and the root's own `.git`. Manifests with the same root may
  /// share a `cache`. The number of findings is limited as in `limited()`.
  package static func resolve(
    _ manifest: Manifest, in root: SourceRoot, outputs: PresentOutputs = PresentOutputs(),
    _ policy: SelectionPolicy = SelectionPolicy(), cache: ListingCache? = nil, threads: Int? = nil,
    git: Git = Git()
  ) -> Checked<Selection> {
    do {
      let walks = manifest.selectors.count { [.directory, .filePattern].contains($0.kind) }
      let tree = try SourceTree(
        root.path, outputs: outputs, links: policy.links,
        cache: cache ?? (walks > fewWalks ? ListingCache() : nil),
        threads: threads)
      var resolver = SelectionResolver(manifest, root, policy, git)
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
  private let git: Git
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
  private var folders: Set<RelativePath> = []

  init(_ manifest: Manifest, _ root: SourceRoot, _ policy: SelectionPolicy, _ git: Git) {
    self.manifest = manifest
    self.root = root
    self.policy = policy
    self.git = git
    explanations = SelectionExplanations(root)
    exclusions = Exclusions(manifest.selectors)
  }

  mutating func resolve(_ tree: borrowing SourceTree) -> Checked<Selection> {
    for (index, selector) in manifest.selectors.enumerated() {
      let before = (files: files.count, findings: findings.count)
      isPartlyExcluded = false
      do {
        try take(selector, index, tree)
      } catch {
        findings.append(error)
      }
      if files.count == before.files, findings.count == before.findings {
        findings += explanations.nothingMatched(
          selector, isPartlyExcluded: isPartlyExcluded, tree)
      }
    }
    reportUnusedExclusions()
    takeExecuteBits(tree)
    if policy.readsPointers { findings += readPointers(&files, manifest, in: tree) }
    if files.isEmpty, !findings.hasErrors {
      findings.report(
        .emptyPack, "the pack would be empty", at: SourceLocation(manifest.source, 0..<0),
        notes: [Note("add a selector, or remove exclusions")])
    }
    findings += DestinationCheck(manifest.selectors).run(&files)
    let selection = Selection(root: root.path, files: files, folders: folders.sorted())
    if selection.size > Selection.maximumSize,
      let largest = selection.files.max(by: { $0.size < $1.size })
    {
      findings.report(
        .packTooLarge, severity: .error, "the files are too large for a pack",
        at: manifest.location(of: largest),
        notes: [Note("'\(largest.source)' alone has \(counted(largest.size, "byte"))")])
    }
    return Checked(selection, findings: findings)
  }

  /// Where the file system keeps no execute bits, those in Git's index count; other files have none.
  private mutating func takeExecuteBits(_ tree: borrowing SourceTree) {
    guard tree.resolvedRoot.keepsNoExecuteBits else { return }
    do throws(SystemError) {
      guard let index = try git.index(around: tree.resolvedRoot) else { return }
      let paths = try Selection(root: tree.resolvedRoot, files: files).resolvedSources()
      for (number, path) in zip(files.indices, paths) {
        files[number].isExecutable = path.flatMap { index[$0]?.isExecutable } ?? false
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
    if selector.kind == .fileExclusion { return }
    var folder: FileStatus.Identity?
    if selector.glob == nil {
      if applyExclusions(selector.path, isFolder: selector.kind != .file) { return }
      let status = try status(selector.path, selector, tree)
      if selector.kind == .file { return try takeFile(status, selector, index, tree) }
      folder = status.identity
    } else if applyExclusions(.root, isFolder: true) {
      return
    }
    var walk = TreeWalk(selector, index, except: exclusions)
    if walk.skipsRepository { skippedRepository = true }
    walk.run(from: folder, in: tree, into: &files)
    findings += walk.findings
    folders.formUnion(walk.folders)
    noteUse(of: walk.usedExclusions)
  }

  private mutating func takeFile(
    _ status: FileStatus, _ selector: FileSelector, _ index: Int, _ tree: borrowing SourceTree
  ) throws(Finding) {
    let location = selector.source.location
    if tree.isOutput(status) {
      throw Finding(
        .outputSelected, "'\(selector.path)' is an output, which can't be part of a pack",
        at: location, notes: [Note("remove the selector, or write the pack somewhere else")])
    }
    do {
      try tree.checkReadable(selector.path, status)
    } catch {
      findings.append(tree.finding(.unreadable(error), selector.path, at: location))
    }
    files.append(
      SelectedFile(
        destination: selector.packPath, source: selector.path, status, selector: index))
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

  /// The status of a selector's file or folder.
  private mutating func status(
    _ source: RelativePath, _ selector: FileSelector, _ tree: borrowing SourceTree
  ) throws(Finding) -> FileStatus {
    let kind: FileKind = selector.kind == .file ? .file : .directory
    let written = selector.source
    let status: FileStatus
    switch target(of: source, tree) {
    case .there(let found): status = found
    case .blocked(let obstacle):
      guard case .missing = obstacle else {
        throw tree.finding(obstacle, source, at: written.location)
      }
      throw explanations.missing(source, kind, written, tree)
    }
    if status.kind == kind { return status }
    let (rule, problem, note): (Rule, String, String) =
      switch (kind, status.kind) {
      case (.file, .directory):
        (
          .notAFile, "a folder, not a file",
          "use 'directory' to select a folder with everything in it"
        )
      case (.directory, .file):
        (.notADirectory, "a file, not a folder", "use 'file' to select a single file")
      default:
        (
          .specialFile, "\(status.kind), which can't be packaged",
          "packs contain only regular files and folders"
        )
      }
    throw Finding(rule, "'\(source)' is \(problem)", at: written.location, notes: [Note(note)])
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
    var used = Set(usedExclusions.map { manifest.selectors[$0].path })
    if skippedRepository { used.insert(RelativePath(unchecked: Array(".git".utf8))) }
    for (index, selector) in manifest.selectors.enumerated()
    where selector.kind == .fileExclusion && !usedExclusions.contains(index) {
      let path = selector.path
      if used.contains(path) || path.ancestors.contains(where: used.contains) { continue }
      findings.append(explanations.unusedExclusion(selector, among: files))
    }
  }
}

/// Up to this number of walks, the tree is read without a cache, which saves memory.
private let fewWalks = 8
