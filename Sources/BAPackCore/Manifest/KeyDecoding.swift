/// Decodes a JSON text, key by key, and reports all problems in one run.
protocol KeyDecoding {
  var source: SourceText { get }
  var findings: [Finding] { get set }
  var hasError: Bool { get set }
  /// Whether the text has no syntax errors.
  var isWellFormed: Bool { get }
  /// Whether the text is embedded in a pack. Its tool may be newer, so unknown names are only
  /// warnings, and not taken for typos.
  var isEmbedded: Bool { get }
}

extension KeyDecoding {
  var isEmbedded: Bool { false }

  /// Adds a finding, up to a maximum; beyond it, the first error is still added.
  mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, _ location: SourceLocation,
    notes: [Note] = [], fix: Fix? = nil
  ) {
    let severity =
      isEmbedded && [.unknownKey, .unknownValue].contains(rule) ? severity ?? .warning : severity
    report(Finding(rule, severity: severity, message, at: location, notes: notes, fix: fix))
  }

  mutating func report(_ finding: Finding) {
    guard isWellFormed || !rulesForWellFormedTexts.contains(finding.rule) else { return }
    var finding = finding
    if isEmbedded, selectorPathRules.contains(finding.rule) { finding.severity = .warning }
    let isError = finding.severity == .error
    guard !isFull || isError && !hasError else { return }
    if isError { hasError = true }
    findings.append(finding)
  }

  private var isFull: Bool { findings.count >= 1000 }

  func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }

  /// The text between a string's quotes; for an empty string the quotes themselves, so that a caret
  /// can point at them.
  func contents(_ range: Range<Int>) -> SourceLocation {
    guard range.count > 2, range.upperBound <= source.bytes.count else { return location(range) }
    let first = source.bytes[range.lowerBound]
    guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
      source.bytes[range.upperBound - 1] == first
    else { return location(range) }
    return location((range.lowerBound + 1)..<(range.upperBound - 1))
  }

  /// The opening brace of an object, the location of findings about missing keys.
  func opening(_ value: JSONValue) -> Range<Int> {
    value.range.lowerBound..<min(value.range.lowerBound + 1, value.range.upperBound)
  }

  /// The members by key; for duplicate keys, the first. Unknown keys are reported; one that is a
  /// typo of a known key is used as that key.
  mutating func fields(
    _ members: [JSONMember], of object: JSONValue, known: [String], tolerated: [String] = []
  ) -> [String: JSONMember] {
    var fields: [String: JSONMember] = [:]
    for member in members where known.contains(member.key) && fields[member.key] == nil {
      fields[member.key] = member
    }
    for member in members where !known.contains(member.key) && !tolerated.contains(member.key) {
      // Skip the search once reporting has stopped.
      guard !member.keyRange.isEmpty, !isFull else { continue }
      let meant = isEmbedded ? nil : suggestion(for: member.key, among: known)
      let location = contents(member.keyRange)
      if known.contains("downloadPolicy"), DownloadPolicy.Kind(rawValue: member.key).isKnown {
        report(.unknownKey, "'\(member.key)' belongs in 'downloadPolicy'", location)
        continue
      }
      report(
        .unknownKey,
        "unknown key '\(printable(member.key.utf8))'; "
          + (meant.map { "did you mean '\($0)'?" } ?? "known keys: \(alternatives(known, "and"))"),
        location, fix: meant.flatMap { fields[$0] == nil ? Fix(location, $0) : nil })
      if let meant, fields[meant] == nil { fields[meant] = member }
    }
    return fields
  }

  private func suggestion(for key: String, among known: [String]) -> String? {
    let habits = [
      "folder": "directory", "dir": "directory", "path": "file", "pattern": "filePattern",
      "glob": "filePattern", "exclude": "fileExclusion", "exclusion": "fileExclusion",
      "id": "assetPackID", "identifier": "assetPackID", "policy": "downloadPolicy",
      "selectors": "fileSelectors", "files": "fileSelectors", "root": "sourceRoot",
      "events": "installationEventTypes",
    ]
    if let habit = habits[key.lowercased()], known.contains(habit) { return habit }
    let longer = known.filter { key.count > 3 && $0.hasPrefix(key) }
    return nearest(to: key, among: known) ?? (longer.count == 1 ? longer[0] : nil)
  }

  mutating func required(
    _ key: String, _ fields: [String: JSONMember], _ object: JSONValue,
    of owner: String = "the manifest", notes: [Note] = []
  ) -> JSONValue? {
    guard let member = fields[key] else {
      report(.missingKey, "\(owner) needs '\(key)'", location(opening(object)), notes: notes)
      return nil
    }
    return member.value
  }

  /// The value of an optional key. `null` counts as absent, with a warning.
  mutating func optional(_ key: String, _ fields: [String: JSONMember]) -> JSONValue? {
    guard let member = fields[key] else { return nil }
    if case .null = member.value.content {
      if !member.value.range.isEmpty {
        report(
          .nullValue, severity: .warning, "'\(key)' is null and is ignored; remove it",
          location(member.value.range))
      }
      return nil
    }
    return member.value
  }

  mutating func string(_ value: JSONValue, _ owner: String) -> Located<String>? {
    guard case .string(let text) = value.content else {
      wrongType(value, owner, "a string")
      return nil
    }
    return Located(text, at: contents(value.range))
  }

  mutating func object(_ value: JSONValue, _ owner: String) -> [JSONMember]? {
    guard case .object(let members) = value.content else {
      wrongType(value, owner, "an object")
      return nil
    }
    return members
  }

  mutating func list(_ value: JSONValue, _ owner: String, of element: String) -> [JSONValue]? {
    guard case .array(let elements) = value.content else {
      wrongType(value, owner, "a list of \(element)")
      return nil
    }
    return elements
  }

  /// Reports a value of the wrong type, unless it is the parser's placeholder for an unreadable
  /// one.
  mutating func wrongType(_ value: JSONValue, _ owner: String, _ expected: String) {
    guard !value.range.isEmpty else { return }
    if case .null = value.content {
      report(.nullValue, "\(owner) must be \(expected), not null", location(value.range))
    } else {
      // Of objects and arrays, only the opening bracket.
      let isList = value.object != nil || value.array != nil
      report(
        .wrongType, "\(owner) must be \(expected), not \(value.kindName)",
        location(isList ? opening(value) : value.range))
    }
  }

  /// `'a', 'b' or 'c'`.
  func alternatives(_ names: [String], _ word: String = "or") -> String {
    listed(names.map { "'\($0)'" }, word)
  }
}

/// Rules that a text with syntax errors may seem to violate, if its brackets are not matched as
/// intended.
private let rulesForWellFormedTexts: Set<Rule> = [
  .unknownKey, .missingKey, .wrongType, .emptyList, .missingPolicy, .severalPolicies,
  .unknownSelector, .conflictingSelector, .incompleteSelector,
]
