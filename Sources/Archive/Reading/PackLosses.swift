/// The parts of a damaged pack that are lost.
///
/// All blocks are decoded. After one that can't be, the scan continues at the next header found. A
/// file with any lost block is damaged.
package struct PackLosses: Sendable {
  /// The damage, in the order of the archive.
  package private(set) var damage: [ArchiveDamage] = []
  /// The entries that are damaged but whose headers were found.
  package private(set) var entries: [EntryHeader] = []
  package private(set) var numbers: Set<Int> = []

  /// Finds the losses of a pack, which must not be a pipe.
  package init(of input: ArchiveInput, limits: ReadingLimits, jobs: Int) throws {
    guard input.size != nil else {
      throw input.error(SystemError(.readAgain, input.path, code: .illegalSeek))
    }
    var collector = LossCollector()
    let facts = try scanArchive(input, limits: limits, jobs: jobs, &collector)
    // Bytes missing at the end of the container.
    if let last = collector.last, let end = last.contents?.upperBound, end > facts.rawSize {
      collector.loseLast()
    }
    damage = collector.damage
    entries = collector.lost
    numbers = Set(entries.map(\.number))
  }
}

private struct LossCollector: EntryVisitor {
  private(set) var damage: [ArchiveDamage] = []
  private(set) var lost: [EntryHeader] = []
  /// The last entry whose header was found.
  private(set) var last: EntryHeader?
  private var names = EntryNames()
  private var digest: EntryDigest?
  private var isInContents = false

  var needsAllBlocks: Bool { true }

  mutating func begin(_ entry: EntryHeader) throws(ArchiveDamage) -> Bool {
    last = entry
    isInContents = true
    do {
      try names.add(entry)
    } catch {
      if error.reason == .limit { throw error }
      damage.append(error)
      loseLast()
    }
    digest = EntryDigest(entry)
    return digest != nil
  }

  mutating func contents(_ bytes: RawSpan) { digest?.update(bytes) }

  mutating func end() {
    if let problem = digest?.problem {
      damage.append(problem)
      loseLast()
    }
    digest = nil
    isInContents = false
  }

  mutating func found(_ problem: ArchiveDamage, in part: ArchivePart) -> Bool {
    damage.append(problem)
    switch part {
    case .contents, .headers:
      if isInContents { loseLast() }
      digest = nil
      isInContents = part == .contents
    case .stream:
      digest = nil
      isInContents = false
    case .container: break
    }
    return true
  }

  mutating func loseLast() {
    guard let last, lost.last?.number != last.number else { return }
    lost.append(last)
  }
}
