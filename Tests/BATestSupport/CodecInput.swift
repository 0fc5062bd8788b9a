/// Kinds of input.
package enum CodecInput: CaseIterable {
  case zeros, noise, runs, text, periods, halves

  package func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    switch self {
    case .zeros: return [UInt8](repeating: 0, count: count)
    case .noise: return (0..<count).map { _ in random.next() }
    case .runs:
      return grown(to: count) {
        [UInt8](repeating: random.next() & 15, count: Int.random(in: 1...90, using: &random))
      }
    case .text:
      let words = (0..<500).map { _ in
        (0..<Int.random(in: 1...9, using: &random)).map { _ -> UInt8 in 97 + random.next() % 26 }
      }
      return grown(to: count) {
        // Products favor the first words, as natural languages do.
        let index =
          Int.random(in: 0..<500, using: &random) * Int.random(in: 0..<500, using: &random)
        return words[index / 500] + [32]
      }
    case .periods:
      return grown(to: count) {
        let period = (0..<Int.random(in: 1...40, using: &random)).map { _ in random.next() as UInt8
        }
        return Array(repeatElement(period, count: Int.random(in: 1...30, using: &random)).joined())
      }
    case .halves:
      return grown(to: count) {
        Self.noise.bytes(30_000, &random) + Self.text.bytes(50_000, &random)
      }
    }
  }

  private func grown(to count: Int, _ piece: () -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += piece() }
    return [UInt8](bytes[..<count])
  }
}
