/// A text that findings point into: its name as the user gave it, its bytes, and where lines begin.
public struct SourceText: Sendable {
  /// The path as the user wrote it, or `<stdin>`.
  public let name: String
  /// The whole text, as read.
  public let bytes: [UInt8]
  private let lineStarts: [Int]

  /// Indexes the lines of `bytes`; they end with LF, CR LF or CR.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      let endsLine =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
          && !(offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n"))
      if endsLine { starts.append(offset + 1) }
    }
    lineStarts = starts
  }

  /// The line and column of the byte at `offset`, which may be one past the end.
  public func position(at offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let prefix = bytes[lineStarts[low]..<min(offset, bytes.count)]
    return SourcePosition(line: low + 1, column: 1 + scalarCount(prefix))
  }

  /// The bytes of a line (counted from 1), without what ends it.
  public func line(_ number: Int) -> ArraySlice<UInt8> {
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r")
    {
      end -= 1
    }
    return bytes[start..<end]
  }
}

/// A place in a text, as editors count: from 1, columns in Unicode code points.
public struct SourcePosition: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode code points, from 1.
  public let column: Int

  /// The place in column `column` of line `line`.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A range of bytes in a text.
public struct SourceLocation: Sendable {
  /// The text pointed into.
  public let source: SourceText
  /// Offsets of the bytes meant; empty for a place between two bytes.
  public let range: Range<Int>

  /// Points at `range` of `source`.
  public init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// Line and column of the first byte.
  public var start: SourcePosition { source.position(at: range.lowerBound) }
  /// Line and column behind the last byte.
  public var end: SourcePosition { source.position(at: range.upperBound) }
}

/// Code points in UTF-8 text: every byte that does not continue one.
private func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
  bytes.count { $0 & 0xC0 != 0x80 }
}
