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
}
