extension LZFSE {
  /// Encodes inputs one at a time, reusing its working memory.
  ///
  /// The output depends only on the input and the level. Like Apple's encoder, it chooses one kind
  /// of block for a whole stream: LZVN below 4 KiB, otherwise FSE, or a stored block if the result
  /// isn't smaller.
  public struct Encoder: ~Copyable {
    /// How much time is spent, from 1 (fastest) to 9 (smallest streams).
    public static var levels: ClosedRange<Int> { 1...9 }
    /// The levels by what they make: those of a range make the same bytes.
    package static var equalLevels: [ClosedRange<Int>] { Search.allCases.map(\.levels) }
    /// A compromise.
    public static var defaultLevel: Int { 5 }

    private let search: Search
    private var fast: MatchFinder<FastSearch>
    /// Above level 1.
    private var better: MatchFinder<BetterSearch>?
    /// After these two.
    private var parser: Parser?
    private var triplets: Triplets
    private var coder: EntropyCoder
    private var small: LZVNEncoder
    private let log2 = Log2()

    /// How much is searched.
    enum Search: CaseIterable {
      case fast, better, smallest

      var levels: ClosedRange<Int> {
        switch self {
        case .fast: 1...2
        case .better: 3...7
        case .smallest: 8...9
        }
      }

      /// The search at a level, or the nearest of them.
      init(level: Int) {
        self = Self.allCases.first { level <= $0.levels.upperBound } ?? .smallest
      }
    }

    /// An encoder for one of ``levels``, with its working memory of about 650 KB for 1, 2 MB above,
    /// and 10 MB for 9.
    /// - Throws: `Damage` for lack of memory.
    public init(level: Int = Self.defaultLevel) throws(Damage) {
      let search = Search(level: level)
      let fast = try MatchFinder<FastSearch>()
      let better = search == .fast ? nil : try MatchFinder<BetterSearch>()
      let parser = search == .smallest ? try Parser() : nil
      let triplets = try Triplets()
      let coder = try EntropyCoder()
      let small = try LZVNEncoder()
      self.search = search
      self.fast = fast
      self.better = better
      self.parser = parser
      self.triplets = triplets
      self.coder = coder
      self.small = small
    }

    /// The maximum size of a stream for an input of `count` bytes: stored blocks, of at most 1 GiB
    /// each, and the end mark. No input has a negative size, nor more than 2^62 bytes.
    public static func maximumSize(for count: Int) -> Int {
      let count = min(max(0, count), 1 << 62)
      return count + max(1, (count + longestPiece - 1) / longestPiece) * StreamWriter.storedHeader
        + StreamWriter.endMark
    }

    private static let shortInput = 1 << 19
    // Positions in the match finder have 32 bits.
    private static let longestPiece = 1 << 30

