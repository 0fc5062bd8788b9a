extension LZFSE {
  /// Writes LZVN code for inputs too small for the tables of an FSE block.
  ///
  /// Matches, gains and opcodes are chosen like in Apple's open-source encoder, so the streams for
  /// small inputs are identical to its own.
  struct LZVNEncoder: ~Copyable {
    /// The sizes of inputs that are encoded, in bytes.
    static let sizes = 8..<4096

    private var input: [UInt8] = []
    private var code: [UInt8] = []
    /// The four newest positions for each hash, newest first.
    private let table: Memory<SIMD4<UInt16>>
    /// The offset of the first byte that isn't encoded yet.
    private var literals = 0
    /// The distance of the last match; 0 before the first.
    private var distance = 0

    private struct Match {
      var start: Int
      var end: Int
      var distance: Int
      var gain: Int
    }

    private static let hashBits = 14
    private static let longestRun = 271
    /// The number of pending literals that are written without a match.
    private static let patience = 400

    /// The code for `input`, whose size is in ``sizes``, with its end mark.
    mutating func encode(_ input: [UInt8]) -> [UInt8] {
      precondition(Self.sizes.contains(input.count))
      self.input = input
      code.removeAll(keepingCapacity: true)
      (literals, distance) = (0, 0)
      // The memory has this number of elements.
      unsafe table.start.update(repeating: .zero, count: table.count)
      findMatches()
      append(literals: input.count - literals)
      return code + [0x06, 0, 0, 0, 0, 0, 0, 0]
    }

    init() throws(OutOfMemory) { table = try Memory(repeating: .zero, count: 1 << Self.hashBits) }

    private mutating func findMatches() {
      var pending: Match?
      for position in 0..<input.count - 8 {
        let word = word(at: position)
        // The number of rows is a power of two, and the mask is one less.
        let row = Int(((word & 0xFF_FFFF) &* 4161) >> 12) & (table.count - 1)
        let candidates = unsafe table.start[row]
        unsafe table.start[row] = SIMD4(
          UInt16(position), candidates[0], candidates[1], candidates[2])
        if position < literals { continue }
        guard let match = best(candidates, word, at: position) else {
          if position - literals >= Self.patience {
            if let match = pending { append(match) } else { append(literals: Self.longestRun) }
            pending = nil
          }
          continue
        }
        if let earlier = pending {
          if earlier.end <= match.start {
            append(earlier)
            pending = match
          } else {
            append(match.gain > earlier.gain ? match : earlier)
            pending = nil
          }
        } else {
          pending = match
        }
      }
    }

    /// The match that saves the most at `position`, where the four bytes in `word` are.
    private func best(_ candidates: SIMD4<UInt16>, _ word: UInt32, at position: Int) -> Match? {
      var best: Match?
      var (bestGain, bestEnd) = (0, 0)
      func consider(_ earlier: Int, repeatsDistance: Bool) {
        let distance = position - earlier
        guard distance > 0, var match = match(at: position, earlier, word) else { return }
        match.gain =
          match.end - match.start - (repeatsDistance ? 1 : distance < 1536 ? 2 : 3)
        if match.gain > bestGain || match.gain == bestGain && match.end > bestEnd + 1 {
          best = match
          (bestGain, bestEnd) = (match.gain, match.end)
        }
      }
      for index in 0..<4 { consider(Int(candidates[index]), repeatsDistance: false) }
      if distance > 0, distance <= position {
        consider(position - distance, repeatsDistance: true)
      }
      return best
    }

    /// The extent of the match between two positions, in both directions; nil for fewer than three
    /// bytes.
    private func match(at position: Int, _ earlier: Int, _ word: UInt32) -> Match? {
      let difference = word ^ self.word(at: earlier)
      var start = position
      var end = position + 3
      if difference == 0 {
        end = position + 4
        while end + 4 < input.count {
          let difference = self.word(at: end) ^ self.word(at: end - (position - earlier))
          guard difference == 0 else {
            end += difference.trailingZeroBitCount / 8
            break
          }
          end += 4
        }
      } else if difference & 0xFF_FFFF != 0 {
        return nil
      }
      var source = earlier
      while start > literals, source > 0, input[start - 1] == input[source - 1] {
        start -= 1
        source -= 1
      }
      return Match(start: start, end: end, distance: position - earlier, gain: 0)
    }

    private func word(at position: Int) -> UInt32 {
      // SAFETY: bytes have no padding that could be read.
      unsafe input.span.bytes.integer(at: position)
    }

    /// Appends the literals up to a match, and the match.
    private mutating func append(_ match: Match) {
      var run = match.start - literals
      while run > 15 {
        append(literals: min(run, Self.longestRun))
        run = match.start - literals
      }
      if run > 3 {
        append(literals: run)
        run = 0
      }
      let length = match.end - match.start
      let first = min(length, 10 - 2 * run)
      var rest = length - first
      let fields = UInt8(run << 6 | (first - 3) << 3)
      if match.distance == distance {
        code.append(run == 0 ? UInt8(0xF0 | first) : fields | 6)
      } else if match.distance < 1536 {
        code += [fields | UInt8(match.distance >> 8), UInt8(match.distance & 0xFF)]
      } else if match.distance >= 1 << 14 || rest == 0 || length > 34 {
        code += [fields | 7, UInt8(match.distance & 0xFF), UInt8(match.distance >> 8)]
      } else {
        let operand = match.distance << 2 | (length - 3) & 3
        code += [
          UInt8(0xA0 | run << 3 | (length - 3) >> 2), UInt8(operand & 0xFF), UInt8(operand >> 8),
        ]
        rest = 0
      }
      code += input[literals..<match.start]
      literals = match.end
      distance = match.distance
      while rest > 15 {
        let part = min(rest, Self.longestRun)
        code += [0xF0, UInt8(part - 16)]
        rest -= part
      }
      if rest > 0 { code.append(UInt8(0xF0 | rest)) }
    }

    /// Appends the next `count` literals without a match.
    private mutating func append(literals count: Int) {
      var count = count
      while count > 0 {
        let part = min(count, Self.longestRun)
        code += part > 15 ? [0xE0, UInt8(part - 16)] : [UInt8(0xE0 | part)]
        code += input[literals..<literals + part]
        literals += part
        count -= part
      }
    }
  }
}
