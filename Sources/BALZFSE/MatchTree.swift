extension LZFSE {
  /// Finds all matches that may be worthwhile: for each position, matches of rising length, each at
  /// the nearest distance where there is one of its length.
  ///
  /// Earlier positions with the same hash of four bytes are a binary tree, ordered by the bytes that
  /// follow. A new position becomes its root, and divides it into what is before and after: so the
  /// longest matches are on the way, nearer ones first. Matches of three bytes are only found at the
  /// last position with the same hash of three.
  struct MatchTree: ~Copyable {
    /// A match in one number: the distance in the lower 18 bits, the length above.
    struct Match: BitwiseCopyable {
      var packed: UInt32 = 0

      @inline(__always)
      init() {}

      @inline(__always)
      init(_ length: Int, _ distance: UInt32) {
        packed = UInt32(truncatingIfNeeded: length) &<< 18 | distance
      }

      /// At most ``longest``, which means at least that.
      var length: Int { Int(packed &>> 18) }
      var distance: Int { Int(packed & ((1 &<< 18) &- 1)) }
    }

    /// The number of bytes that are compared. At the positions inside a match of this length,
    /// nothing is searched.
    static let longest = 256
    /// The number of nodes that are visited.
    private static let depth = 64
    /// The number of matches that are kept of a position: the shortest, and the longest.
    private static let most = 8
    /// The number of positions in the tree, more than the largest distance.
    private static let window = 1 << 18
    private static let placeBits: UInt32 = 16

    /// The matches of a piece, and for each of its positions, and its end, the first.
    let matches: Memory<Match>
    let first: Memory<UInt32>
    // Positions are stored plus the window, so that 0 is too far from all of them.
    /// The root of each tree.
    private let roots: Memory<UInt32>
    /// The last position for each hash of three bytes.
    private let nearest: Memory<UInt32>
    /// For each position of the window, the roots of what is before and after.
    private let nodes: Memory<UInt32>

    /// For pieces of at most `size` bytes.
    init(_ size: Int) throws(Damage) {
      let matches = try Memory(repeating: Match(), count: Self.most * size)
      let first = try Memory<UInt32>(repeating: 0, count: size + 1)
      let roots = try Memory<UInt32>(repeating: 0, count: 1 << Int(Self.placeBits))
      let nearest = try Memory<UInt32>(repeating: 0, count: 1 << Int(Self.placeBits))
      let nodes = try Memory<UInt32>(repeating: 0, count: 2 * Self.window)
      self.matches = matches
      self.first = first
      self.roots = roots
      self.nearest = nearest
      self.nodes = nodes
    }

    /// Starts a new input.
    mutating func begin() {
      // The tables have these numbers of elements. Nodes are set before they are reached.
      unsafe roots.start.update(repeating: 0, count: roots.count)
      unsafe nearest.start.update(repeating: 0, count: nearest.count)
    }

    /// Finds the matches of `piece`, the next part of the input of `count` bytes, at most 1 GiB;
    /// matches end with the piece, except those of ``longest``, which may be shorter there.
    mutating func find(_ input: UnsafeRawPointer, _ count: Int, _ piece: Range<Int>) {
      precondition(piece.count < first.count && piece.upperBound <= count)
      // SAFETY: Hashes are indices of the tables, and positions modulo the window of the nodes. Only
      // positions of this input, before the current one, are in the tables: each is reached from a
      // root of this input, and both of its links are set when it is added. So an earlier position
      // isn't before the start, and no more than `most` bytes are compared, as many as are left.
      // There is room for `piece.count` places, and the end, and eight matches for each.
      let matches = unsafe self.matches.start
      let nodes = unsafe self.nodes.start
      var last = 0
      var searched = piece.lowerBound
      for position in piece {
        unsafe first.start[position &- piece.lowerBound] = UInt32(truncatingIfNeeded: last)
        let most = min(Self.longest, count &- position)
        guard most >= 4 else { continue }
        let bytes = unsafe four(input, position)
        let entry = UInt32(truncatingIfNeeded: position &+ Self.window)
        let place = Int((bytes &* 2_654_435_761) &>> (32 &- Self.placeBits))
        let shortPlace = Int(((bytes &<< 8) &* 506_832_829) &>> (32 &- Self.placeBits))
        let distance = unsafe entry &- nearest.start[shortPlace]
        unsafe nearest.start[shortPlace] = entry
        let isSearched = position >= searched
        let end = min(most, piece.upperBound &- position)
        let start = last
        var best = 2
        if isSearched, distance &- 1 < UInt32(Limit.distance) {
          let length = unsafe same(input + position, Int(distance), from: 0, most)
          if length > best {
            best = length
            unsafe matches[last] = Match(min(length, end), distance)
            last &+= 1
          }
        }

        var node = unsafe roots.start[place]
        unsafe roots.start[place] = entry
        var before = unsafe nodes + 2 &* (position & (Self.window &- 1))
        var after = unsafe before + 1
        // What is before and after has at least these numbers of bytes in common.
        var (lengthBefore, lengthAfter) = (0, 0)
        var left = Self.depth
        while true {
          let distance = entry &- node
          guard distance &- 1 < UInt32(Limit.distance), left > 0 else {
            unsafe before.pointee = 0
            unsafe after.pointee = 0
            break
          }
          left &-= 1
          let links = unsafe nodes + 2 &* (Int(node) & (Self.window &- 1))
          let length = unsafe same(
            input + position, Int(distance), from: min(lengthBefore, lengthAfter), most)
          if length > best, isSearched {
            best = length
            if last &- start == Self.most { last &-= 1 }
            unsafe matches[last] = Match(min(length, end), distance)
            last &+= 1
          }
          guard length < most else {
            // It takes the place of the earlier position.
            unsafe before.pointee = links[0]
            unsafe after.pointee = links[1]
            break
          }
          let current = unsafe input + (position &+ length)
          if unsafe current.load(fromByteOffset: -Int(distance), as: UInt8.self)
            < current.load(as: UInt8.self)
          {
            unsafe before.pointee = node
            unsafe before = links + 1
            node = unsafe before.pointee
            lengthBefore = length
          } else {
            unsafe after.pointee = node
            unsafe after = links
            node = unsafe after.pointee
            lengthAfter = length
          }
        }
        if best >= Self.longest, isSearched {
          let distance = unsafe matches[last &- 1].distance
          // A match that is shortened by the end of the piece is one of its whole rest.
          unsafe matches[last &- 1] = Match(Self.longest, UInt32(distance))
          let length = unsafe same(
            input + position, distance, from: best, piece.upperBound &- position)
          searched = position &+ length
        }
      }
      unsafe first.start[piece.count] = UInt32(truncatingIfNeeded: last)
    }
  }

  /// The number of bytes at `bytes` that are equal to those at `distance` before, of which the first
  /// `length` are known to be: at most `most`, or `length` if that is more.
  @inline(__always)
  @unsafe static func same(
    _ bytes: UnsafeRawPointer, _ distance: Int, from length: Int, _ most: Int
  ) -> Int {
    let earlier = unsafe bytes - distance
    var length = length
    while length &+ 8 <= most {
      let difference = unsafe word(bytes, length) ^ word(earlier, length)
      guard difference == 0 else { return length &+ (difference.trailingZeroBitCount &>> 3) }
      length &+= 8
    }
    while length < most,
      unsafe bytes.load(fromByteOffset: length, as: UInt8.self)
        == earlier.load(fromByteOffset: length, as: UInt8.self)
    {
      length &+= 1
    }
    return length
  }
}
