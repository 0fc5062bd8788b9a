/// Whether 32 or more entries of an archive stream begin in `raw`, counting their magic number,
/// `AA01`. Samples of such a block miss what small files have in common, such as the headers of Ogg
/// files.
func hasManyFiles(_ raw: UnsafeRawBufferPointer) -> Bool {
  func word(_ position: Int) -> UInt64 {
    unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }
  func begins(_ position: Int) -> Bool {
    unsafe raw[position] == UInt8(ascii: "A") && raw[position + 1] == UInt8(ascii: "A")
      && raw[position + 2] == UInt8(ascii: "0") && raw[position + 3] == UInt8(ascii: "1")
  }
  let ones: UInt64 = 0x0101_0101_0101_0101
  var count = 0
  var position = 0
  // Compares the first and the last byte at eight positions at once: a byte of `differences` is
  // zero if both match.
  while position + 11 <= raw.count, count < 32 {
    let differences =
      word(position) ^ (ones * UInt64(UInt8(ascii: "A")))
      | word(position + 3) ^ (ones * UInt64(UInt8(ascii: "1")))
    if (differences &- ones) & ~differences & (ones << 7) != 0 {
      for candidate in position..<(position + 8) where begins(candidate) { count += 1 }
    }
    position += 8
  }
  while position + 4 <= raw.count {
    if begins(position) { count += 1 }
    position += 1
  }
  return count >= 32
}
