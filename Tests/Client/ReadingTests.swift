import BALZFSE
import BAPackCore
import Foundation
import Synchronization
import Testing

/// What tools do that read packs: each task as the guide shows it.
@Suite struct ReadingTests {
  private let scratch: Scratch
  private let credits = Array("Thanks to all\n".utf8)
  private let waves = noise(3_000_000)

  init() throws { scratch = try Scratch() }

  private func harbour() throws -> [UInt8] {
    try Handmade(["Credits.txt": credits, "Sounds/waves.wav": waves]).bytes()
  }

  @Test func aPackInMemory() async throws {
    let bytes = try harbour()
    let index = try PackIndex(bytes: bytes)
    guard let sound = index["Sounds/waves.wav"] else { return }
    let beginning = try await index.bytes(of: sound, 0..<12)
    var size = 0
    for try await chunk in index.chunks(of: sound) { size += chunk.count }
    #expect(beginning == Array(waves[..<12]) && size == waves.count)
    #expect(index.files.map(\.path.string) == ["Credits.txt", "Sounds/waves.wav"])
    #expect(index.manifest?.platforms == [] && index["credits.txt"] == nil)
    #expect(try await index.bytes(of: sound) == waves)
    let middle = try await index.bytes(of: sound, 1_999_990..<2_000_010)
    #expect(middle == Array(waves[1_999_990..<2_000_010]))
    #expect(try await index.bytes(of: sound, 12..<12).isEmpty)
    let text = try #require(index["Credits.txt"])
    #expect(text.isFile && text.kind == .file && !text.isExecutable && text.size == 14)
    var read: [UInt8] = []
    for try await chunk in index.chunks(of: text) { read += chunk }
    #expect(read == credits)
    let (sum, digest) = (try await index.sha256(of: text), try await index.contentsDigest())
    #expect(sum.count == 32 && digest.count == 32 && sum != digest)
    let packs = try DownloadManifestPlan.Packs(
      [try scratch.write("a.aar", bytes)], platforms: [], base: "https://e.com")
    let list = scratch.path("list.json")
    try await DownloadManifestPlan.creating(list, packs: packs, versions: [1]).save()
    #expect(try await DownloadManifestPlan.updating(list, packs: packs).findings.isEmpty)
  }

  @Test func damageAsData() throws {
    var bytes = try Handmade(["a.txt": credits, "b.bin": waves]).bytes(isCompressed: true)
    bytes[12] = 1
    let path = try scratch.write("a.aar", bytes)
    for problem in try PackVerification.problems(of: [path]) {
      if let damage = problem.damage {
        print(damage.reason.rawValue, damage.place.block ?? 0, damage.place.file ?? 0)
      }
    }
    let problems = try PackVerification.problems(of: [path])
    #expect(problems.first?.code == .damaged && problems.first?.pack == path)
    #expect(problems.first?.damage?.reason.rawValue == "raw-size")
    #expect(problems.first?.damage?.place.file == 12)
    let whole = try scratch.write("b.aar", harbour())
    #expect(try PackVerification.problems(of: [whole]).isEmpty)
    try scratch.write("Credits.txt", credits)
    let missing = try PackVerification.problems(of: [whole], against: scratch.path(""))
    #expect(missing.contains { $0.difference?.kind == .added && $0.code == .differs })
    var many = Handmade(["a.txt": credits])
    for number in 0..<1_500 { many.entries.append(("F", "Contents/../\(number)", [])) }
    let found = try PackVerification.problems(of: [scratch.write("c.aar", many.bytes())])
    #expect(found.count == 1_001 && found.last?.description.contains("there are 500 more") == true)
  }

  @Test func sizesForPlayers() throws {
    func packs(_ text: [UInt8]) throws -> [PackIndex] {
      [
        try PackIndex(bytes: Handmade(["a": text], id: "base").bytes()),
        try PackIndex(bytes: Handmade(["de": noise(9000)], id: "de", language: "de").bytes()),
        try PackIndex(bytes: Handmade(["ja": noise(7000)], id: "ja", language: "ja").bytes()),
        try PackIndex(bytes: Handmade(["mac": [1]], id: "mac", platforms: ["macOS"]).bytes()),
      ]
    }
    let (oldPacks, newPacks) = (try packs([1, 2]), try packs([1, 2, 3]))
    let (old, new) = (Players(of: oldPacks), Players(of: newPacks))
    var device = Device()
    device.platform = .iOS
    device.languages = ["de-AT"]
    let download = try new.downloadSize(on: device)
    let update = try new.updateSize(from: old, on: device)
    #expect(try new.packs(on: device).map(\.downloadSize) == newPacks[..<2].map(\.downloadSize))
    #expect(download == newPacks[0].downloadSize + newPacks[1].downloadSize)
    #expect(update == newPacks[0].downloadSize)
    #expect(try new.updateSize(from: new, on: device) == 0)
    let difference = try newPacks[0].difference(from: oldPacks[0])
    #expect(difference.changes.map(\.kind) == [.changed] && difference.kind == .changed)
    device.languages = ["sv"]
    let error = #expect(throws: PackError.self) { try new.packs(on: device) }
    #expect(error?.code == .languageUndecided)
  }

