/// A token of a component of a pattern.
package enum GlobToken: Sendable {
  case byte(UInt8)
  case anyByte
  case anyBytes
  /// Ranges of ASCII, or what is outside them.
  case set([ClosedRange<UInt8>], isNegated: Bool)

  /// The tokens of one component of a pattern; `invalid` makes the finding for a reason.
  static func parse(
    _ part: ArraySlice<UInt8>, _ invalid: (String) -> Finding
  ) throws(Finding) -> [GlobToken] {
    var tokens: [GlobToken] = []
    var rest = part
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if case .anyBytes? = tokens.last { continue }
        tokens.append(.anyBytes)
      case UInt8(ascii: "?"):
        tokens.append(.anyByte)
      case UInt8(ascii: "["):
        tokens.append(try parseSet(&rest, invalid))
      case ASCII.backslash:
        guard let escaped = rest.popFirst() else { throw invalid("nothing follows the last '\\'") }
        tokens.append(.byte(escaped))
      default:
        tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  /// Parses a set after its `[`, up to its `]`; a leading `]` is literal.
  private static func parseSet(
    _ rest: inout ArraySlice<UInt8>, _ invalid: (String) -> Finding
  ) throws(Finding) -> GlobToken {
    var ranges: [ClosedRange<UInt8>] = []
    if rest.first == UInt8(ascii: "^") {
      throw invalid("write '[!…]', not '[^…]', for bytes outside a set")
    }
    let isNegated = rest.first == UInt8(ascii: "!")
    if isNegated { rest.removeFirst() }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "]"), !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
      var last = byte
      if rest.first == UInt8(ascii: "-"), let end = rest.dropFirst().first,
        end != UInt8(ascii: "]")
      {
        rest.removeFirst(2)
        last = end
      }
      guard byte < 128, last < 128 else {
        throw invalid("'[…]' can contain ASCII characters only")
      }
      guard byte <= last else { throw invalid("a range in '[…]' is descending") }
      ranges.append(byte...last)
    }
    throw invalid("'[' has no ']'; write '[[]' for a literal bracket")
  }

  /// The only bytes that `tokens` match; nil if there are several possibilities.
  static func literal(_ tokens: [GlobToken]) -> [UInt8]? {
    let prefix = prefix(tokens)
    return prefix.count == tokens.count ? prefix : nil
  }

  /// What all that `tokens` match begins with.
  static func prefix(_ tokens: [GlobToken]) -> [UInt8] {
    var bytes: [UInt8] = []
    for token in tokens {
      guard case .byte(let byte) = token else { break }
      bytes.append(byte)
    }
    return bytes
  }

  /// Whether `name` as a whole matches.
  static func match(_ tokens: [GlobToken], name: ArraySlice<UInt8>) -> Bool {
    if name.first == ASCII.dot {
      guard case .byte(ASCII.dot)? = tokens.first else { return false }
    }
    return match(tokens, name, crossesFolders: false)
  }

  /// Whether `text` as a whole matches. Only a literal slash and a `*` that `crossesFolders` match
  /// a slash. The time is at most proportional to the product of both lengths, since only the last
  /// `*` is ever retried.
  package static func match(
    _ tokens: [GlobToken], _ name: ArraySlice<UInt8>, crossesFolders: Bool
  ) -> Bool {
    var token = 0
    var position = name.startIndex
    var lastStar: (token: Int, position: Int)?
    while position < name.endIndex {
      if token < tokens.count, case .anyBytes = tokens[token] {
        lastStar = (token, position)
        token += 1
      } else if token < tokens.count, tokens[token].matches(name[position]) {
        token += 1
        position += 1
      } else if let star = lastStar, crossesFolders || name[star.position] != ASCII.slash {
        token = star.token + 1
        position = star.position + 1
        lastStar = (star.token, position)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { if case .anyBytes = $0 { true } else { false } }
  }

  private func matches(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let own): own == byte
    case .anyByte: byte != ASCII.slash
    case .anyBytes: true
    case .set(let ranges, let isNegated):
      byte != ASCII.slash && ranges.contains { $0.contains(byte) } != isNegated
    }
  }
}
