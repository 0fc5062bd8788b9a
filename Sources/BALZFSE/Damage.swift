extension LZFSE {
  /// Why bytes are not an LZFSE stream of the expected size, and where; or that memory is lacking.
  public struct Damage: Error, Hashable, Sendable {
    /// The problem.
    public let reason: Reason
    /// The offset in the stream of the invalid field or code, in bytes.
    public let offset: Int

    package init(_ reason: Reason, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }

    /// The kinds of damage.
    public enum Reason: Hashable, Sendable {
      /// The system is out of memory; neither bytes nor offset are to blame.
      case outOfMemory
      /// The stream ends before its end mark.
      case missingEnd
      /// A block header, or the block it describes, extends beyond the end of the stream.
      case truncated
      /// These four bytes begin no known block.
      case unknownMagic(UInt32)
      /// Bytes follow the end mark.
      case trailingBytes
      /// The payload size of a plain block isn't the sum of its two parts.
      case payloadSize(UInt32)
      /// A header size that is impossible for any frequency table.
      case headerSize(UInt32)
      /// The packed frequencies don't match the size of their field.
      case packedFrequencies
      /// The frequencies of an alphabet don't add up to the number of its states.
      case frequencySum(Alphabet)
      /// A block without output, which is valid only if it is stored.
      case emptyBlock
      /// The blocks contain more bytes than allowed.
      case tooMuchOutput
      /// The blocks contain fewer bytes than expected.
      case tooLittleOutput
      /// More literals than a block may contain or needs, or a number that isn't a multiple of
      /// four.
      case literalCount(UInt32)
      /// More triplets than a block may contain or needs.
      case tripletCount(UInt32)
      /// A start state that isn't a state of its alphabet.
      case startState(Alphabet)
      /// The number of padding bits isn't 0 to 7, or these bits aren't 0.
      case paddingBits
      /// The triplet payload is shorter than its eight leading zero bytes.
      case tripletPayload(UInt32)
      /// The entropy code needs more bits than its payload has.
      case bitsRunOut
      /// The triplets use more literals than the block has.
      case literalsRunOut
      /// The block's output exceeds the size in its header.
      case blockOverrun
      /// The block's output differs from the size in its header, or literals are left.
      case blockSize
      /// The entropy code doesn't end in its initial state with all bits used.
      case finalState
      /// The first match repeats the previous distance.
      case noDistance
      /// A match with distance 0, or one that begins before the first byte.
      case distance(Int)
      /// A byte that isn't an LZVN operation.
      case opcode(UInt8)
      /// LZVN code that doesn't end exactly at its end mark.
      case endMark
    }

    /// The alphabets of FSE blocks.
    public enum Alphabet: String, Hashable, Sendable {
      /// Lengths of literal runs, lengths of matches, distances, and literal bytes.
      case literalLength, matchLength, distance, literal
    }
  }
}

extension LZFSE.Damage: CustomStringConvertible {
  /// The problem and its offset, on one line.
  public var description: String { "LZFSE: \(reason) at byte \(offset) of the stream" }
}

extension LZFSE.Damage.Reason: CustomStringConvertible {
  /// The problem, as part of a sentence.
  public var description: String {
    switch self {
    case .outOfMemory: "not enough memory"
    case .missingEnd: "no end mark 'bvx$'"
    case .truncated: "a block goes beyond the end of the stream"
    case .unknownMagic(let magic): "unknown block magic 0x\(hexadecimal(magic, digits: 8))"
    case .trailingBytes: "bytes after the end mark"
    case .payloadSize(let size): "payload size \(size) is not that of its parts"
    case .headerSize(let size): "header size \(size), expected 122 to 662"
    case .packedFrequencies: "the packed frequencies do not fill their bytes"
    case .frequencySum(let alphabet): "wrong sum of the frequencies of \(alphabet.plural)"
    case .emptyBlock: "a block of 0 bytes"
    case .tooMuchOutput: "more raw bytes than were declared"
    case .tooLittleOutput: "fewer raw bytes than were declared"
    case .literalCount(let count): "impossible number of literals \(count)"
    case .tripletCount(let count): "impossible number of triplets \(count)"
    case .startState(let alphabet): "impossible start state for \(alphabet.plural)"
    case .paddingBits: "wrong padding bits"
    case .tripletPayload(let size): "triplets in \(size) bytes, expected at least 8"
    case .bitsRunOut: "the code needs more bits than there are"
    case .literalsRunOut: "more literals used than there are"
    case .blockOverrun: "the block makes more bytes than it states"
    case .blockSize: "the block makes other bytes than it states"
    case .finalState: "the code does not end where it should"
    case .noDistance: "a repeated distance without one before it"
    case .distance(let distance): "a match \(distance) bytes back is outside the output"
    case .opcode(let byte): "unknown operation 0x\(hexadecimal(UInt32(byte), digits: 2))"
    case .endMark: "the code does not end at its end mark"
    }
  }

  private func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }
}

extension LZFSE.Damage.Alphabet {
  fileprivate var plural: String {
    switch self {
    case .literalLength: "literal lengths"
    case .matchLength: "match lengths"
    case .distance: "distances"
    case .literal: "literals"
    }
  }
}