  @Test func filteredExtraction() async throws {
    let path = try scratch.write("a.aar", harbour())
    let target = scratch.path("out")
    let written = try await Extraction(files: ["*.txt"]).extract([path], to: target)
    for file in written.files { print(file.path, file.size) }
    #expect(written.files.map(\.path.string) == ["Credits.txt"] && written.size == 14)
    #expect(try scratch.contents("out/Credits.txt") == credits)
    let index = try PackIndex(bytes: harbour())
    let all = try Extraction().extract([index], to: scratch.path("all"))
    #expect(all.files.count == 2 && all.packs == 1)
  }

  @Test func sixteenTasksAtOnce() async throws {
    let index = try PackIndex(bytes: harbour())
    let sound = try #require(index["Sounds/waves.wav"])
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<16 {
        group.addTask {
          let bytes = try await index.bytes(of: sound, 0..<UInt64(number) * 100_000)
          return bytes.count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted()
    }
    #expect(sums == (0..<16).map { $0 * 100_000 })
  }

  @Test func progressEndsAtTheTotal() throws {
    let path = try scratch.write("a.aar", harbour())
    let last = Mutex<[Work.Progress]>([])
    let work = Work(progress: { progress in last.withLock { $0.append(progress) } })
    let index = try PackIndex(reading: path, work)
    _ = try index.bytes(of: #require(index["Sounds/waves.wav"]), nil, work)
    _ = try index.sha256(of: #require(index["Sounds/waves.wav"]), work)
    _ = try PackVerification.problems(of: [path], work)
    _ = try Extraction().extract([path], to: scratch.path("out"), work)
    _ = try index.difference(from: index, work)
    let seen = last.withLock(\.self)
    #expect(seen.filter { $0.done == $0.total }.count >= 6)
    #expect(seen.allSatisfy { $0.done <= $0.total })
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.done <= $1.done || $0.done == $0.total })
  }

  /// Cancelled at any moment, every call ends as cancelled or whole, and leaves nothing or everything.
  @Test func cancellingLeavesNothing() throws {
    let path = try scratch.write("a.aar", harbour())
    let (old, new) = (try PackIndex(reading: path), try PackIndex(bytes: harbour()))
    let sound = try #require(old["Sounds/waves.wav"])
    let calls: [(_ target: BytePath, _ work: Work) throws -> Bool] = [
      { try PackIndex(reading: path, $1).files.count == 2 },
      { try old.bytes(of: sound, nil, $1) == waves },
      { try old.sha256(of: sound, $1).count == 32 },
      { try old.contentsDigest($1).count == 32 },
      { try PackVerification.problems(of: [path], $1).isEmpty },
      { try new.difference(from: old, $1).changes.isEmpty },
      { try Extraction().extract([path], to: $0, $1).files.count == 2 },
      {
        let packs = try DownloadManifestPlan.Packs([path], platforms: [], base: "https://e.com")
        return try DownloadManifestPlan.creating($0, packs: packs, $1).findings.isEmpty
      },
    ]
    var random = Numbers(seed: 5)
    for (number, call) in calls.enumerated() {
      var cancelled = 0
      for round in 0..<100 {
        let left = Atomic(Int(random.next() % 16))
        let isCancelled: @Sendable () -> Bool = {
          left.subtract(1, ordering: .relaxed).newValue < 0
        }
        let target = scratch.path("out\(number)-\(round)")
        do {
          let isWhole = try call(target, Work(threads: round % 3 + 1, isCancelled: isCancelled))
          #expect(isWhole, "\(number)")
        } catch {
          #expect((error as? PackError)?.code == .cancelled, "\(number): \(error)")
          #expect(!FileManager.default.fileExists(atPath: target.string ?? ""))
          cancelled += 1
        }
      }
      #expect(cancelled > 10, "\(number): \(cancelled)")
    }
    // Neither folders that were extracted in part nor other files are left.
    #expect(scratch.names("").allSatisfy { $0 == "a.aar" || $0.hasPrefix("out6-") })
  }

  @Test func theCodecAlone() throws {
    let text = [UInt8](repeating: 7, count: 10_000)
    let packed = try LZFSE.encode(text)
    let unpacked = try LZFSE.decode(packed, limit: 1 << 20)
    #expect(unpacked == text && packed.count < 1000)
    for limit in [-1, 0, 1, 9_999, .min] {
      #expect(throws: LZFSE.Damage.self) {
        try LZFSE.decode(packed, limit: limit)
      }
    }
    #expect(LZFSE.Encoder.maximumSize(for: .max) > 0 && LZFSE.Encoder.maximumSize(for: -5) > 0)
  }
}