    /// Encodes `raw` to the start of `output`, which must not overlap it.
    /// - Returns: The size of the stream, or nil if `output` is too small for it.
    ///   ``maximumSize(for:)`` bytes are always enough.
    public mutating func encode(
      _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
      // A longer stream would be stored instead.
      let limit = min(output.count, Self.maximumSize(for: raw.count))
      let output = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<limit])
      let compressed =
        if raw.count < LZVNEncoder.sizes.upperBound {
          unsafe encodeLZVN(raw, StreamWriter(output))
        } else if search == .smallest {
          unsafe encodeSmallest(raw, output)
        } else {
          unsafe encodeFSE(raw, StreamWriter(output), chosen(raw))
        }
      return unsafe compressed ?? store(raw, StreamWriter(output))
    }

    /// The search before the parser: the better one or, if its stream is smaller, as for some tables
    /// of numbers, the fast one. For long inputs, such as the full blocks of a pack, that isn't tried: it
    /// would take half as long again, and no sample tells.
    private mutating func chosen(_ raw: UnsafeRawBufferPointer) -> Search {
      guard search != .fast else { return .fast }
      guard raw.count < Self.shortInput,
        let better = unsafe encodeFSE(raw, StreamWriter(upTo: .max), .better),
        unsafe encodeFSE(raw, StreamWriter(upTo: better - 1), .fast) != nil
      else { return .better }
      return .fast
    }

    /// Encodes as at level 5, and unless that saves less than a twentieth, parses the input; returns
    /// the size of the smaller stream.
    private mutating func encodeSmallest(
      _ raw: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) -> Int? {
      let chosen = unsafe chosen(raw)
      let limit = raw.count - raw.count / 20
      if let size = unsafe encodeFSE(raw, StreamWriter(upTo: limit), chosen) {
        let limit = min(output.count, size)
        if let size = unsafe parse(raw, StreamWriter(.init(rebasing: output[..<limit]))) {
          return size
        }
      } else if output.count <= limit {
        return nil
      }
      return unsafe encodeFSE(raw, StreamWriter(output), chosen)
    }

    private mutating func parse(
      _ raw: UnsafeRawBufferPointer, _ writer: consuming StreamWriter
    ) -> Int? {
      var rest = unsafe raw[...]
      while unsafe !rest.isEmpty {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.longestPiece))
        // Taken out so that it can be used beside the rest of the encoder.
        guard var parser = parser.take() else { return nil }
        let fits = unsafe parser.parse(piece, log2) { list, raw, interval in
          append(list, raw, cutEvery: interval, to: &writer)
        }
        self.parser = consume parser
        guard fits else { return nil }
        unsafe rest = rest.dropFirst(piece.count)
      }
      return writer.finish()
    }

    private mutating func encodeFSE(
      _ raw: UnsafeRawBufferPointer, _ writer: consuming StreamWriter, _ search: Search
    ) -> Int? {
      var rest = unsafe raw[...]
      while unsafe !rest.isEmpty {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.longestPiece))
        if search == .fast { fast.begin() } else { better?.begin() }
        var position = 0
        while position < piece.count {
          triplets.clear()
          if search == .fast {
            unsafe fast.find(piece, &triplets)
          } else {
            unsafe better?.find(piece, &triplets)
          }
          position += triplets.rawSize
          let size = coder.encode(&triplets, fitting: search != .fast)
          better?.adapt(to: coder.header, size: size)
          let block = unsafe UnsafeRawBufferPointer(start: coder.block.start, count: size)
          guard unsafe writer.append(block) else { return nil }
        }
        unsafe rest = rest.dropFirst(piece.count)
      }
      return writer.finish()
    }

    /// Appends blocks with the triplets of `list`, whose output is at the start of `raw`, cut where
    /// it saves most: at one of the places that are about `interval` bytes apart.
    /// - Returns: Whether they fit.
    private mutating func append(
      _ list: Span<Triplet>, _ raw: RawSpan, cutEvery interval: Int, to writer: inout StreamWriter
    ) -> Bool {
      var first = 0
      var start = 0
      for end in cuts(list, raw, every: interval, log2) {
        triplets.fill(list.extracting(first..<end), raw.extracting(start...))
        (first, start) = (end, start + triplets.rawSize)
        let size = coder.encode(&triplets, fitting: true)
        guard unsafe writer.append(UnsafeRawBufferPointer(start: coder.block.start, count: size))
        else { return false }
      }
      return true
    }

    private mutating func encodeLZVN(
      _ raw: UnsafeRawBufferPointer, _ writer: consuming StreamWriter
    ) -> Int? {
      guard LZVNEncoder.sizes.contains(raw.count) else { return nil }
      let code = unsafe small.encode(Array(raw))
      guard code.count < raw.count, writer.append(Magic.lzvn, UInt32(raw.count)),
        writer.append(UInt32(code.count)),
        unsafe code.withUnsafeBytes({ unsafe writer.append($0) })
      else { return nil }
      return writer.finish()
    }

    private func store(
      _ raw: UnsafeRawBufferPointer, _ writer: consuming StreamWriter
    ) -> Int? {
      var rest = unsafe raw[...]
      repeat {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.longestPiece))
        guard writer.append(Magic.stored, UInt32(piece.count)), unsafe writer.append(piece) else {
          return nil
        }
        unsafe rest = rest.dropFirst(piece.count)
      } while unsafe !rest.isEmpty
      return writer.finish()
    }
  }

  /// Writes blocks to an output of limited size.
  @safe struct StreamWriter: ~Copyable {
    private let output: UnsafeMutableRawPointer?
    private let limit: Int
    private var size = 0

    static let storedHeader = 8
    static let endMark = 4

    @unsafe init(_ output: UnsafeMutableRawBufferPointer) {
      unsafe self.output = output.baseAddress
      limit = output.count
    }

    /// Only counts bytes.
    init(upTo limit: Int) {
      unsafe output = nil
      self.limit = limit
    }

    /// Appends bytes if they fit.
    @unsafe mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard limit - size >= bytes.count else { return false }
      // SAFETY: There is room, as just checked.
      if let output = unsafe output, let start = bytes.baseAddress {
        unsafe (output + size).copyMemory(from: start, byteCount: bytes.count)
      }
      size += bytes.count
      return true
    }

    /// Appends numbers if they fit.
    mutating func append(_ values: UInt32...) -> Bool {
      for value in values {
        guard limit - size >= 4 else { return false }
        unsafe output?.storeBytes(of: value.littleEndian, toByteOffset: size, as: UInt32.self)
        size += 4
      }
      return true
    }

    /// Ends the stream, and returns its size, or nil if the end doesn't fit.
    mutating func finish() -> Int? { append(Magic.end) ? size : nil }
  }
}
