extension ManifestDecoder {
  mutating func selectors(_ value: JSONValue) -> [FileSelector]? {
    guard let elements = list(value, "'fileSelectors'", of: "selectors") else { return nil }
    if elements.isEmpty {
      report(
        .emptyList, "'fileSelectors' is empty; the pack would have no files",
        location(value.range))
    }
    let selectors = elements.compactMap { selector($0) }
    reportRepeated(selectors)
    return selectors
  }

  private mutating func reportRepeated(_ selectors: [FileSelector]) {
    var first: [[[UInt8]]: SourceLocation] = [:]
    for selector in selectors {
      // Strings would be equal if they differ only in normalization.
      let key = selector.fields.flatMap { [Array($0.key.utf8), Array($0.path.value.utf8)] }
      if let earlier = first[key] {
        report(
          .repeatedElement, "the same selector is in the list twice", selector.location,
          notes: [Note("first used here", at: earlier)])
      } else {
        first[key] = selector.location
      }
    }
  }

  private mutating func selector(_ value: JSONValue) -> FileSelector? {
    if case .string(let path) = value.content {
      report(
        .wrongType,
        "a selector must be an object such as { \"file\": \"\(printable(path.utf8))\" }, not a "
          + "string",
        location(value.range))
      return nil
    }
    guard let members = object(value, "a selector") else { return nil }
    let fields = fields(members, of: value, known: allSelectorKeys)
    if fields.isEmpty {
      // An unknown key is reported as such.
      if members.isEmpty {
        report(
          .unknownSelector, "the selector is empty; it needs \(alternatives(kindNames))",
          location(value.range))
      }
      return nil
    }
    let kinds = selectorKeys.filter { $0.contains { fields[$0] != nil } }
    guard let keys = kinds.first, kinds.count == 1 else {
      reportConflict(fields)
      // The paths are checked nevertheless.
      for member in members { if let key = fields[member.key]?.key { _ = path(key, fields) } }
      return nil
    }
    guard let missing = keys.first(where: { fields[$0] == nil }) else {
      let paths = keys.compactMap { path($0, fields) }
      guard paths.count == keys.count else { return nil }
      let name = paths.count == 1 ? keys[0] : String(keys[0].dropLast("Source".count))
      guard let kind = FileSelector.Kind(rawValue: name) else { return nil }
      do {
        return try FileSelector(
          kind, paths[0], to: paths.count == 1 ? nil : paths[1], at: location(value.range))
      } catch {
        report(error)
        return nil
      }
    }
    if let given = keys.first(where: { fields[$0] != nil }), let member = fields[given] {
      report(
        .incompleteSelector, "'\(given)' needs '\(missing)'", contents(member.keyRange))
    }
    for key in keys where fields[key] != nil { _ = path(key, fields) }
    return nil
  }

  private mutating func path(_ key: String, _ fields: [String: JSONMember]) -> Located<String>? {
    let kind = key.hasSuffix("Destination") ? "in the pack" : "relative to the source root"
    guard let value = fields[key]?.value,
      let path = text(value, of: key, "write a path \(kind), or remove the selector")
    else { return nil }
    // NUL is an error, reported with the other rules of paths.
    if let control = path.value.unicodeScalars.first(where: { (1..<0x20).contains($0.value) }) {
      report(
        .invalidPath, severity: .warning,
        "'\(key)' contains the control character \(printable(String(control).utf8));"
          + " use '/' between folders: a backslash begins an escape", path.location)
    }
    let parts = path.value.split(separator: "/")
    if ["filePattern", "fileExclusion"].contains(key),
      let part = parts.first(where: { $0.contains("**") && $0 != "**" })
    {
      let fixed = parts.map { $0.hasPrefix("**") && $0 != "**" ? "**/" + $0.dropFirst() : $0 }
      report(
        .invalidPattern, severity: .warning,
        "'**' is for folders only as a whole name: in '\(printable(part.utf8))' it is like '*'",
        path.location,
        fix: part.hasPrefix("**")
          ? Fix(path.location, fixed.joined(separator: "/"), isCertain: false) : nil)
    }
    return path
  }

  private mutating func reportConflict(_ fields: [String: JSONMember]) {
    let written = fields.values.sorted { $0.keyRange.lowerBound < $1.keyRange.lowerBound }
    guard let first = written.first,
      let kind = selectorKeys.first(where: {
        $0.contains { fields[$0]?.keyRange == first.keyRange }
      }),
      let other = written.first(where: { member in
        !kind.contains { fields[$0]?.keyRange == member.keyRange }
      })
    else { return }
    report(
      .conflictingSelector,
      "'\(printable(other.key.utf8))' and '\(printable(first.key.utf8))' in one selector;"
        + " split it into two",
      contents(other.keyRange), notes: [Note("the other key is here", at: contents(first.keyRange))]
    )
  }
}

/// The keys of each form of selectors.
private let selectorKeys = SelectorForm.all.map { $0.keys.map(\.name) }

private let allSelectorKeys = selectorKeys.flatMap { $0 }

private let kindNames = selectorKeys.compactMap(\.first)
