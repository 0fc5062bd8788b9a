/// A QR code (ISO/IEC 18004) of a short text, in byte mode with error correction level M, for
/// scanning from a terminal or a page.
package struct QRCode: Sendable, Equatable {
  /// Modules on each side, without the quiet zone.
  package let size: Int
  /// Rows from the top; true is dark.
  package private(set) var modules: [[Bool]]
  private var isFunction: [[Bool]]

  /// The maximum number of bytes: that of version 10.
  package static let maximumBytes = 213

  /// Encodes `text`; nil if it is longer than ``maximumBytes``.
  package init?(_ text: [UInt8]) {
    guard let version = Version.all.first(where: { $0.capacity >= text.count }) else { return nil }
    size = 17 + 4 * version.number
    modules = Array(repeating: Array(repeating: false, count: size), count: size)
    isFunction = modules
    placeFunctionPatterns(version)
    place(version.codewords(for: text))
    chooseMask()
  }

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    modules[row][column] = isDark
    isFunction[row][column] = true
  }
}

// MARK: Patterns that are the same for all texts

extension QRCode {
  private mutating func placeFunctionPatterns(_ version: Version) {
    for place in 0..<size {
      set(6, place, place.isMultiple(of: 2))
      set(place, 6, place.isMultiple(of: 2))
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { placeFinder(row, column) }
    let centers = version.alignmentCenters
    for row in centers {
      for column in centers {
        let isInFinder =
          (row == 6 && (column == 6 || column == size - 7)) || (row == size - 7 && column == 6)
        if !isInFinder { placeAlignment(row, column) }
      }
    }
    placeFormat(mask: 0)
    if version.number >= 7 { placeVersion(version.number) }
  }

  private mutating func placeFinder(_ row: Int, _ column: Int) {
    for y in -4...4 {
      for x in -4...4 where (0..<size).contains(row + y) && (0..<size).contains(column + x) {
        let distance = max(abs(x), abs(y))
        set(row + y, column + x, distance != 2 && distance != 4)
      }
    }
  }

  private mutating func placeAlignment(_ row: Int, _ column: Int) {
    for y in -2...2 {
      for x in -2...2 { set(row + y, column + x, max(abs(x), abs(y)) != 1) }
    }
  }

  /// Level M and the mask with a BCH code, twice.
  private mutating func placeFormat(mask: Int) {
    var rest = mask
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (mask << 10 | rest) ^ 0x5412
    let bit = { (place: Int) in bits >> place & 1 == 1 }
    for place in 0...5 { set(place, 8, bit(place)) }
    set(7, 8, bit(6))
    set(8, 8, bit(7))
    set(8, 7, bit(8))
    for place in 9..<15 { set(8, 14 - place, bit(place)) }
    for place in 0..<8 { set(8, size - 1 - place, bit(place)) }
    for place in 8..<15 { set(size - 15 + place, 8, bit(place)) }
    set(size - 8, 8, true)
  }

  /// The version with a Golay code, twice; from version 7 on.
  private mutating func placeVersion(_ number: Int) {
    var rest = number
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    let bits = number << 12 | rest
    for place in 0..<18 {
      let (far, near) = (size - 11 + place % 3, place / 3)
      set(near, far, bits >> place & 1 == 1)
      set(far, near, bits >> place & 1 == 1)
    }
  }
}

// MARK: The text, and the mask

extension QRCode {
  /// Places the bits in pairs of columns from the right, alternating upwards and downwards.
  private mutating func place(_ codewords: [UInt8]) {
    var bits: ArraySlice<Bool> = []
    for byte in codewords { bits += (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    var isUpward = true
    for right in stride(from: size - 1, through: 1, by: -2) {
      // The vertical timing pattern is a single column.
      let right = right <= 6 ? right - 1 : right
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFunction[row][column] {
          modules[row][column] = bits.popFirst() ?? false
        }
      }
      isUpward.toggle()
    }
  }

  private mutating func chooseMask() {
    var best = self
    var least = Int.max
    for mask in 0..<8 {
      var candidate = self
      candidate.apply(mask)
      candidate.placeFormat(mask: mask)
      let penalty = candidate.penalty
      if penalty < least { (best, least) = (candidate, penalty) }
    }
    self = best
  }

  private mutating func apply(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isFunction[row][column] {
        let inverts =
          switch mask {
          case 0: (row + column) % 2 == 0
          case 1: row % 2 == 0
          case 2: column % 3 == 0
          case 3: (row + column) % 3 == 0
          case 4: (row / 2 + column / 3) % 2 == 0
          case 5: row * column % 2 + row * column % 3 == 0
          case 6: (row * column % 2 + row * column % 3) % 2 == 0
          default: ((row + column) % 2 + row * column % 3) % 2 == 0
          }
        if inverts { modules[row][column].toggle() }
      }
    }
  }

  /// A penalty for patterns that resemble those that readers search for.
  private var penalty: Int {
    let columns = (0..<size).map { column in modules.map { $0[column] } }
    var total = 0
    for line in modules + columns {
      var run = 0
      for place in 0..<size {
        run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
        if run == 5 { total += 3 } else if run > 5 { total += 1 }
      }
      let finder = [true, false, true, true, true, false, true]
      let light = [false, false, false, false]
      for start in 0...(size - 11) {
        let part = Array(line[start..<start + 11])
        if part == finder + light || part == light + finder { total += 40 }
      }
    }
    for row in 1..<size {
      for column in 1..<size {
        let corner = modules[row][column]
        if modules[row - 1][column] == corner, modules[row][column - 1] == corner,
          modules[row - 1][column - 1] == corner
        {
          total += 3
        }
      }
    }
    let dark = modules.reduce(0) { $0 + $1.count { $0 } }
    let percent = dark * 100 / (size * size)
    return total + abs(percent - 50) / 5 * 10
  }
}
