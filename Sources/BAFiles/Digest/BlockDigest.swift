/// A hash function that processes a message in blocks of 64 bytes and pads the last one with 0x80,
/// zeros and the message's length in bits, like SHA-256 and MD5.
///
/// Both are implemented here because no library that includes them is part of both Linux and macOS:
/// CommonCrypto is only on Apple's platforms, and libcrypto would be another dependency. SHA-256
/// uses the processor's instructions if available.
package protocol BlockDigest: Sendable {
  init()

  /// The bytes of an incomplete block, and the total number of bytes so far.
  var pending: PendingBlock { get set }

  /// Processes `blocks`, whose size is a multiple of 64 bytes.
  mutating func compress(_ blocks: RawSpan)

  /// The message's length in bits, as the padding ends with it.
  static func lengthField(_ bits: UInt64) -> [UInt8]

  var stateBytes: [UInt8] { get }
}

/// The bytes carried over between updates.
package struct PendingBlock: Sendable {
  fileprivate var bytes: [UInt8] = []
  fileprivate var length: UInt64 = 0
}

private let blockSize = 64

extension BlockDigest {
  package mutating func update(_ bytes: RawSpan) {
    // The padding states the length in bits modulo 2^64.
    pending.length &+= UInt64(bytes.byteCount)
    var rest = bytes
    if !pending.bytes.isEmpty {
      let taken = min(blockSize - pending.bytes.count, rest.byteCount)
      pending.bytes.append(contentsOf: copy(rest.extracting(first: taken)))
      rest = rest.extracting(droppingFirst: taken)
      guard pending.bytes.count == blockSize else { return }
      let block = pending.bytes
      block.withRawSpan { compress($0) }
      pending.bytes.removeAll(keepingCapacity: true)
    }
    let whole = rest.byteCount - rest.byteCount % blockSize
    compress(rest.extracting(first: whole))
    pending.bytes.append(contentsOf: copy(rest.extracting(droppingFirst: whole)))
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withRawSpan { update($0) }
  }

  /// The digest of the message so far. More bytes may follow.
  package func finalize() -> [UInt8] {
    var ended = self
    let used = pending.bytes.count
    // At least one byte for 0x80 and eight for the length, padded with zeros to whole blocks.
    let padded = used + 9 <= blockSize ? blockSize : 2 * blockSize
    var tail: [UInt8] = [0x80]
    tail += [UInt8](repeating: 0, count: padded - used - 9)
    tail += Self.lengthField(pending.length &* 8)
    ended.update(tail)
    return ended.stateBytes
  }

  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }
}

private func copy(_ bytes: RawSpan) -> [UInt8] {
  // SAFETY: the pointer is used within the closure, and only to copy from it.
  unsafe bytes.withUnsafeBytes { unsafe Array($0) }
}

extension RawSpan {
  /// Word `index` of a block, in the machine's byte order.
  @inline(__always)
  func word(_ index: Int) -> UInt32 {
    // SAFETY: every bit pattern is an integer, and the span checks the offset.
    unsafe unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
  }
}
