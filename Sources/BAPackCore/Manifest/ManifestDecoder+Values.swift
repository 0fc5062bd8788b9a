extension ManifestDecoder {
  /// Keeps a finding; a manifest that breaks rules without end is reported in part. Warnings alone
  /// never hide that there is an error too.
  mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, _ location: SourceLocation,
    notes: [Note] = [], fix: Fix? = nil
  ) {
    guard isWhole || !Self.rulesOfWholeTexts.contains(rule) else { return }
    let isError = (severity ?? rule.severity) == .error
    guard !isFull || isError && !hasError else { return }
    if isError { hasError = true }
    findings.append(
      Finding(rule, severity: severity, message, at: location, notes: notes, fix: fix))
  }

  /// Whether as many findings are kept as are reported at most.
  private var isFull: Bool { findings.count >= 1000 }

  /// Rules that a text with broken grammar seems to break where its brackets are read as others than
  /// meant.
  private static let rulesOfWholeTexts: Set<Rule> = [
    .unknownKey, .missingKey, .wrongType, .emptyList, .missingPolicy, .severalPolicies,
    .unknownSelector, .conflictingSelector, .incompleteSelector,
  ]

  func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }

  /// What stands between a string's quotes; the quotes too where nothing stands between them, so
  /// that a caret has something to point at.
  func contents(_ range: Range<Int>) -> SourceLocation {
    guard range.count > 2, range.upperBound <= source.bytes.count else { return location(range) }
    let first = source.bytes[range.lowerBound]
    guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
      source.bytes[range.upperBound - 1] == first
    else { return location(range) }
    return location((range.lowerBound + 1)..<(range.upperBound - 1))
  }

  /// The brace that opens an object, where findings about what is missing point.
  func opening(_ value: JSONValue) -> Range<Int> {
    value.range.lowerBound..<min(value.range.lowerBound + 1, value.range.upperBound)
  }

  /// The members by their keys. Of a key that stands twice the first counts. Unknown keys are
  /// reported; one that is a slip for a known key stands for it from here on.
  mutating func fields(
    _ members: [JSONMember], of object: JSONValue, known: [String], tolerated: [String] = []
  ) -> [String: JSONMember] {
    var fields: [String: JSONMember] = [:]
    for member in members where known.contains(member.key) && fields[member.key] == nil {
      fields[member.key] = member
    }
    for member in members where !known.contains(member.key) && !tolerated.contains(member.key) {
      // What is no longer reported need not be puzzled over.
      guard !member.keyRange.isEmpty, !isFull else { continue }
      let meant = suggestion(for: member.key, among: known)
      let place = contents(member.keyRange)
      report(
        .unknownKey,
        "unknown key '\(printable(member.key.utf8))'; "
          + (meant.map { "did you mean '\($0)'?" } ?? "known here: \(alternatives(known, "and"))"),
        place, fix: meant.map { Fix(place, $0) })
      if let meant, fields[meant] == nil { fields[meant] = member }
    }
    return fields
  }

  /// The known key that an unknown one most likely stands for.
  private func suggestion(for key: String, among known: [String]) -> String? {
    let habits = [
      "folder": "directory", "dir": "directory", "path": "file", "pattern": "filePattern",
      "glob": "filePattern", "exclude": "fileExclusion", "exclusion": "fileExclusion",
      "id": "assetPackID", "identifier": "assetPackID", "policy": "downloadPolicy",
      "selectors": "fileSelectors", "files": "fileSelectors", "root": "sourceRoot",
      "events": "installationEventTypes",
    ]
    if let habit = habits[key.lowercased()], known.contains(habit) { return habit }
    return nearest(to: key, among: known)
  }

  /// The value of a key that must be there, and isn't `null`.
  mutating func required(
    _ key: String, _ fields: [String: JSONMember], _ object: JSONValue,
    of owner: String = "the manifest", notes: [Note] = []
  ) -> JSONValue? {
    guard let member = fields[key] else {
      report(.missingKey, "\(owner) has no '\(key)'", location(opening(object)), notes: notes)
      return nil
    }
    return member.value
  }

  /// The value of a key that may be left out. `null` counts as left out, and is remarked upon.
  mutating func optional(_ key: String, _ fields: [String: JSONMember]) -> JSONValue? {
    guard let member = fields[key] else { return nil }
    if case .null = member.value.content {
      if !member.value.range.isEmpty {
        report(
          .nullValue, severity: .warning, "'\(key)' is null, which counts as absent; remove it",
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

  /// Says that a value is not what its key takes, unless the reader has put it there in place of one
  /// that it could not read.
  mutating func wrongType(_ value: JSONValue, _ owner: String, _ expected: String) {
    guard !value.range.isEmpty else { return }
    if case .null = value.content {
      report(.nullValue, "\(owner) is null; it takes \(expected)", location(value.range))
    } else {
      report(
        .wrongType, "\(owner) is \(value.kindName); it takes \(expected)", shown(value))
    }
  }

  /// The place of a value that is to be pointed at: of objects and lists just the bracket.
  private func shown(_ value: JSONValue) -> SourceLocation {
    switch value.content {
    case .object, .array: location(opening(value))
    default: location(value.range)
    }
  }

  /// `'a', 'b' or 'c'`.
  func alternatives(_ names: [String], _ word: String = "or") -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
