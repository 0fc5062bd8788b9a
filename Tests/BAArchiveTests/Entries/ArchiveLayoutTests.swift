import BAArchive
import BATestSupport
import Testing

private func path(_ text: String) -> RelativePath { RelativePath(unchecked: Array(text.utf8)) }

private func file(_ name: String, size: UInt64) -> ArchiveEntry {
  ArchiveEntry(path(name), .file(.file(path(name), version: 0), size: size, isExecutable: false))
}

/// The bytes of a stream according to the layout: a header's bytes as they are, a byte of contents
/// as 1000 × entry + offset.
private func symbols(_ pieces: [ArchiveLayout.Piece]) -> [Int] {
  pieces.flatMap { piece -> [Int] in
    switch piece {
    case .header(let bytes): bytes.map { -1 - Int($0) }
    case .contents(let index, let range): range.map { 1000 * index + Int($0) }
    }
  }
}

@Suite struct ArchiveLayoutTests {
  static let small: [[ArchiveEntry]] = [
    [],
    [ArchiveEntry(.root, .directory)],
    [file("a", size: 0)],
    [file("a", size: 1)],
    [file("a", size: 0), file("b", size: 0), file("c", size: 5), file("d", size: 0)],
    [
      ArchiveEntry(.root, .directory), file("a", size: 3), ArchiveEntry(path("b"), .directory),
      file("b/c", size: 40), file("b/d", size: 1),
    ],
  ]

  @Test(arguments: small) func everySplitGivesTheCompleteStream(entries: [ArchiveEntry]) {
    let layout = ArchiveLayout(entries, modified: .constant)
    var stream: [Int] = []
    for (index, entry) in entries.enumerated() {
      stream += entry.header(modified: .constant).map { -1 - Int($0) }
      stream += (0..<Int(entry.size)).map { 1000 * index + $0 }
    }
    #expect(layout.size == UInt64(stream.count))
    #expect(symbols(layout.pieces(in: 0..<layout.size)) == stream)
    for block in 1...max(1, stream.count) {
      var joined: [Int] = []
      for start in stride(from: 0, to: stream.count, by: block) {
        let end = min(start + block, stream.count)
        joined += symbols(layout.pieces(in: UInt64(start)..<UInt64(end)))
      }
      #expect(joined == stream, "blocks of \(block)")
    }
  }

  /// An empty file is checked in exactly one block, so that it is noticed if it has grown.
  @Test(arguments: 1...140) func anEmptyFileIsReadOnce(block: Int) {
    let layout = ArchiveLayout(
      [ArchiveEntry(.root, .directory), file("a", size: 0), file("b", size: 0)],
      modified: .constant)
    var read: [Int] = []
    for start in stride(from: 0, to: layout.size, by: block) {
      for piece in layout.pieces(in: start..<min(start + UInt64(block), layout.size)) {
        if case .contents(let index, 0..<0) = piece { read.append(index) }
      }
    }
    #expect(read == [1, 2])
  }

  @Test func piecesNameWhatIsInARange() {
    let layout = ArchiveLayout([file("a", size: 10), file("b", size: 10)], modified: .constant)
    let a = file("a", size: 10).header(modified: .constant)
    let b = file("b", size: 10).header(modified: .constant)
    let first = UInt64(a.count)
    #expect(layout.pieces(in: 0..<first) == [.header(a[...])])
    #expect(layout.pieces(in: first..<(first + 10)) == [.contents(of: 0, 0..<10)])
    #expect(
      layout.pieces(in: (first + 9)..<(first + 12))
        == [.contents(of: 0, 9..<10), .header(b[..<2])])
    #expect(
      layout.pieces(in: 3..<(first + 1)) == [.header(a[3...]), .contents(of: 0, 0..<1)])
    #expect(layout.pieces(in: (layout.size - 1)..<layout.size) == [.contents(of: 1, 9..<10)])
    #expect(layout.pieces(in: first..<first).isEmpty)
  }

  @Test func sizesOfHeadersAreKnownWithoutMakingThem() {
    let sizes: [UInt64] = [0, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000]
    let entries = sizes.map { file("name", size: $0) } + [ArchiveEntry(path("d"), .directory)]
    for time in [ArchiveTime.constant, ArchiveTime(seconds: -1, nanoseconds: 5)] {
      for entry in entries {
        #expect(entry.headerSize(modified: time) == entry.header(modified: time).count)
      }
    }
  }

  @Test func entriesAreSortedPartByPart() {
    let names = [
      "a-b", "a/b", "b", "a", "Manifest.json", "Contents/x", "Contents", "", "a!b", "ab",
    ]
    let layout = ArchiveLayout(
      names.map { ArchiveEntry(path($0), .directory) }, modified: .constant)
    #expect(
      layout.entries.map { String(decoding: $0.path.bytes, as: UTF8.self) } == [
        "", "Contents", "Contents/x", "Manifest.json", "a", "a/b", "a!b", "a-b", "ab", "b",
      ])
  }

  @Test func filesOfMoreThanFourGigabytesFit() throws {
    let size: UInt64 = 5 << 30
    let layout = ArchiveLayout(
      [file("a", size: 1), file("big", size: size), file("c", size: 1)], modified: .constant)
    let header = file("big", size: size).header(modified: .constant)
    #expect(hexadecimal(header.suffix(12)) == "44415443" + "0000004001000000")
    let small = UInt64(file("a", size: 1).header(modified: .constant).count) + 1
    #expect(layout.size == small + UInt64(header.count) + size + small)
    let end = small + UInt64(header.count) + size
    #expect(
      layout.pieces(in: (end - (1 << 20))..<end)
        == [.contents(of: 1, (size - (1 << 20))..<size)])
    #expect(layout.pieces(in: (end - 2)..<(end + 1)).count == 2)
  }

  /// 50 GiB in 100,000 files: every block is found, has the right size, and starts where the
  /// previous one ended.
  @Test func fiftyGibibytesAreLaidOutWithoutAFile() {
    var random = SeededGenerator(seed: 50)
    let mean = (50 << 30) / 100_000
    let entries = (0..<100_000).map { index in
      file("f\(100_000 + index)", size: UInt64(Int.random(in: 0...(2 * mean), using: &random)))
    }
    let layout = ArchiveLayout(entries, modified: .constant)
    #expect((49 << 30)...(51 << 30) ~= layout.size)
    let block: UInt64 = 1 << 20
    var next: (entry: Int, offset: UInt64) = (0, 0)
    for start in stride(from: 0, to: layout.size, by: UInt64.Stride(block)) {
      let range = start..<min(start + block, layout.size)
      var count: UInt64 = 0
      for piece in layout.pieces(in: range) {
        switch piece {
        case .header(let bytes):
          count += UInt64(bytes.count)
        case .contents(let index, let part):
          count += UInt64(part.count)
          if part.isEmpty { continue }
          let continues = (index, part.lowerBound) == next || part.lowerBound == 0
          if !continues { Issue.record("block at \(start) leaves a gap in entry \(index)") }
          next = (index, part.upperBound)
        }
      }
      if count != UInt64(range.count) { Issue.record("block at \(start) holds \(count) bytes") }
    }
    #expect(next.entry >= 99_998)
  }
}
