/// Checks the contents of selected files, each of which is opened once, for stubs, executable code,
/// merge conflict markers, and what Git changed when it checked them out.
package struct FileContentsCheck {
  private(set) var allowedStubs = 0
  /// The findings, without those about conflicts and line endings that are turned off.
  package private(set) var findings: [Finding] = []
  /// Whether all files were read and nothing was found, turned off or not.
  private(set) var isClean = true

  /// Reads the files of `selection`, on several threads if there are many. Files whose versions
  /// `policy` has examined are known to be clean and are skipped. Code is detected only with
  /// `findsCode`.
  package init(
    of selection: Selection, _ manifest: Manifest, _ policy: SelectionPolicy, findsCode: Bool,
    _ scope: RuleSettings.Scope, _ git: Git
  ) {
    if policy.readsPointers { return }
    let files = selection.files.compactMap { file -> (file: SelectedFile, traits: Traits)? in
      if policy.examined.contains(file.version) { return nil }
      var traits = Traits()
      if Stub.isPossible(file) { traits.insert(.stub) }
      if findsCode, MachO.isPossible(file) { traits.insert(.code) }
      if ConflictMarkers.arePossible(in: file) { traits.insert(.conflict) }
      if file.size <= ConflictMarkers.largest, FileType.isText(file.source) {
        traits.insert(.crlf)
      }
      if !policy.allowsStubs, Stub.isPossibleLink(file) { traits.insert(.link) }
      return traits.isEmpty ? nil : (file, traits)
    }
    if files.isEmpty { return }
    let tree: SourceTree
    do {
      tree = try SourceTree(selection.root)
    } catch {
      findings = [Finding(.unreadableFile, "\(error)", at: nil)]
      isClean = false
      return
    }
    let found = mapOnThreads(files.count) { [folder = tree.folder] index in
      let (file, wanted) = files[index]
      return Result {
        try Work.check()
        return try folder.traits(of: file, among: wanted)
      }
    }
    var pointers: [SelectedFile] = []
    var code: [SelectedFile] = []
    var conflicts: [SelectedFile] = []
    var withCRLF: [SelectedFile] = []
    var paths: [SelectedFile] = []
    var failures: [Finding] = []
    for (var (file, _), result) in zip(files, found) {
      switch result {
      case .success((let traits, let stub)):
        if stub != nil, policy.allowsStubs {
          allowedStubs += 1
        } else if stub != nil {
          file.pointer = stub
          pointers.append(file)
        }
        if traits.contains(.code) { code.append(file) }
        if traits.contains(.conflict) { conflicts.append(file) }
        if traits.contains(.crlf) { withCRLF.append(file) }
        if traits.contains(.link) { paths.append(file) }
      case .failure(let error):
        failures.report(
          .unreadableFile, "\(error)", at: manifest.location(of: file), file: file.source)
      }
    }
    var gitFailure: [Finding] = []
    var converted: [SelectedFile] = []
    /// Nil if Git can't tell.
    var links: [SelectedFile]?
    do {
      links = try git.links(among: paths, below: tree.resolvedRoot)
      converted = try git.converted(withCRLF, below: tree.resolvedRoot)
    } catch {
      gitFailure.report(
        .convertedLineEndings, "\(error)", at: SourceLocation(manifest.source, 0..<0),
        notes: [Note("line endings were not checked, nor whether links are text here")])
    }
    let possibleLinks =
      links == nil ? paths.filter { [folder = tree.folder] in folder.hasPathOfFile($0) } : []
    findings =
      FileRule.pointers(below: tree.root).findings(pointers, manifest)
      + FileRule.textsOfLinks(below: tree.root).findings(links ?? [], manifest)
      + FileRule.possibleTextsOfLinks.findings(possibleLinks, manifest, scope)
      + (MachO.findings(code, manifest) + failures).limited()
      + FileRule.conflictMarkers.findings(conflicts, manifest, scope)
      + FileRule.convertedLineEndings.findings(converted, manifest, scope) + gitFailure
    isClean =
      pointers.isEmpty && (links ?? possibleLinks).isEmpty && allowedStubs == 0 && code.isEmpty
      && failures.isEmpty && conflicts.isEmpty && converted.isEmpty && gitFailure.isEmpty
  }
}

extension Git {
  /// Those of `files`, below the absolute path `root`, that are links in the index of a repository;
  /// nil if Git isn't installed.
  fileprivate func links(
    among files: [SelectedFile], below root: BytePath
  ) throws(SystemError) -> [SelectedFile]? {
    guard !files.isEmpty, try root.gitTop() != nil else { return [] }
    guard let index = try index(around: root) else { return nil }
    let paths = try Selection(root: root, files: files).resolvedSources()
    var links: [SelectedFile] = []
    for case (let file, let path?) in zip(files, paths) where index[path]?.isLink == true {
      // Not a link to an object of git-annex.
      if try FileStatus.ifPresent(path)?.kind == .file { links.append(file) }
    }
    return links
  }

  /// Those of `files`, below the absolute path `root`, whose lines Git converted to CRLF.
  fileprivate func converted(
    _ files: [SelectedFile], below root: BytePath
  ) throws(SystemError) -> [SelectedFile] {
    if files.isEmpty { return [] }
    let paths = try Selection(root: root, files: files).resolvedSources()
    let converted = try converted(paths.compactMap(\.self), around: root)
    return zip(files, paths).filter { $1.map(converted.contains) ?? false }.map(\.0)
  }
}

/// The traits that a file's contents may have.
private struct Traits: OptionSet {
  let rawValue: UInt8
  static let stub = Traits(rawValue: 1)
  static let code = Traits(rawValue: 2)
  static let conflict = Traits(rawValue: 4)
  /// Lines end with CRLF.
  static let crlf = Traits(rawValue: 8)
  /// The text is a path that exists.
  static let link = Traits(rawValue: 16)
}

extension RootFolder {
  /// Which of `wanted` the contents of `file` have, except for the stub, which is returned as such.
  fileprivate func traits(
    of file: SelectedFile, among wanted: Traits
  ) throws -> (Traits, Stub?) {
    let isWhole = !wanted.isDisjoint(with: [.stub, .conflict, .crlf, .link])
    let bytes = try bytes(of: file.source, upTo: isWhole ? Int(file.size) : MachO.startSize)
    var traits = Traits()
    if wanted.contains(.code), MachO.begins(bytes) {
      let isCode = try MachO.isForMac { try self.bytes(of: file.source, upTo: $1, at: $0) }
      if isCode { traits.insert(.code) }
    }
    if wanted.contains(.conflict), ConflictMarkers.areIn(bytes) { traits.insert(.conflict) }
    // Git converts all lines or none.
    if wanted.contains(.crlf), let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D
    {
      traits.insert(.crlf)
    }
    if wanted.contains(.link), isPath(bytes, from: file.source.parent ?? .root) {
      traits.insert(.link)
    }
    return (traits, wanted.contains(.stub) ? Stub(contents: bytes) : nil)
  }
}
