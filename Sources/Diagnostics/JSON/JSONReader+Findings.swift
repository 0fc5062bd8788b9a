extension JSONReader {
  /// Reports a syntax error, unless it follows from the previous one.
  mutating func reportSyntaxError(
    _ message: String, _ range: Range<Int>, notes: [Note] = [], fix: Fix? = nil
  ) {
    isWellFormed = false
    if expectsConsequence {
      expectsConsequence = false
      return
    }
    syntaxErrorCount += 1
    report(
      Finding(.syntax, message, at: SourceLocation(source, range), notes: notes, fix: fix))
  }

  /// Warns of a character that JSON5 allows and Foundation's parser rejects, unless there were many
  /// such warnings.
  mutating func warnOfJSON5(_ what: String, _ range: Range<Int>, replacement: String) {
    guard json5Warnings < 20 else { return }
    json5Warnings += 1
    let place = SourceLocation(source, range)
    report(
      Finding(
        .notPlainJSON, severity: .warning,
        "\(what) is valid JSON5, but Apple's JSON reader rejects it", at: place,
        fix: Fix(place, replacement)))
  }

  /// Adds a finding, up to a maximum.
  mutating func report(_ finding: Finding) {
    if findings.count < 1000 { findings.append(finding) }
  }

  /// Whether the text is small enough and UTF-8; skips a byte order mark.
  mutating func checkEncoding() -> Bool {
    if bytes.count > JSONDocument.maximumSize {
      isWellFormed = false
      report(
        Finding(
          .manifestTooLarge,
          "the file is too large: \(counted(bytes.count, "byte")),"
            + " and the limit is \(grouped(JSONDocument.maximumSize))",
          at: SourceLocation(source, 0..<0)))
      return false
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      isStrict = false
    }
    if bytes.count > 1, bytes.allSatisfy({ $0 == 0 }) {
      return refuse("the file contains only zero bytes; it was damaged, so restore it")
    }
    if let kind = fileKind(beginning: bytes) { return refuse("this is \(kind), not JSON") }
    let text = bytes.dropFirst(position).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if text.starts(with: "<?xml".utf8) || text.starts(with: "<!".utf8) {
      return refuse("this is XML, not JSON")
    }
    let start = bytes.prefix(4)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      || start.count >= 2 && start.contains(0)
    {
      isWellFormed = false
      report(
        Finding(
          .invalidUTF8, "the file is UTF-16 or UTF-32; save it as UTF-8",
          at: SourceLocation(source, 0..<0)))
      return false
    }
    for range in invalidUTF8(in: bytes, limit: 10) {
      isWellFormed = false
      report(
        Finding(
          .invalidUTF8,
          "'\(printable(bytes[range].prefix(8)))' is not UTF-8; save the file as UTF-8",
          at: SourceLocation(source, range)))
    }
    return true
  }

  private mutating func refuse(_ message: String) -> Bool {
    isWellFormed = false
    syntaxErrorCount += 1
    report(Finding(.syntax, message, at: SourceLocation(source, 0..<0)))
    return false
  }

  /// Reports each key that occurs earlier in the same object. Keys are compared by code points:
  /// Swift's `==` would treat an NFC key and an NFD key as equal.
  mutating func reportDuplicates(_ members: [JSONMember]) {
    guard members.count > 1 else { return }
    var first: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() where !member.keyRange.isEmpty {
      // Short objects, the common case, are compared directly.
      let earlier: Int?
      if members.count <= 8 {
        earlier = members[..<index].firstIndex { $0.key.utf8.elementsEqual(member.key.utf8) }
      } else {
        let key = Array(member.key.utf8)
        earlier = first[key]
        if earlier == nil { first[key] = index }
      }
      guard let earlier, !members[earlier].keyRange.isEmpty else { continue }
      report(
        Finding(
          .duplicateKey, "duplicate key '\(printable(member.key.utf8))'",
          at: SourceLocation(source, member.keyRange),
          notes: [
            Note("first used here", at: SourceLocation(source, members[earlier].keyRange))
          ]))
    }
  }

  /// The character at the position, for messages: `'x'`, `U+200B`.
  func describeCurrent() -> String {
    guard let (scalar, _) = decodeScalar(bytes, at: position) else {
      return current.map { "byte \(hexadecimal([$0], uppercase: true))" } ?? "the end of the file"
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
      .privateUse:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default:
      return "'\(scalar)'"
    }
  }

  /// The bytes of the token at the position: a word, or one character.
  func tokenRange() -> Range<Int> {
    let word = wordEnd(from: position)
    if word > position { return position..<word }
    let length = decodeScalar(bytes, at: position)?.length ?? 1
    return position..<min(position + length, bytes.count)
  }
}
