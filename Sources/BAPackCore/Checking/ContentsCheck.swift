/// Checks the contents of selected files, each of which is opened once, for stubs, executable code,
/// merge conflict markers, and what Git changed when it checked them out.
package struct ContentsCheck {
  package private(set) var stubs: [Finding] = []
  private(set) var allowedStubs = 0
  /// The other findings, without those about conflicts and line endings that are turned off.
  private(set) var findings: [Finding] = []
  /// Whether all files were read and nothing was found, turned off or not.
  private(set) var isClean = true

  /// Reads the files of `selection`, on several threads if there are many. Files whose versions
  /// `policy` has examined are known to be clean and are skipped. Code is detected only with
  /// `findsCode`.
  package init(
    of selection: Selection, _ manifest: Manifest, _ policy: SelectionPolicy, findsCode: Bool,
    _ scope: RuleSettings.Scope
  ) {
    if policy.readsPointers { return }
    let files = selection.files.compactMap { file -> (file: SelectedFile, traits: Traits)? in
      // Unless allowed, a file that is not downloaded has been reported; reading would download it.
      if policy.examined.contains(file.version) || file.isDataless && !policy.allowsStubs {
        return nil
      }
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
      return Result { try folder.traits(of: file, among: wanted) }
    }
    var check = StubCheck()
    var code: [SelectedFile] = []
    var conflicts: [SelectedFile] = []
    var converted: [SelectedFile] = []
    var suspects: [SelectedFile] = []
    var failures: [Finding] = []
    for ((file, _), result) in zip(files, found) {
      switch result {
      case .success((let traits, let stub)):
        if stub != nil, policy.allowsStubs { allowedStubs += 1 }
        if let stub, !policy.allowsStubs {
          check.add(stub, at: file.source, selector: file.selector)
        }
        if traits.contains(.code) { code.append(file) }
        if traits.contains(.conflict) { conflicts.append(file) }
        if !traits.isDisjoint(with: [.crlf, .link]) { suspects.append(file) }
      case .failure(let error):
        failures.report(
          .unreadableFile, "\(error)", at: manifest.place(of: file), file: file.source)
      }
    }
    var gitFailure: [Finding] = []
    do {
      let links: [SelectedFile]
      (converted, links) = try suspects.changedByGit(in: tree.resolvedRoot)
      for link in links where !policy.allowsStubs {
        check.add(Stub(kind: .textOfLink, size: nil), at: link.source, selector: link.selector)
      }
    } catch {
      gitFailure.report(
        .convertedLineEndings, "\(error)", at: SourceLocation(manifest.source, 0..<0))
    }
    stubs = check.findings(manifest.selectors, in: tree)
    findings =
      (MachO.findings(code, manifest) + failures).limited()
      + FileRule.conflictMarkers.findings(conflicts, manifest, scope)
      + FileRule.convertedLineEndings.findings(converted, manifest, scope) + gitFailure
    isClean =
      stubs.isEmpty && allowedStubs == 0 && code.isEmpty && failures.isEmpty && conflicts.isEmpty
      && converted.isEmpty && gitFailure.isEmpty
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
      let images = try MachO.images { try self.bytes(of: file.source, upTo: $1, at: $0) }
      if images.contains(where: \.isForMac) { traits.insert(.code) }
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
