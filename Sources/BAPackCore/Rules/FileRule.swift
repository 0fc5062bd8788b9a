/// Elements with equal keys, in the order of the first of each.
struct Groups<Key: Hashable, Element> {
  private(set) var all: [(key: Key, elements: [Element])] = []
  private var known: [Key: Int] = [:]

  /// Adds an element; returns the number of its key.
  @discardableResult mutating func add(_ element: Element, _ key: Key) -> Int {
    if let index = known[key] {
      all[index].elements.append(element)
      return index
    }
    known[key] = all.count
    all.append((key, [element]))
    return all.count - 1
  }
}

/// A rule about single files. Those that break it for the same reason make one finding, at the
/// selector of the first.
struct FileRule {
  let rule: Rule
  var severity: Severity?
  /// Whether each selector has a finding.
  var isPerSelector = true
  /// Whether a file that a selector names exactly is meant to be in the pack.
  var allowsNamed = false
  /// Why a file breaks the rule; nil if it doesn't. By default, all files that are given do.
  var reason: (SelectedFile) -> String? = { _ in "" }
  let message: (_ reason: String, _ files: [SelectedFile]) -> String
  var notes: (_ reason: String, _ files: [SelectedFile]) -> [Note?] = { _, files in
    [Note(onOtherFiles: files.dropFirst().lazy.map { "'\($0.source)'" })]
  }

  private struct Key: Hashable {
    let reason: String
    let selector: Int?
  }

  /// The findings about `files`, without those that `scope`, if there is one, turns off.
  func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope? = nil
  ) -> [Finding] {
    var groups = Groups<Key, SelectedFile>()
    for file in files {
      guard let reason = reason(file),
        !allowsNamed || manifest.selectors[file.selector].kind != .file,
        scope?.isOff(rule, about: file.source) != true
      else { continue }
      groups.add(file, Key(reason: reason, selector: isPerSelector ? file.selector : nil))
    }
    return groups.all.map { key, files in
      Finding(
        rule, severity: severity, message(key.reason, files), at: manifest.location(of: files[0]),
        notes: notes(key.reason, files), file: files[0].source)
    }
  }
}

/// `'a'`, or `'a' and 2 more files`, by the first path.
func named(_ path: RelativePath, of count: Int) -> String {
  "'\(path)'" + (count > 1 ? " and \(counted(count - 1, "more file"))" : "")
}

extension FileRule {
  /// `'a' is`, or `'a' and 2 more files are`.
  static func subject(_ files: [SelectedFile]) -> String {
    named(files[0].source, of: files.count) + (files.count == 1 ? " is" : " are")
  }

  /// The rules that need only the names and sizes of `files`.
  fileprivate static func all(_ files: [SelectedFile]) -> [FileRule] {
    [.stray, .empty, .windowsNames, .sourceArt(among: files)]
  }
}

extension Selection {
  /// Findings about the names and sizes of the files, which `manifest` selects: those that are
  /// unlikely to belong to a game, and names that clash on volumes that ignore case or
  /// normalization. Those of files for which `scope` turns a rule off are left out.
  package func fileFindings(of manifest: Manifest, _ scope: RuleSettings.Scope) -> [Finding] {
    let clashes = nameClashes(
      [CheckedPack(manifest, self)], Players([manifest]), [files.map(\.destination)])
    return
      (clashes
      + FileRule.all(files).flatMap { $0.findings(files, manifest, scope) }).limited()
  }
}
