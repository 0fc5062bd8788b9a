import BAPackCore

extension DepotScriptReader {
  mutating func members(of member: KeyValue) -> [KeyValue] {
    if let block = member.block { return block }
    reportValue(member, "must be a block in braces, not a string")
    return []
  }

  mutating func text(of member: KeyValue?) -> Located<[UInt8]>? {
    guard let member else { return nil }
    guard let text = member.text else {
      reportValue(member, "must be a string, not a block")
      return nil
    }
    guard String(validating: text.value, as: UTF8.self) != nil else {
      report(.depotValue, "'\(printable(text.value))' is not UTF-8", text.location)
      return nil
    }
    return text
  }

  mutating func checkOnce(
    _ member: KeyValue, _ name: String, _ seen: inout [String: SourceLocation]
  ) {
    if let other = seen.updateValue(member.key.location, forKey: name) {
      report(
        .depotValue, "duplicate key '\(name)'", member.key.location,
        notes: [Note("first used here", at: other)])
    }
  }

  mutating func reportValue(_ member: KeyValue, _ message: String) {
    let location = member.text?.location ?? member.key.location
    report(.depotValue, "'\(printable(member.key.value))' \(message)", location)
  }

  mutating func reportLeftOut(_ member: KeyValue, _ message: String) {
    findings.append(Finding(.depotLeftOut, message, at: member.key.location))
  }

  mutating func reportOther(_ member: KeyValue, _ known: [String]) {
    let name = printable(member.key.value)
    if Self.uploadKeys.contains(where: member.isNamed) {
      return leftOut.append(member.key)
    }
    let near = nearest(to: name, among: known)
    report(
      .depotKey, "the key '\(name)' can't be converted", member.key.location,
      notes: near.map { [Note("did you mean '\($0)'?")] } ?? [])
  }

  mutating func report(
    _ rule: Rule, _ message: String, _ location: SourceLocation, notes: [Note] = []
  ) {
    findings.append(Finding(rule, message, at: location, notes: notes))
  }
}
