/// The rules that a project file or `--rule` turns off or gives another severity.
///
/// Errors that prevent making a pack, such as a missing file, can't be changed.
package struct RuleSettings: Sendable {
  package enum Level: String, Sendable, CaseIterable {
    case off
    case warning
    case error
  }

  /// A level for the findings of a rule, or for those about some files.
  package struct Setting: Sendable {
    package let rule: String
    package let level: Level
    /// The files it applies to; nil for all.
    package let files: PathPattern?

    package init(_ rule: String, _ level: Level, files: PathPattern? = nil) {
      self.rule = rule
      self.level = level
      self.files = files
    }
  }

  /// In the order written: if several apply to a finding, the last one is used.
  private var settings: [Setting]
  /// The absolute path, without links, of the folder that patterns are relative to.
  private let folder: BytePath?

  /// Whether all remaining warnings become errors.
  package var isStrict = false
  /// The project file, if it is named with findings that it changes; its settings come first.
  var origin: BytePath? { didSet { settingsOfOrigin = settings.count } }
  private var settingsOfOrigin = 0

  /// Settings in order; patterns are relative to `folder`, an absolute path without links.
  package init(_ settings: [Setting] = [], folder: BytePath? = nil) {
    self.settings = settings
    self.folder = folder
  }

  /// Adds settings that take precedence over the existing ones.
  package mutating func add(_ later: [Setting]) { settings += later }

  /// The level set for a rule in general; nil if none is.
  package func level(of rule: Rule) -> Level? {
    settings.last { $0.rule == rule.id && $0.files == nil }?.level
  }

  /// The settings for the manifest at `manifest` (nil for the standard input), whose files are
  /// below `root`.
  package func scope(manifest: BytePath?, root: BytePath?) -> Scope {
    var scope = Scope(settings: settings, isStrict: isStrict)
    scope.origin = origin.map { ($0, settingsOfOrigin) }
    guard settings.contains(where: { $0.files != nil }), let folder else { return scope }
    do throws(SystemError) {
      scope.manifest = try manifest.flatMap { (manifest) throws(SystemError) in
        try manifest.folder.resolved().appending(manifest.name).path(inside: folder)
      }
      scope.root = try root.flatMap { (root) throws(SystemError) in
        try root.resolved().path(inside: folder)
      }
    } catch {
      scope.problem = error
    }
    return scope
  }

  /// The settings for the findings of one manifest.
  package struct Scope {
    fileprivate let settings: [Setting]
    fileprivate let isStrict: Bool
    /// The manifest and the source root, relative to the project's folder; nil if they are outside.
    fileprivate var manifest: RelativePath?
    fileprivate var root: RelativePath?
    /// The project file to name, and the number of its settings.
    fileprivate var origin: (file: BytePath, settings: Int)?
    /// Why the location of the manifest or the root is unknown.
    fileprivate(set) var problem: SystemError?

    /// The level set for findings of `rule` about `file`, a path below the source root.
    func level(of rule: Rule, about file: RelativePath? = nil) -> Level? {
      index(of: rule, about: file).map { settings[$0].level }
    }

    private func index(of rule: Rule, about file: RelativePath?) -> Int? {
      settings.lastIndex { setting in
        guard setting.rule == rule.id else { return false }
        guard let pattern = setting.files else { return true }
        if let manifest, pattern.matches(manifest) { return true }
        guard let file, let root else { return false }
        return pattern.matches(file.prefixed(by: root))
      }
    }

    /// Whether findings of `rule` about `file` are not reported.
    func isOff(_ rule: Rule, about file: RelativePath) -> Bool {
      level(of: rule, about: file) == .off
    }

    /// The findings with the configured severities, without those that are off.
    func applied(to findings: [Finding]) -> [Finding] {
      let left = settings.isEmpty ? findings : findings.compactMap(applied)
      return isStrict ? left.treatingWarningsAsErrors() : left
    }

    private func applied(to finding: Finding) -> Finding? {
      guard finding.isAdjustable, let index = index(of: finding.rule, about: finding.file) else {
        return finding
      }
      var adjusted = finding
      switch settings[index].level {
      case .off: return nil
      case .warning: adjusted.severity = .warning
      case .error: adjusted.severity = .error
      }
      if let origin, index < origin.settings, adjusted.severity != finding.severity {
        adjusted.notes.append(Note("its severity is set in '\(origin.file)'"))
      }
      return adjusted
    }
  }

  /// The findings, which belong to no manifest, with the configured severities, without those that
  /// are off.
  package func applied(to findings: [Finding]) -> [Finding] {
    scope(manifest: nil, root: nil).applied(to: findings)
  }

  /// Why `rule` can't be set to `level`; nil if it can.
  package static func problem(_ level: Level, of rule: Rule) -> String? {
    guard level != .error, rule.adjustment == .none else { return nil }
    return level == .off
      ? "'\(rule.id)' can't be turned off: it prevents a pack from being made"
      : "'\(rule.id)' can't be a warning: it prevents a pack from being made"
  }
}

extension Finding {
  /// Whether a setting may turn the finding off, since it doesn't prevent making a pack.
  var isAdjustable: Bool {
    severity != .error && rule.adjustment != .none
      || rule.severity == .error && rule.adjustment == .all
  }
}

/// The path of a file or a folder, or a pattern for files, as in exclusions.
package struct PathPattern: Sendable {
  private let path: RelativePath
  private let glob: Glob?

  /// A path or a pattern in the syntax of selectors.
  package init(_ written: Located<String>) throws(Finding) {
    path = try RelativePath.selector(written)
    glob = Glob.isPattern(path.bytes) ? try Glob(path, at: written.location) : nil
  }

  /// Whether it is the path of `file` or of a folder above it, or a pattern that matches it.
  func matches(_ file: RelativePath) -> Bool {
    path == .root || file.isInside(path) || glob?.matches(file) ?? false
  }
}
