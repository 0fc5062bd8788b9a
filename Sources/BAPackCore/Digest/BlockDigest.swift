/// A hash function that works through a message in blocks of 64 bytes and pads the last one with
/// 0x80, zeros and the message's length in bits: the frame that SHA-256 and MD5 share.
///
/// Both are written here because no library that holds them is part of both Linux and macOS:
/// CommonCrypto is Apple's alone, and libcrypto would be one more dependency to install.
public protocol BlockDigest: Sendable {
  /// The digest of an empty message, to be updated.
  init()

  /// The bytes that do not fill a block yet, and the count of all bytes so far.
  var pending: PendingBlock { get set }

  /// Mixes `blocks`, whose size is a multiple of 64 bytes, into the state.
  mutating func compress(_ blocks: RawSpan)

  /// The message's length in bits, as the padding ends with it.
  static func lengthField(_ bits: UInt64) -> [UInt8]

  /// The state as the digest's bytes.
  var stateBytes: [UInt8] { get }
}

/// What a digest keeps between two updates.
public struct PendingBlock: Sendable {
  fileprivate var bytes: [UInt8] = []
  fileprivate var length: UInt64 = 0
}

private let blockSize = 64

extension BlockDigest {
  /// Adds `bytes` to the message.
  public mutating func update(_ bytes: RawSpan) {
    // The padding states the length in bits modulo 2^64.
    pending.length &+= UInt64(bytes.byteCount)
    var rest = bytes
    if !pending.bytes.isEmpty {
      let taken = min(blockSize - pending.bytes.count, rest.byteCount)
      pending.bytes.append(contentsOf: copy(rest.extracting(first: taken)))
      rest = rest.extracting(droppingFirst: taken)
      guard pending.bytes.count == blockSize else { return }
      let block = pending.bytes
      // SAFETY: bytes have no padding that could be read.
      compress(unsafe block.span.bytes)
      pending.bytes.removeAll(keepingCapacity: true)
    }
    let whole = rest.byteCount - rest.byteCount % blockSize
    compress(rest.extracting(first: whole))
    pending.bytes.append(contentsOf: copy(rest.extracting(droppingFirst: whole)))
  }

  /// Adds `bytes` to the message.
  public mutating func update(_ bytes: [UInt8]) {
    // SAFETY: bytes have no padding that could be read.
    update(unsafe bytes.span.bytes)
  }

  /// The digest of the message so far, which may be continued.
  public func finalize() -> [UInt8] {
    var ended = self
    let used = pending.bytes.count
    // At least one byte for 0x80 and eight for the length; what they lack of a block is zeros.
    let padded = used + 9 <= blockSize ? blockSize : 2 * blockSize
    var tail: [UInt8] = [0x80]
    tail += [UInt8](repeating: 0, count: padded - used - 9)
    tail += Self.lengthField(pending.length &* 8)
    ended.update(tail)
    return ended.stateBytes
  }

  /// The digest of one message.
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }
}

private func copy(_ bytes: RawSpan) -> [UInt8] {
  // SAFETY: the pointer is used within the closure, and only by the array that copies it.
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
