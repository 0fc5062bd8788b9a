import BAPackCore

/// A division of parts into packs with few bytes to download for past updates.
///
/// An update downloads a pack if it changes a part in it: that costs the sizes of all parts in the
/// pack, and ``PackSplit/packCost``. Parts that changed in the same updates are merged first, which
/// costs nothing. Then the two packs whose merging costs least are merged until there are few enough
/// and merging saves nothing, and parts are moved and exchanged as long as that saves bytes. Packs of
/// different kinds are never mixed, so what saves bytes in one kind saves them for all of its players;
/// where there are too many packs, those are merged that cost the player with the most bytes least.
struct PackDivision {
  /// Files that stay together.
  struct Part {
    let kind: Int
    /// The size after each update.
    var sizes: [Double]
    /// Whether each update changes it.
    var changes: [Bool]

    init(kind: Int, updates: Int) {
      self.kind = kind
      sizes = [Double](repeating: 0, count: updates)
      changes = [Bool](repeating: false, count: updates)
    }
  }

  /// Parts, added up.
  private struct Sum {
    let kind: Int
    var parts: Int
    var sizes: [Double]
    /// The number of parts that each update changes.
    var changes: [Int]

    init(kind: Int, updates: Int) {
      self.kind = kind
      parts = 0
      sizes = [Double](repeating: 0, count: updates)
      changes = [Int](repeating: 0, count: updates)
    }

    init(_ part: Part) {
      kind = part.kind
      parts = 1
      sizes = part.sizes
      changes = part.changes.map { $0 ? 1 : 0 }
    }

    mutating func add(_ other: Sum) {
      parts += other.parts
      for update in sizes.indices {
        sizes[update] += other.sizes[update]
        changes[update] += other.changes[update]
      }
    }

    mutating func remove(_ other: Sum) {
      parts -= other.parts
      for update in sizes.indices {
        sizes[update] = parts == 0 ? 0 : sizes[update] - other.sizes[update]
        changes[update] -= other.changes[update]
      }
    }

    func download(_ update: Int) -> Double {
      changes[update] > 0 ? Self.download(sizes[update]) : 0
    }

    private static func download(_ size: Double) -> Double {
      size > 0 ? size + Double(PackSplit.packCost) : 0
    }

    var downloads: [Double] { sizes.indices.map(download) }
    var cost: Double { downloads.reduce(0, +) }

    /// The cost with the parts of `other`.
    func cost(with other: Sum) -> Double {
      var cost = 0.0
      for update in sizes.indices where changes[update] + other.changes[update] > 0 {
        cost += Self.download(sizes[update] + other.sizes[update])
      }
      return cost
    }

    /// The cost without the parts of `other`.
    func cost(without other: Sum) -> Double {
      var cost = 0.0
      for update in sizes.indices where changes[update] > other.changes[update] {
        cost += Self.download(sizes[update] - other.sizes[update])
      }
      return cost
    }
  }

  /// The index of the pack of each part.
  private(set) var packs: [Int] = []
  private var sums: [Sum] = []
  private let parts: [Part]
  private let maximum: Int
  /// The kinds of packs that each player has.
  private let players: [Set<Int>]

  /// Up to this many bundles of parts are compared with each other.
  private static let maximumBundles = 1024
  /// Smaller savings are ignored, so that rounding can't lead to a loop.
  private static let leastSaving = 0.5

  /// Divides `parts` into at most `maximum` packs, at least one for each kind.
  init(_ parts: [Part], maximum: Int, _ players: [Set<Int>]) {
    self.parts = parts
    self.maximum = maximum
    self.players = players
    let (bundles, bundleOfPart) = Self.bundles(of: parts)
    var owners = Array(bundles.indices)
    sums = bundles
    merge(&owners)
    improve(bundles, &owners)
    packs = bundleOfPart.map { owners[$0] }
  }

  /// The bytes that one player downloads at most for each update.
  var downloads: [Double] { Self.most(loads(of: sums)) }

  /// The bytes that each of the players downloads for each update.
  private func loads(of packs: [Sum]) -> [[Double]] {
    var loads = [[Double]](
      repeating: [Double](repeating: 0, count: parts.first?.sizes.count ?? 0), count: players.count)
    for pack in packs { add(pack.downloads, of: pack.kind, to: &loads) }
    return loads
  }

  /// Adds bytes for each update to the loads of the players who have packs of this kind.
  private func add(_ bytes: [Double], of kind: Int, to loads: inout [[Double]]) {
    for player in players.indices where players[player].contains(kind) {
      for update in bytes.indices { loads[player][update] += bytes[update] }
    }
  }

