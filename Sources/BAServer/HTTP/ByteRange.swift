import BAPackCore

/// The part of a file that a `Range` header requests.
package enum ByteRange: Equatable, Sendable {
  /// The whole file: there is no header, or one that is invalid or requests several parts (RFC
  /// 9110, 14.2, allows a server to ignore it).
  case whole
  case part(Range<UInt64>)
  case unsatisfiable

  package init(_ header: String?, size: UInt64) {
    self = .whole
    guard let header else { return }
    let parts = Array(header.utf8).split(
      separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
    guard parts.count == 2,
      ASCII.trimmed(parts[0]).map(ASCII.lowercased) == Array("bytes".utf8)
    else { return }
    let bounds = parts[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map(ASCII.trimmed)
    guard bounds.count == 2 else { return }
    switch (bounds[0].isEmpty, bounds[1].isEmpty) {
    case (true, true):
      return
    case (true, false):
      // The last bytes; more than the size means the whole file.
      guard let count = number(bounds[1]) else { return }
      self = count == 0 || size == 0 ? .unsatisfiable : .part(size - min(count, size)..<size)
    case (false, let isOpen):
      guard let first = number(bounds[0]) else { return }
      var end = size
      if !isOpen {
        guard let last = number(bounds[1]), last >= first else { return }
        end = last < size ? last + 1 : size
      }
      self = first < size ? .part(first..<end) : .unsatisfiable
    }
  }
}

/// The value of decimal digits, clamped to the maximum; nil for other characters.
private func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
  guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
  return UInt64(String(decoding: digits, as: UTF8.self)) ?? .max
}
