/// How what games read differs between two packs. Times, owners, compression and the order of entries
/// do not count; the execute bits do.
public struct PackDifference: Sendable {
  /// A file, or a symbolic link, that one of the packs lacks or has otherwise.
  public struct Change: Sendable {
    /// The path as games read it.
    public let path: RelativePath
    /// The entry in the old pack; nil for an added file.
    public let old: EntryHeader?
    /// The entry in the new pack; nil for a removed file.
    public let new: EntryHeader?
  }

  /// What differs, in the order of the paths.
  public let changes: [Change]
  /// How many files are the same in both.
  public let unchanged: Int
  /// Whether the embedded manifests have the same bytes.
  public let hasSameManifest: Bool

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty && hasSameManifest }

  /// Compares two packs. Contents are read only where sizes do not tell.
  public init(
    from old: Pack, to new: Pack, jobs: Int = availableProcessors()
  ) throws(DifferenceError) {
    let (oldFiles, newFiles) = (try Self.merged(old).files, try Self.merged(new).files)
    var pairs: [Change] = []
    var (i, j) = (0, 0)
    while i < oldFiles.count || j < newFiles.count {
      let left = i < oldFiles.count ? oldFiles[i] : nil
      let right = j < newFiles.count ? newFiles[j] : nil
      let path = [left?.path, right?.path].compactMap(\.self).min() ?? .root
      pairs.append(
        Change(
          path: path, old: left?.path == path ? left?.entry : nil,
          new: right?.path == path ? right?.entry : nil))
      if left?.path == path { i += 1 }
      if right?.path == path { j += 1 }
    }
    // Where headers agree, the bytes decide.
    var ranges: [StreamRange] = []
    var isChanged = [Bool](repeating: true, count: pairs.count)
    for (id, pair) in pairs.enumerated() {
      guard let old = pair.old, let new = pair.new, old.looksLike(new) else { continue }
      isChanged[id] = false
      if let range = new.contents, !range.isEmpty {
        ranges.append(StreamRange(id: id, range: range))
      }
    }
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let comparison = Comparison(old, pairs.map { $0.old?.contents?.lowerBound ?? 0 })
    // Each thread holds two blocks of the old pack besides those of the new one.
    let jobs = affordableJobs(jobs, pieceSize: old.container.kind.pieceSize)
    do throws(ArchiveError) {
      try readPieces(new.input, new.container, ranges, jobs: jobs, into: comparison)
    } catch {
      throw .archive(error, comparison.failedInOld ? old.path : new.path)
    }
    for id in comparison.different { isChanged[id] = true }
    changes = pairs.indices.filter { isChanged[$0] }.map { pairs[$0] }
    unchanged = pairs.count - changes.count
    hasSameManifest = old.manifest == new.manifest
  }

  private static func merged(_ pack: Pack) throws(DifferenceError) -> MergedPacks {
    do throws(MergeError) { return try MergedPacks([pack]) } catch { throw .merge(error) }
  }
}

/// Why packs can't be compared.
public enum DifferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The pack at that path can't be read.
  case archive(ArchiveError, FilePath)
  /// The names of a pack are unfit.
  case merge(MergeError)

  /// What is wrong, with the name of the pack.
  public var description: String {
    switch self {
    case .archive(.damage(let damage), let pack): "'\(pack)': \(damage)"
    case .archive(let error, _): error.description
    case .merge(let error): error.description
    }
  }
}

extension EntryHeader {
  /// Whether the headers leave open whether the contents differ.
  fileprivate func looksLike(_ other: EntryHeader) -> Bool {
    kind == other.kind && size == other.size && linkTarget == other.linkTarget
      && (kind != .file || isExecutable == other.isExecutable)
  }
}

/// Holds pieces of files in the new pack against the same bytes in the old one.
private final class Comparison: PieceSink {
  private let old: Pack
  private let starts: [UInt64]
  private let state = Monitor((different: Set<Int>(), failedInOld: false))

  /// `starts` are the places of the files' contents in the stream of the old pack.
  init(_ old: Pack, _ starts: [UInt64]) {
    self.old = old
    self.starts = starts
  }

  var different: Set<Int> { state.withLock { $0.different } }
  var failedInOld: Bool { state.withLock { $0.failedInOld } }

  func makeWorker() -> BlockCache { BlockCache(old.input, old.container) }

  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ cache: inout BlockCache
  ) throws(ArchiveError) {
    if state.withLock({ $0.different.contains(id) }) { return }
    do throws(ArchiveError) {
      if try !cache.holds(bytes, at: starts[id] + offset) {
        state.withLock { _ = $0.different.insert(id) }
      }
    } catch {
      state.withLock { $0.failedInOld = true }
      throw error
    }
  }
}
