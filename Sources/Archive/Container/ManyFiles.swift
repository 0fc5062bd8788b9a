/// Whether 32 or more entries of an archive stream begin in `raw`, counting their magic number,
/// `AA01`. Samples of such a block miss what small files have in common, such as the headers of Ogg
/// files.
func hasManyFiles(_ raw: UnsafeRawBufferPointer) -> Bool {
  func bytes(_ position: Int) -> SIMD16<UInt8> {
    unsafe raw.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
  }
  func begins(_ position: Int) -> Bool {
    unsafe raw[position] == UInt8(ascii: "A") && raw[position + 1] == UInt8(ascii: "A")
      && raw[position + 2] == UInt8(ascii: "0") && raw[position + 3] == UInt8(ascii: "1")
  }
  let first = SIMD16(repeating: UInt8(ascii: "A"))
  let last = SIMD16(repeating: UInt8(ascii: "1"))
  var count = 0
  var position = 0
  // Compares the first and the last byte at sixteen positions at once.
  while position + 19 <= raw.count, count < 32 {
    let matches = unsafe unsafeBitCast(
      (bytes(position) .== first) .& (bytes(position + 3) .== last), to: SIMD2<UInt64>.self)
    if matches[0] | matches[1] != 0 {
      for candidate in position..<(position + 16) where begins(candidate) { count += 1 }
    }
    position += 16
  }
  while position + 4 <= raw.count {
    if begins(position) { count += 1 }
    position += 1
  }
  return count >= 32
}
