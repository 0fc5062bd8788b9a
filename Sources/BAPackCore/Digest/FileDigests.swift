/// What an upload asks for of a file: its size and checksums.
public struct FileDigests: Sendable {
  /// Bytes so far.
  public private(set) var size: UInt64 = 0
  private var md5State = MD5()
  private var sha256State = SHA256()

  /// Those of no bytes.
  public init() {}

  /// Adds `bytes`.
  public mutating func update(_ bytes: RawSpan) {
    size &+= UInt64(bytes.byteCount)
    md5State.update(bytes)
    sha256State.update(bytes)
  }

  /// Adds `bytes`.
  public mutating func update(_ bytes: [UInt8]) {
    // SAFETY: bytes have no padding that could be read.
    update(unsafe bytes.span.bytes)
  }

  /// The MD5 of the bytes so far.
  public var md5: [UInt8] { md5State.finalize() }
  /// The SHA-256 of the bytes so far.
  public var sha256: [UInt8] { sha256State.finalize() }
}

extension FileDigests {
  /// Those of a whole file, which must not be a pipe.
  package init(of input: ArchiveInput) throws(ArchiveError) {
    self.init()
    let buffer = Buffer(size: 1 << 20)
    while true {
      if let signal = Interruption.pending { throw .interrupted(signal) }
      let count = try unsafe input.read(into: buffer.bytes, at: size)
      if count == 0 { return }
      update(unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]).bytes)
    }
  }
}
