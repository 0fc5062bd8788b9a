/// Decodes a project file, and reports all of its problems in one run.
package struct ProjectDecoder: KeyDecoding {
  let source: SourceText
  var findings: [Finding] = []
  var hasError = false
  let isWellFormed: Bool
  /// All rules that the caller checks; nil if other tools check others.
  let rules: [Rule]?

  /// Decodes `source`, the text of the file at `file`.
  package static func decode(
    _ source: SourceText, at file: BytePath, _ rules: [Rule]? = Rule.all
  ) -> Project {
    let document = JSONDocument(reading: source)
    var decoder = ProjectDecoder(source: source, isWellFormed: document.isWellFormed, rules: rules)
    decoder.findings = document.findings
    var project = Project(file: file)
    if let root = document.root { decoder.decode(root, &project) }
    project.findings = decoder.findings.sortedByLocation()
    return project
  }

  private mutating func decode(_ root: JSONValue, _ project: inout Project) {
    guard let members = object(root, "the project file") else { return }
    let fields = fields(
      members, of: root, known: ProjectKey.allCases.map(\.rawValue), tolerated: ["$schema"])
    let folder = project.file?.folder ?? "."
    var isStrict = false
    for key in ProjectKey.allCases {
      guard let value = optional(key.rawValue, fields) else { continue }
      switch key {
      case .hosting: project.hosting = choice(value, key.rawValue, Hosting.allCases)
      case .root: project.root = path(value, key.rawValue, from: folder)
      case .outputFolder: project.outputFolder = path(value, key.rawValue, from: folder)
      case .primaryLanguage:
        project.primaryLanguage = string(value, "'\(key.rawValue)'").flatMap { language($0)?.value }
      case .compression: project.codec = choice(value, key.rawValue, Codec.allCases)
      case .compressionLevel:
        project.compressionLevel = level(value, key.rawValue, of: project.codec)
      case .links:
        if let links = choice(value, key.rawValue, LinkPolicy.allCases) {
          project.policy.links = links
        }
      case .allowStubs: project.policy.allowsStubs = flag(value, key.rawValue) ?? false
      case .strict: isStrict = flag(value, key.rawValue) ?? false
      case .sizeBudgets: budgets(value, &project.sizeBudgets)
      case .rules:
        project.rules = RuleSettings(settings(value), folder: resolved(folder))
      }
    }
    project.rules.isStrict = isStrict
  }

  private mutating func resolved(_ folder: BytePath) -> BytePath? {
    do {
      return try folder.resolved()
    } catch {
      // A missing folder contains no manifests.
      if error.code != .noSuchFile {
        findings.append(Finding(.unreadableFile, error.description, at: nil))
      }
      return nil
    }
  }

  private mutating func path(
    _ value: JSONValue, _ key: String, from folder: BytePath
  ) -> BytePath? {
    guard let path = string(value, "'\(key)'") else { return nil }
    if path.value.isEmpty || path.value.utf8.contains(0) {
      report(
        path.value.isEmpty ? .emptyPath : .invalidPath,
        path.value.isEmpty
          ? "'\(key)' is empty; the project file's own folder is '.'"
          : "'\(key)' contains a NUL character", path.location)
      return nil
    }
    if path.value.utf8.count > BytePath.maximumLength {
      report(
        .invalidPath,
        "'\(key)' is longer than \(grouped(BytePath.maximumLength)) bytes, the maximum",
        path.location)
      return nil
    }
    do {
      if try !folder.contains(path.value) {
        report(
          .projectFile, "'\(key)' leads out of the project file's folder", path.location)
        return nil
      }
    } catch {
      findings.append(Finding(.unreadableFile, error.description, at: path.location))
      return nil
    }
    return folder.appending(path.value.utf8)
  }

  /// A level of `codec`, or of that which the hosting determines.
  private mutating func level(_ value: JSONValue, _ key: String, of codec: Codec?) -> Int? {
    if let codec, codec.levels == nil {
      report(
        .projectFile,
        "'\(key)' is for \(listed(Codec.withLevels.map(\.rawValue), "and")), but"
          + " '\(ProjectKey.compression.rawValue)' is '\(codec.rawValue)'", location(value.range))
      return nil
    }
    guard case .number(let number) = value.content else {
      wrongType(value, "'\(key)'", "a number")
      return nil
    }
    let levels = codec?.levels ?? Codec.allLevels
    if let level = number.integer, levels.contains(level) { return level }
    report(
      .unknownValue,
      "'\(key)' must be a whole number from \(levels.lowerBound) to \(levels.upperBound)",
      location(value.range))
    return nil
  }

  private mutating func flag(_ value: JSONValue, _ key: String) -> Bool? {
    guard case .bool(let flag) = value.content else {
      wrongType(value, "'\(key)'", "true or false")
      return nil
    }
    return flag
  }

  private mutating func choice<Choice: RawRepresentable<String>>(
    _ value: JSONValue, _ key: String, _ choices: [Choice]
  ) -> Choice? {
    guard let text = string(value, "'\(key)'") else { return nil }
    if let choice = choices.first(where: { $0.rawValue == text.value }) { return choice }
    let names = choices.map(\.rawValue)
    let meant = nearest(to: text.value, among: names)
    report(
      .unknownValue,
      "'\(printable(text.value.utf8))' is not a value of '\(key)'; "
        + (meant.map { "did you mean '\($0)'?" } ?? "write \(alternatives(names))"),
      text.location, fix: meant.map { Fix(text.location, $0) })
    return nil
  }

  // MARK: Budgets

  private mutating func budgets(_ value: JSONValue, _ budgets: inout SizeBudgets) {
    guard let members = object(value, "'sizeBudgets'") else { return }
    let fields = fields(members, of: value, known: DownloadPolicy.Kind.known.rawValues + ["packs"])
    for policy in DownloadPolicy.Kind.known.rawValues {
      guard let member = fields[policy] else { continue }
      // `null` removes the default limit of a policy.
      if case .null = member.value.content {
        budgets.policies[policy] = nil
      } else if let size = size(member.value, policy) {
        budgets.policies[policy] = size
      }
    }
    guard let packs = optional("packs", fields), let sizes = object(packs, "'packs'") else {
      return
    }
    for member in sizes where !member.keyRange.isEmpty {
      if let size = size(member.value, member.key) { budgets.packs[member.key] = size }
    }
  }

  private mutating func size(_ value: JSONValue, _ owner: String) -> UInt64? {
    switch value.content {
    case .number(let number):
      if let size = number.plainText.flatMap({ UInt64($0) }) { return size }
    case .string(let text):
      if let size = byteCount(reading: text) { return size }
    default:
      wrongType(value, "'\(printable(owner.utf8))'", "a size, such as \"100 MB\"")
      return nil
    }
    report(
      .projectFile, "this is not a size; write a number of bytes, or a text such as \"100 MB\"",
      contents(value.range))
    return nil
  }

  // MARK: Rules

  private mutating func settings(_ value: JSONValue) -> [RuleSettings.Setting] {
    guard let members = object(value, "'rules'") else { return [] }
    var settings: [RuleSettings.Setting] = []
    for member in members where !member.keyRange.isEmpty {
      let known = rules ?? Rule.all
      guard let rule = known.first(where: { $0.id == member.key }) else {
        let meant = nearest(to: member.key, among: known.map(\.id))
        report(
          .projectFile,
          "unknown rule '\(printable(member.key.utf8))'"
            + (meant.map { "; did you mean '\($0)'?" } ?? ""),
          contents(member.keyRange), fix: meant.map { Fix(contents(member.keyRange), $0) })
        if rules == nil { findings[findings.count - 1].severity = .note }
        continue
      }
      guard case .object(let patterns) = member.value.content else {
        if let level = level(member.value, rule) {
          settings.append(RuleSettings.Setting(rule.id, level))
        }
        continue
      }
      for pattern in patterns where !pattern.keyRange.isEmpty {
        guard let level = level(pattern.value, rule) else { continue }
        let written = Located(pattern.key, at: contents(pattern.keyRange))
        do {
          settings.append(RuleSettings.Setting(rule.id, level, files: try PathPattern(written)))
        } catch {
          findings.append(error)
        }
      }
    }
    return settings
  }

  private mutating func level(_ value: JSONValue, _ rule: Rule) -> RuleSettings.Level? {
    guard
      let level = choice(value, rule.id, RuleSettings.Level.allCases)
    else { return nil }
    if let problem = RuleSettings.problem(level, of: rule) {
      report(.projectFile, problem, contents(value.range))
      return nil
    }
    return level
  }
}

enum ProjectKey: String, CaseIterable {
  case hosting, root, outputFolder, primaryLanguage, compression, compressionLevel, links
  case allowStubs, strict, sizeBudgets, rules
}

extension BytePath {
  /// Whether `path`, or what exists of it, is inside this folder as written and with links resolved.
  fileprivate func contains(_ path: String) throws(SystemError) -> Bool {
    var depth = 0
    for part in path.utf8.split(separator: ASCII.slash) where !part.elementsEqual(".".utf8) {
      depth += part.elementsEqual("..".utf8) ? -1 : 1
      if depth < 0 { return false }
    }
    if path.hasPrefix("/") { return false }
    var parts = path.utf8.split(separator: ASCII.slash)
    guard let base = try optional(.noSuchFile, .notDirectory, call: resolved()) else {
      return true
    }
    while !parts.isEmpty {
      let candidate = appending(Array(parts.joined(separator: [ASCII.slash])))
      if let found = try optional(.noSuchFile, .notDirectory, call: candidate.resolved()) {
        return found.path(inside: base) != nil
      }
      parts.removeLast()
    }
    return true
  }
}
