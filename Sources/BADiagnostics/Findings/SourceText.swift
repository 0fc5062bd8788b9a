/// A text with findings: its name as the user gave it, its bytes, and the starts of its lines.
public struct SourceText: Sendable {
  /// The path as the user wrote it, byte for byte, or `<stdin>`.
  package let name: [UInt8]
  package let bytes: [UInt8]
  private let lineStarts: [Int]
  /// The number of code points before each multiple of `stride`, so that columns in a text with one
  /// long line need not be counted from its start.
  private let scalarsBefore: [Int]
  private static let stride = 1024

  /// Indexes the lines of `bytes`; a line ends with LF, CR LF or CR.
  package init(name: [UInt8], bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    var scalarsBefore: [Int] = []
    var scalars = 0
    for (offset, byte) in bytes.enumerated() {
      if offset.isMultiple(of: Self.stride) { scalarsBefore.append(scalars) }
      if beginsScalar(byte) { scalars += 1 }
      let endsLine =
        byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
          && !(offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n"))
      if endsLine { starts.append(offset + 1) }
    }
    if bytes.count.isMultiple(of: Self.stride) { scalarsBefore.append(scalars) }
    lineStarts = starts
    self.scalarsBefore = scalarsBefore
  }

  /// A text whose name is UTF-8.
  public init(name: String, bytes: [UInt8]) { self.init(name: Array(name.utf8), bytes: bytes) }

  /// The line and column of the byte at `offset`, which may be one past the end.
  package func position(at offset: Int) -> SourcePosition {
    // The first line starts at 0, so there is one at or before the offset.
    let line = lineStarts.partitioningIndex { $0 > offset }
    let column = 1 + scalars(in: lineStarts[line - 1]..<min(offset, bytes.count))
    return SourcePosition(line: line, column: column)
  }

  private func scalars(in range: Range<Int>) -> Int {
    let first = (range.lowerBound + Self.stride - 1) / Self.stride
    let last = range.upperBound / Self.stride
    guard first < last else { return bytes[range].count(where: beginsScalar) }
    return bytes[range.lowerBound..<first * Self.stride].count(where: beginsScalar)
      + scalarsBefore[last] - scalarsBefore[first]
      + bytes[last * Self.stride..<range.upperBound].count(where: beginsScalar)
  }

  /// The bytes of line `number`, from 1 to the number of lines, without its line ending.
  package func line(_ number: Int) -> ArraySlice<UInt8> {
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r")
    {
      end -= 1
    }
    return bytes[start..<end]
  }
}

extension SourceText: Hashable {
  /// Whether both have the same name and bytes.
  public static func == (left: SourceText, right: SourceText) -> Bool {
    left.name == right.name && left.bytes == right.bytes
  }

  /// Hashes the name only: the bytes may be many, and each finding has them.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A position in a text as editors count it: from 1, with columns in Unicode code points.
public struct SourcePosition: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode code points, from 1.
  public let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A range of bytes in a text.
public struct SourceLocation: Hashable, Sendable {
  package let source: SourceText
  /// The offsets of the bytes; empty for a location between two bytes.
  public let range: Range<Int>
  /// The path of the file, as it was given; any name for a text that is in none.
  public var file: [UInt8] { source.name }

  package init(_ source: SourceText, _ range: Range<Int>) {
    self.source = source
    self.range = range
  }

  /// The line and column of the first byte.
  public var start: SourcePosition { source.position(at: range.lowerBound) }
  /// The line and column after the last byte.
  public var end: SourcePosition { source.position(at: range.upperBound) }
}

/// Whether a byte of UTF-8 begins a code point.
private func beginsScalar(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