  private static func most(_ loads: [[Double]]) -> [Double] {
    guard let first = loads.first else { return [] }
    return first.indices.map { update in loads.reduce(0) { max($0, $1[update]) } }
  }

  /// The number of updates that change a part of this pack.
  func changes(of pack: Int) -> Int { sums[pack].changes.count { $0 > 0 } }

  /// Parts of one kind that changed in the same updates, added up. If there are too many different
  /// ones, the small ones join those where they cost least.
  private static func bundles(of parts: [Part]) -> ([Sum], [Int]) {
    struct Key: Hashable {
      let kind: Int
      let changes: [Bool]
    }
    var numbers: [Key: Int] = [:]
    var bundles: [Sum] = []
    var bundleOfPart: [Int] = []
    for part in parts {
      let key = Key(kind: part.kind, changes: part.changes)
      if let number = numbers[key] {
        bundles[number].add(Sum(part))
        bundleOfPart.append(number)
      } else {
        numbers[key] = bundles.count
        bundleOfPart.append(bundles.count)
        bundles.append(Sum(part))
      }
    }
    if bundles.count <= maximumBundles { return (bundles, bundleOfPart) }
    let weights = bundles.map { $0.sizes.reduce(0, +) }
    let order = bundles.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
    var kept: [Sum] = []
    var places = [Int](repeating: 0, count: bundles.count)
    for number in order {
      let bundle = bundles[number]
      let candidates = kept.indices.filter { kept[$0].kind == bundle.kind }
      if kept.count < maximumBundles || candidates.isEmpty {
        places[number] = kept.count
        kept.append(bundle)
      } else if let best = candidates.min(by: {
        kept[$0].cost(with: bundle) - kept[$0].cost < kept[$1].cost(with: bundle) - kept[$1].cost
      }) {
        places[number] = best
        kept[best].add(bundle)
      }
    }
    return (kept, bundleOfPart.map { places[$0] })
  }

  /// Merges the two packs whose merging costs least, while there are too many or merging saves.
  private mutating func merge(_ owners: inout [Int]) {
    var costs = sums.map(\.cost)
    var alive = Array(sums.indices)
    /// The best pack to merge each one with, among those after it in `alive`.
    var partners = [(pack: Int, cost: Double)?](repeating: nil, count: sums.count)
    func findPartner(_ pack: Int) {
      partners[pack] = nil
      for other in alive where other > pack && sums[other].kind == sums[pack].kind {
        let cost = sums[pack].cost(with: sums[other]) - costs[pack] - costs[other]
        if cost < partners[pack]?.cost ?? .infinity { partners[pack] = (other, cost) }
      }
    }
    for pack in alive { findPartner(pack) }
    var loads = self.loads(of: sums)
    while true {
      // The best pair of each kind.
      var candidates: [Int: (first: Int, second: Int, cost: Double)] = [:]
      for pack in alive {
        if let partner = partners[pack],
          partner.cost < candidates[sums[pack].kind]?.cost ?? .infinity
        {
          candidates[sums[pack].kind] = (pack, partner.pack, partner.cost)
        }
      }
      let isTooMany = alive.count > maximum
      let most = isTooMany ? Self.most(loads) : []
      /// The bytes that merging a pair adds to each update.
      func change(_ pair: (first: Int, second: Int, cost: Double)) -> [Double] {
        var merged = sums[pair.first]
        merged.add(sums[pair.second])
        let (first, second) = (sums[pair.first].downloads, sums[pair.second].downloads)
        return zip(merged.downloads, zip(first, second)).map { $0 - $1.0 - $1.1 }
      }
      /// What merging a pair costs the player with the most bytes, and all players of its kind.
      func cost(_ pair: (first: Int, second: Int, cost: Double)) -> (Double, Double, Int) {
        guard isTooMany else { return (0, pair.cost, pair.first) }
        var after = loads
        add(change(pair), of: sums[pair.first].kind, to: &after)
        return (zip(Self.most(after), most).reduce(0) { $0 + $1.0 - $1.1 }, pair.cost, pair.first)
      }
      let priced = candidates.values.map { (pair: $0, cost: cost($0)) }
      guard let best = priced.min(by: { $0.cost < $1.cost })?.pair, isTooMany || best.cost <= 0
      else { break }
      add(change(best), of: sums[best.first].kind, to: &loads)
      sums[best.first].add(sums[best.second])
      costs[best.first] = sums[best.first].cost
      alive.removeAll { $0 == best.second }
      for index in owners.indices where owners[index] == best.second { owners[index] = best.first }
      for pack in alive {
        if pack == best.first || partners[pack]?.pack == best.first
          || partners[pack]?.pack == best.second
        {
          findPartner(pack)
        } else if pack < best.first, sums[pack].kind == sums[best.first].kind {
          let cost = sums[pack].cost(with: sums[best.first]) - costs[pack] - costs[best.first]
          if cost < partners[pack]?.cost ?? .infinity { partners[pack] = (best.first, cost) }
        }
      }
    }
    var numbers = [Int](repeating: 0, count: sums.count)
    for (number, pack) in alive.enumerated() { numbers[pack] = number }
    sums = alive.map { sums[$0] }
    owners = owners.map { numbers[$0] }
  }

