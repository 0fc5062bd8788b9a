/// The position of every byte of an archive stream, known before any is written.
///
/// Entry *i* occupies the bytes from `starts[i]` up to `starts[i + 1]`: its header, then its
/// contents. So any range of the stream can be generated independently, by any thread.
package struct ArchiveLayout: Sendable {
  package let entries: [ArchiveEntry]
  package let modified: ArchiveTime
  package let size: UInt64
  private let starts: [UInt64]

  /// Lays out `entries`, in any order. Their paths must be unique, have at most
  /// ``PackFormat/maximumPathLength`` bytes, and include all their parent directories.
  package init(_ entries: consuming [ArchiveEntry], modified: ArchiveTime) {
    // Sorts in place if the caller gave up its only copy.
    entries.sort { $0.path < $1.path }
    self.entries = entries
    self.modified = modified
    var offset: UInt64 = 0
    var starts: [UInt64] = []
    starts.reserveCapacity(entries.count)
    for entry in self.entries {
      starts.append(offset)
      offset += UInt64(entry.headerSize(modified: modified)) + entry.size
    }
    self.starts = starts
    size = offset
  }

  /// The pieces of `range` in the stream, in order. An empty file appears at the end of its header,
  /// so that readers can check whether it still is empty.
  package func pieces(in range: Range<UInt64>) -> [Piece] {
    var pieces: [Piece] = []
    if range.isEmpty { return pieces }
    for index in entryIndex(at: range.lowerBound)..<entries.count {
      guard starts[index] < range.upperBound else { break }
      let contents = contents(at: index)
      let headerEnd = contents.lowerBound
      if headerEnd > range.lowerBound {
        let header = entries[index].header(modified: modified)
        let part = range.clamped(to: starts[index]..<headerEnd)
        let slice = Int(part.lowerBound - starts[index])..<Int(part.upperBound - starts[index])
        pieces.append(.header(header[slice]))
      }
      let part = range.clamped(to: contents)
      if !part.isEmpty {
        pieces.append(
          .contents(
            of: index, (part.lowerBound - headerEnd)..<(part.upperBound - headerEnd)))
      } else if contents.isEmpty, isFile(index), range.contains(headerEnd - 1) {
        pieces.append(.contents(of: index, 0..<0))
      }
    }
    return pieces
  }

  /// The bytes of the stream that are the contents of the entry at `index`.
  package func contents(at index: Int) -> Range<UInt64> {
    let end = index + 1 < starts.count ? starts[index + 1] : size
    return end - entries[index].size..<end
  }

  /// The headers as they will be read.
  package var headers: [PackEntry] {
    entries.indices.map { index in
      PackEntry(
        number: index, offset: starts[index], archivePath: entries[index].path.bytes,
        isFile(index) ? .file : .directory, mode: entries[index].mode, modified: modified,
        contents: isFile(index) ? contents(at: index) : nil)
    }
  }

  private func isFile(_ index: Int) -> Bool {
    if case .file = entries[index].kind { true } else { false }
  }

  /// Whether a reader with these limits would refuse the archive for its entries.
  package func exceeds(_ limits: ReadingLimits) -> Bool {
    // Paths are limited, too: fewer entries can't have so many names.
    guard entries.count > limits.entries / 16 else { return false }
    return entries.count > limits.entries || headers.reduce(0) { $0 + $1.memory } > limits.memory
  }

  /// A run of bytes in the stream.
  package enum Piece: Equatable {
    case header(ArraySlice<UInt8>)
    /// A range of the contents of an entry; empty for an empty file.
    case contents(of: Int, Range<UInt64>)
  }

  /// The entry whose header or contents include the byte at `offset`.
  private func entryIndex(at offset: UInt64) -> Int {
    max(0, starts.partitioningIndex { $0 > offset } - 1)
  }
}
