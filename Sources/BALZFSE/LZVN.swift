extension LZFSE {
  /// Executes the byte code of an LZVN block. Each operation outputs literals, which follow its
  /// operands in the code, and then repeats earlier output.
  ///
  /// Blocks of this kind are used for less than 4 KiB, so simple code is fast enough.
  struct LZVNDecoder {
    /// The offset of the next byte of code, and the end of the code.
    private var offset: Int
    private let codeEnd: Int
    /// The offset of the next byte of output, and the end of the block's output.
    private var position: Int
    private let outputEnd: Int
    /// The distance of the last operation with one; 0 before the first.
    private var distance = 0

    /// An operation, without its literals.
    private struct Operation {
      enum Distance { case none, previous, explicit(Int) }

      /// The size of the code in bytes.
      var size: Int
      var literals = 0
      var match = 0
      var distance = Distance.none
    }

    private static let endMark: UInt8 = 0x06
    private static let endMarkSize = 8

    /// A decoder for `block`, which is within the stream, with output from `position` on.
    init(_ block: Block, at position: Int) {
      offset = block.payload.lowerBound
      codeEnd = block.payload.upperBound
      self.position = position
      outputEnd = position + block.rawSize
    }

    /// Decodes the block to `output`, which has room for it.
    mutating func decode(
      _ stream: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Damage) {
      let code = unsafe stream.bytes
      while true {
        guard offset < codeEnd else { throw Damage(.endMark, at: offset) }
        let opcode: UInt8 = code.integer(at: offset)
        if opcode == Self.endMark { return try finish() }
        let operation = try operation(opcode, code)
        try check(operation)
        let literals = offset + operation.size
        // `check` has verified that literals are within the code, that literals and match fit
        // between `position` and `outputEnd`, and that the match begins within the output.
        for index in 0..<operation.literals {
          unsafe output[position + index] = stream[literals + index]
        }
        position += operation.literals
        for index in position..<position + operation.match {
          unsafe output[index] = output[index - distance]
        }
        position += operation.match
        offset = literals + operation.literals
      }
    }

    private func finish() throws(Damage) {
      guard codeEnd - offset == Self.endMarkSize else { throw Damage(.endMark, at: offset) }
      guard position == outputEnd else { throw Damage(.blockSize, at: offset) }
    }

    /// Also sets the distance, which the operation then uses.
    private mutating func check(_ operation: Operation) throws(Damage) {
      guard operation.literals <= codeEnd - offset - operation.size else {
        throw Damage(.truncated, at: offset)
      }
      guard operation.literals + operation.match <= outputEnd - position else {
        throw Damage(.blockOverrun, at: offset)
      }
      switch operation.distance {
      case .none: return
      case .previous:
        guard distance != 0 else { throw Damage(.noDistance, at: offset) }
      case .explicit(let explicit):
        guard explicit != 0 else { throw Damage(.distance(0), at: offset) }
        distance = explicit
      }
      guard distance <= position + operation.literals else {
        throw Damage(.distance(distance), at: offset)
      }
    }

    /// The operation that begins with `opcode`, which isn't the end mark, at `offset`.
    private func operation(_ opcode: UInt8, _ code: RawSpan) throws(Damage) -> Operation {
      // Literals in the upper two bits, match in the next three, as in most operations.
      let literals = Int(opcode >> 6)
      let match = Int(opcode >> 3 & 7) + 3
      switch opcode {
      case 0x0E, 0x16: return Operation(size: 1)
      case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF:
        throw Damage(.opcode(opcode), at: offset)
      case 0xA0...0xBF:
        let operand = try Int(operand(code, as: UInt16.self))
        return Operation(
          size: 3, literals: Int(opcode >> 3 & 3), match: Int(opcode & 7) * 4 + (operand & 3) + 3,
          distance: .explicit(operand >> 2))
      case 0xE0:
        return try Operation(size: 2, literals: Int(operand(code, as: UInt8.self)) + 16)
      case 0xE1...0xEF: return Operation(size: 1, literals: Int(opcode & 15))
      case 0xF0:
        let match = try Int(operand(code, as: UInt8.self)) + 16
        return Operation(size: 2, match: match, distance: .previous)
      case 0xF1...0xFF: return Operation(size: 1, match: Int(opcode & 15), distance: .previous)
      default: break
      }
      switch opcode & 7 {
      case 7:
        let distance = try Int(operand(code, as: UInt16.self))
        return Operation(size: 3, literals: literals, match: match, distance: .explicit(distance))
      case 6: return Operation(size: 1, literals: literals, match: match, distance: .previous)
      case let high:
        let distance = try Int(high) << 8 | Int(operand(code, as: UInt8.self))
        return Operation(size: 2, literals: literals, match: match, distance: .explicit(distance))
      }
    }

    private func operand<Operand: FixedWidthInteger & BitwiseCopyable>(
      _ code: RawSpan, as type: Operand.Type
    ) throws(Damage) -> Operand {
      guard codeEnd - offset > MemoryLayout<Operand>.size else {
        throw Damage(.truncated, at: offset)
      }
      return code.integer(at: offset + 1)
    }
  }

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

    init() throws(Damage) { table = try Memory(repeating: .zero, count: 1 << Self.hashBits) }

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
      // SAFETY: bytes have no padding that could be read, and the span ends with the closure.
      unsafe input.withUnsafeBytes { unsafe $0.bytes.integer(at: position) }
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