  /// Moves bundles to other packs and exchanges pairs, as long as that saves bytes.
  private mutating func improve(_ bundles: [Sum], _ owners: inout [Int]) {
    let updates = parts.first?.sizes.count ?? 0
    let exchanges = bundles.count <= 256
    var isBetter = true
    var passes = 0
    while isBetter, passes < 100 {
      isBetter = false
      passes += 1
      for bundle in bundles.indices {
        let from = owners[bundle]
        let saved = sums[from].cost - sums[from].cost(without: bundles[bundle])
        var best: (pack: Int, saving: Double)?
        for pack in sums.indices where pack != from && sums[pack].kind == bundles[bundle].kind {
          let saving = saved + sums[pack].cost - sums[pack].cost(with: bundles[bundle])
          if saving > best?.saving ?? Self.leastSaving { best = (pack, saving) }
        }
        // A new pack.
        if sums.count < maximum, saved - bundles[bundle].cost > best?.saving ?? Self.leastSaving {
          best = (sums.count, saved - bundles[bundle].cost)
          sums.append(Sum(kind: bundles[bundle].kind, updates: updates))
        }
        if let best {
          move(bundles[bundle], from: from, to: best.pack)
          owners[bundle] = best.pack
          isBetter = true
        }
      }
      if !isBetter, exchanges { isBetter = exchange(bundles, &owners) }
    }
  }

  /// Exchanges the first pairs of bundles for which that saves bytes.
  private mutating func exchange(_ bundles: [Sum], _ owners: inout [Int]) -> Bool {
    var isBetter = false
    for first in bundles.indices {
      for second in bundles.indices.dropFirst(first + 1) {
        let (a, b) = (owners[first], owners[second])
        guard a != b, bundles[first].kind == bundles[second].kind else { continue }
        var (left, right) = (sums[a], sums[b])
        left.remove(bundles[first])
        right.remove(bundles[second])
        let saving =
          sums[a].cost + sums[b].cost - left.cost(with: bundles[second])
          - right.cost(with: bundles[first])
        guard saving > Self.leastSaving else { continue }
        move(bundles[first], from: a, to: b)
        move(bundles[second], from: b, to: a)
        (owners[first], owners[second]) = (b, a)
        isBetter = true
      }
    }
    return isBetter
  }

  private mutating func move(_ moved: Sum, from: Int, to: Int) {
    sums[from].remove(moved)
    sums[to].add(moved)
  }

  /// Moves all parts of each group into one pack, in this order, where that costs little: all groups
  /// together may cost one percent.
  mutating func keepTogether(_ groups: [[Int]]) {
    var allowance = downloads.reduce(0, +) / 100
    for group in groups {
      var shares: [Int: Sum] = [:]
      for part in group {
        let empty = Sum(kind: parts[part].kind, updates: parts[part].sizes.count)
        shares[packs[part], default: empty].add(Sum(parts[part]))
      }
      guard shares.count > 1,
        let target = shares.max(by: { left, right in
          let (a, b) = (left.value.sizes.reduce(0, +), right.value.sizes.reduce(0, +))
          return (a, right.key) < (b, left.key)
        })?.key
      else { continue }
      let packsOfGroup = shares.keys.sorted()
      let before = packsOfGroup.reduce(0) { $0 + sums[$1].cost }
      var after = sums
      for pack in packsOfGroup where pack != target {
        guard let share = shares[pack] else { continue }
        after[pack].remove(share)
        after[target].add(share)
      }
      let cost = packsOfGroup.reduce(0) { $0 + after[$1].cost } - before
      guard cost <= allowance else { continue }
      allowance -= max(cost, 0)
      sums = after
      for part in group { packs[part] = target }
    }
  }
}
