import BAArchive
import Testing

@Suite struct CompressibilityProbeTests {
  static let part = 128 << 10
  static let text = Array(String(repeating: "the keeper of the lantern walks; ", count: 4000).utf8)

  /// Pseudorandom bytes, always the same.
  static func noise(_ count: Int, seed: UInt64 = 88_172_645_463_325_252) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }

  static func plan(_ raw: [UInt8]) throws -> BlockPlan {
    var probe = try CompressibilityProbe()
    let plan = unsafe raw.withUnsafeBytes { unsafe probe.plan($0) }
    return plan
  }

  @Test func storesNoiseAtOnce() throws {
    #expect(try Self.plan(Self.noise(1 << 20)).isWorthPacking == false)
  }

  @Test func deflatesTextWithFullEffort() throws {
    let plan = try Self.plan(Array(Self.text.prefix(Self.part)))
    #expect(plan.isWorthPacking)
    #expect(plan.runs.map(\.effort) == [.full])
  }

  @Test func checksEachComponent() throws {
    let text = Self.text.prefix(Self.part)
    let plan = try Self.plan(text + text + Self.noise(5 * Self.part) + text)
    #expect(plan.isWorthPacking)
    #expect(plan.runs.map(\.effort) == [.full, .none, .full])
    #expect(plan.runs.map(\.size) == [2 * Self.part, 5 * Self.part, Self.part])
  }

  @Test func deflatesShortBlocksWithoutLooking() throws {
    let plan = try Self.plan(Self.noise(8191))
    #expect(plan.isWorthPacking)
    #expect(plan.runs.map(\.effort) == [.full])
    #expect(try Self.plan(Self.noise(8192)).isWorthPacking == false)
  }

  /// A block of `files` files that begin alike outside the samples, with one sample that shrinks
  /// well, so that the result is in doubt.
  static func rowOfFiles(_ files: Int) -> [UInt8] {
    var raw = noise(1 << 20)
    let opening = noise(4096, seed: 7)
    for file in 0..<files {
      let start = file * (16 << 10) + 1024
      raw.replaceSubrange(start..<(start + 4), with: "AA01".utf8)
      raw.replaceSubrange((start + 4)..<(start + 4100), with: opening)
    }
    raw.replaceSubrange(0..<512, with: text.prefix(512))
    return raw
  }

  @Test func readsAllOfManySmallFiles() throws {
    #expect(try Self.plan(Self.rowOfFiles(31)).isWorthPacking == false)
    let plan = try Self.plan(Self.rowOfFiles(32))
    #expect(plan.isWorthPacking)
    #expect(plan.runs.contains { $0.effort == .none } == false)
  }
}
