/// The header of a frame of a FLAC file.
struct FLACFrame {
  /// Whether all frames but the last have the same number of samples.
  let hasFixedSize: Bool
  /// The codes of the number of samples, the sample rate and the sample size.
  let codes: (size: UInt8, rate: UInt8, depth: UInt8)
  /// The number of samples of each channel.
  let samples: UInt64
  /// The index of the frame, or of its first sample if sizes vary.
  let number: UInt64
  /// Whether the CRC-8 of the header is correct.
  let isWhole: Bool

  /// The maximum size of a header.
  static let maximumSize = 16

  /// The header at the start of `bytes`, whether its CRC-8 is correct or not; nil if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes.prefix(Self.maximumSize))
    guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
    hasFixedSize = bytes[1] & 1 == 0
    codes = (bytes[2] >> 4, bytes[2] & 0xF, bytes[3] >> 1 & 7)
    // Reserved values.
    guard codes.size != 0, codes.rate != 15, bytes[3] >> 4 <= 10, codes.depth != 3,
      bytes[3] & 1 == 0
    else { return nil }
    // The number is encoded like a UTF-8 character, with up to seven bytes.
    let ones = (~bytes[4]).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return nil }
    let more = max(0, ones - 1)
    var position = 5 + more
    let extra = (
      codes.size == 6 ? 1 : codes.size == 7 ? 2 : 0, [12: 1, 13: 2, 14: 2][codes.rate] ?? 0
    )
    guard bytes.count > position + extra.0 + extra.1,
      bytes[5..<position].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { return nil }
    let first = ones == 0 ? bytes[4] : bytes[4] & (0x7F >> UInt8(ones))
    number = bytes[5..<position].reduce(UInt64(first)) { $0 << 6 | UInt64($1 & 0x3F) }
    let stated = integer(bigEndian: bytes[position..<position + extra.0])
    samples =
      switch codes.size {
      case 1: 192
      case 2...5: 576 << UInt64(codes.size - 2)
      case 6, 7: stated + 1
      default: 256 << UInt64(codes.size - 8)
      }
    position += extra.0 + extra.1
    isWhole =
      ForwardCRC.flacHeader.updated(0, bytes[..<position]) >> 24 == UInt32(bytes[position])
  }

  /// Whether `other` may be a frame of the same file.
  func resembles(_ other: FLACFrame) -> Bool {
    hasFixedSize == other.hasFixedSize && codes.rate == other.codes.rate
      && codes.depth == other.codes.depth
  }

  /// Whether this is the frame after `last`.
  func follows(_ last: FLACFrame) -> Bool {
    let step = hasFixedSize ? 1 : last.samples
    return resembles(last) && number >= last.number && number - last.number == step
  }

  /// The name in messages.
  var shown: String {
    hasFixedSize ? "FLAC frame \(grouped(number))" : "FLAC frame at sample \(grouped(number))"
  }
}
