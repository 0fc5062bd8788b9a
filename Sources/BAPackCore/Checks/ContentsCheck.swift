/// Checks the contents of selected files, each of which is opened once, for executable code and
/// merge conflict markers.
struct ContentsCheck {
  /// The files that are executable code.
  private(set) var code: [SelectedFile] = []
  /// The text files with conflict markers.
  private(set) var conflicts: [SelectedFile] = []
  /// The files that could not be read, with the errors.
  private(set) var unreadable: [(file: SelectedFile, error: SystemError)] = []
  /// The error that prevented opening any file.
  private(set) var problem: SystemError?

  /// Reads the files of `selection`, on several threads if there are many. Files whose versions are
  /// in `examined` are known to be clean and are skipped. Code is detected only with `findsCode`.
  init(of selection: Selection, findsCode: Bool, examined: Set<UInt64>) {
    let files = selection.files.compactMap { file -> (file: SelectedFile, traits: Traits)? in
      var traits = Traits()
      if findsCode, MachO.isPossible(file) { traits.insert(.code) }
      if ConflictMarkers.arePossible(in: file) { traits.insert(.conflict) }
      return traits.isEmpty || examined.contains(file.version) ? nil : (file, traits)
    }
    if files.isEmpty { return }
    do throws(SystemError) {
      let folder = try RootFolder(at: selection.root)
      let found = mapOnThreads(files.count) { index in
        let (file, wanted) = files[index]
        return Result { () throws(SystemError) in try folder.traits(of: file, among: wanted) }
      }
      for ((file, _), result) in zip(files, found) {
        switch result {
        case .success(let traits):
          if traits.contains(.code) { code.append(file) }
          if traits.contains(.conflict) { conflicts.append(file) }
        case .failure(let error): unreadable.append((file, error))
        }
      }
    } catch {
      problem = error
    }
  }

  /// Whether all files were read and nothing was found.
  var isClean: Bool {
    code.isEmpty && conflicts.isEmpty && unreadable.isEmpty && problem == nil
  }

  /// The findings about files of `manifest`, without those about conflicts that `scope` turns off.
  func findings(_ manifest: Manifest, _ scope: RuleSettings.Scope) -> [Finding] {
    let failures = unreadable.map { file, error in
      Finding(unreadable: file, error, at: manifest.selectors[file.selector].location)
    }
    return (MachO.findings(code, manifest) + failures).limited()
      + ConflictMarkers.findings(conflicts, manifest, scope)
      + (problem.map { [Finding(.unreadableFile, "\($0)", at: nil)] } ?? [])
  }
}

/// Properties of a file's contents.
private struct Traits: OptionSet {
  let rawValue: UInt8
  static let code = Traits(rawValue: 1)
  static let conflict = Traits(rawValue: 2)
}

extension RootFolder {
  /// The traits in `wanted` that the contents of `file` have.
  fileprivate func traits(
    of file: SelectedFile, among wanted: Traits
  ) throws(SystemError) -> Traits {
    let count = wanted.contains(.conflict) ? Int(file.size) : MachO.startSize
    let bytes = try bytes(of: file.source, upTo: count)
    var traits = Traits()
    if wanted.contains(.code), MachO.begins(bytes) { traits.insert(.code) }
    if wanted.contains(.conflict), ConflictMarkers.areIn(bytes) { traits.insert(.conflict) }
    return traits
  }
}
