extension QRCode {
  /// A size of the code with level M: the division into blocks.
  struct Version {
    let number: Int
    let correction: Int
    let blocks: [Int]

    /// The capacity for text: four bits for the mode, and 8 or 16 for the length, are subtracted.
    var capacity: Int { blocks.reduce(0, +) - (number < 10 ? 2 : 3) }

    /// Table 9 of the standard, level M.
    static let all = [
      Version(number: 1, correction: 10, blocks: [16]),
      Version(number: 2, correction: 16, blocks: [28]),
      Version(number: 3, correction: 26, blocks: [44]),
      Version(number: 4, correction: 18, blocks: [32, 32]),
      Version(number: 5, correction: 24, blocks: [43, 43]),
      Version(number: 6, correction: 16, blocks: [27, 27, 27, 27]),
      Version(number: 7, correction: 18, blocks: [31, 31, 31, 31]),
      Version(number: 8, correction: 22, blocks: [38, 38, 39, 39]),
      Version(number: 9, correction: 22, blocks: [36, 36, 36, 37, 37]),
      Version(number: 10, correction: 26, blocks: [43, 43, 43, 43, 44]),
    ]

    /// Rows and columns of the centers of alignment patterns.
    var alignmentCenters: [Int] {
      switch number {
      case 1: []
      case 2...6: [6, 10 + 4 * number]
      default: [6, 8 + 2 * number, 10 + 4 * number]
      }
    }

    /// The codewords for `text`: data and correction of all blocks, interleaved.
    func codewords(for text: [UInt8]) -> [UInt8] {
      let total = blocks.reduce(0, +)
      var bits: [Bool] = []
      func append(_ value: Int, _ count: Int) {
        for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
      }
      append(0b0100, 4)
      append(text.count, number < 10 ? 8 : 16)
      for byte in text { append(Int(byte), 8) }
      append(0, min(4, total * 8 - bits.count))
      append(0, (8 - bits.count % 8) % 8)
      var data = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
      }
      for place in 0..<(total - data.count) { data.append(place.isMultiple(of: 2) ? 0xEC : 0x11) }

      var rest = data[...]
      var parts: [[UInt8]] = []
      for count in blocks {
        parts.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      let corrections = parts.map { ReedSolomon.correction(of: $0, count: correction) }
      return interleaved(parts) + interleaved(corrections)
    }

    private func interleaved(_ parts: [[UInt8]]) -> [UInt8] {
      let longest = parts.map(\.count).max() ?? 0
      return (0..<longest).flatMap { place in
        parts.compactMap { place < $0.count ? $0[place] : nil }
      }
    }
  }
}

/// Reed-Solomon codes over the field of 256 elements with the polynomial 0x11D.
package enum ReedSolomon {
  /// The remainder of `data` divided by the generator of `count` roots.
  package static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    var generator = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in 0..<count {
        generator[place] = product(generator[place], root)
        if place + 1 < count { generator[place] ^= generator[place + 1] }
      }
      root = product(root, 2)
    }
    var remainder = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in 0..<count { remainder[place] ^= product(generator[place], factor) }
    }
    return remainder
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result = 0
    for place in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      result ^= Int(b) >> place & 1 * Int(a)
    }
    return UInt8(result)
  }
}
