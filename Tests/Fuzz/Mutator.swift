import BALZFSE
import BAPackCore

/// Generates random inputs and mutates streams, deterministically from its seed (SplitMix64).
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// A number from 0 up to `bound`, which is at least 1.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// An encoded random input, which must decode correctly.
  mutating func sample(_ encoder: inout LZFSE.Encoder, _ decoder: inout LZFSE.Decoder) -> Sample {
    let raw = input()
    let output = UnsafeMutableRawBufferPointer.allocate(
      byteCount: LZFSE.Encoder.maximumSize(for: raw.count), alignment: 1)
    defer { unsafe output.deallocate() }
    let source = UnsafeMutableRawBufferPointer.allocate(byteCount: raw.count, alignment: 1)
    defer { unsafe source.deallocate() }
    unsafe source.copyBytes(from: raw)
    let size = unsafe encoder.encode(UnsafeRawBufferPointer(source), into: output) ?? 0
    let stream = unsafe [UInt8](output.prefix(size))
    do throws(LZFSE.Damage) {
      guard try decode(stream, raw.count, &decoder) == raw else { fatalError("other bytes") }
    } catch { fatalError("\(error)") }
    return Sample(stream: stream, rawSize: raw.count)
  }

  /// Pieces with few and with many byte values, and repetitions of earlier ones.
  private mutating func input() -> [UInt8] {
    var raw: [UInt8] = []
    let size = (1 << below(17)) + below(1000)
    while raw.count < size {
      let length = 1 + below(1 << below(12))
      switch below(4) {
      case 0: raw += (0..<length).map { _ in UInt8(truncatingIfNeeded: next()) }
      case 1: raw += (0..<length).map { _ in UInt8(truncatingIfNeeded: next() & 7) }
      case 2: raw += [UInt8](repeating: UInt8(truncatingIfNeeded: next()), count: length)
      default:
        guard !raw.isEmpty else { continue }
        let distance = 1 + below(min(raw.count, 1 << below(18)))
        for _ in 0..<length { raw.append(raw[raw.count - distance]) }
      }
    }
    return [UInt8](raw.prefix(size))
  }

  /// `stream` with one to three changes: bits, bytes, header fields, truncations, pieces of
  /// `other`.
  mutating func mutation(of stream: [UInt8], with other: [UInt8]) -> [UInt8] {
    var stream = stream
    for _ in 0...below(3) {
      guard !stream.isEmpty else { break }
      // The fields of the first header, its tables, or anywhere.
      let place = below(min(stream.count, [40, 300, stream.count, stream.count][below(4)]))
      switch below(10) {
      case 0...3: stream[place] ^= 1 << UInt8(below(8))
      case 4, 5: stream[place] = UInt8(truncatingIfNeeded: next())
      case 6: stream[place] = below(2) == 0 ? 0 : 255
      case 7: stream.removeSubrange(place..<min(stream.count, place + 1 + below(8)))
      case 8 where !other.isEmpty:
        let start = below(other.count)
        let length = min(other.count - start, 1 + below(64))
        stream.replaceSubrange(
          place..<min(stream.count, place + length), with: other[start..<start + length])
      default:
        // A whole stream appended, or in place of the end mark.
        if below(2) == 0 { stream.removeLast(min(4, stream.count)) }
        stream += other.prefix(4000)
      }
    }
    return stream
  }

  /// A text with changed bytes, or with words of itself and of `other` moved, duplicated or nested,
  /// to reach more than the lexer.
  mutating func textMutation(of text: [UInt8], with other: [UInt8]) -> [UInt8] {
    if below(2) == 0 { return mutation(of: text, with: other) }
    var text = text
    for _ in 0...below(4) {
      let source = below(2) == 0 ? text : other
      let (place, word) = (below(text.count + 1), range(ofWordIn: source))
      switch below(4) {
      case 0: text.insert(contentsOf: source[word], at: place)
      case 1: text.replaceSubrange(range(ofWordIn: text), with: source[word])
      case 2: text.removeSubrange(range(ofWordIn: text))
      default:
        let brackets = [
          ("{", "}"), ("[", "]"), ("\"", "\""), ("/*", "*/"), ("//", "\n"), ("'", "'"),
          ("(", ")"), ("<dict>", "</dict>"), ("<!--", "-->"),
        ]
        let (opening, closing) = brackets[below(brackets.count)]
        let inner = range(ofWordIn: text)
        text.insert(contentsOf: closing.utf8, at: inner.upperBound)
        text.insert(contentsOf: opening.utf8, at: inner.lowerBound)
      }
    }
    return text
  }

  /// A few bytes between two of the punctuation marks and spaces in `text`.
  private mutating func range(ofWordIn text: [UInt8]) -> Range<Int> {
    let isBorder = { (byte: UInt8) in " \n\t\"'{}[]()<>,:;=".utf8.contains(byte) }
    guard !text.isEmpty else { return 0..<0 }
    let start = below(text.count)
    let end = min(text.count, start + 1 + below(1 << below(7)))
    let first = text[..<start].lastIndex(where: isBorder) ?? 0
    return first..<(text[end...].firstIndex(where: isBorder) ?? text.count)
  }
}
