/// A place in a text that is read byte by byte, from the start or after a byte order mark.
package struct TextCursor {
  package let source: SourceText
  package var position: Int

  package init(_ source: SourceText) {
    self.source = source
    position = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  package var isAtEnd: Bool { position == source.bytes.count }

  package var current: UInt8? { position < source.bytes.count ? source.bytes[position] : nil }

  package func isAt(_ text: String) -> Bool {
    source.bytes[position...].starts(with: text.utf8)
  }

  package mutating func skip(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8.count
    return true
  }

  /// Skips everything up to and with `text`; false, at the end, if there is none.
  package mutating func skip(through text: String) -> Bool {
    while !isAtEnd {
      if skip(text) { return true }
      position += 1
    }
    return false
  }

  package mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = current, isWanted(byte) { position += 1 }
    return source.bytes[start..<position]
  }

  package func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }
}
