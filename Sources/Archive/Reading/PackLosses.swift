/// The parts of a damaged pack that are lost.
///
/// All blocks are decoded. After one that can't be, the scan continues at the next header found. A
/// file with any lost block is damaged.
package struct PackLosses: Sendable {
  package fileprivate(set) var damage: [ArchiveDamage] = []
  /// The entries that are damaged but whose headers were found.
  package fileprivate(set) var entries: [PackEntry] = []

  fileprivate init() {}

  /// Finds the losses of a pack, which must not be a pipe.
  package init(of input: ArchiveInput, limits: ReadingLimits, jobs: Int) throws {
    guard input.size != nil else {
      throw input.error(SystemError(.readAgain, input.path, code: .illegalSeek))
    }
    let collector = LossCollector()
    let facts = try scanArchive(input, limits: limits, jobs: jobs, collector)
    // Bytes missing at the end of the container.
    if let last = collector.last, let end = last.contents?.upperBound, end > facts.rawSize {
      collector.loseLast()
    }
    self = collector.losses
  }
}

private final class LossCollector: EntryVisitor {
  private(set) var losses = PackLosses()
  /// The last entry whose header was found.
  private(set) var last: PackEntry?
  private var names = EntryNames()
  private var digest: EntryDigest?
  private var isInContents = false

  var needsAllBlocks: Bool { true }

  func begin(_ entry: PackEntry) throws -> Bool {
    last = entry
    isInContents = true
    do {
      try names.add(entry)
    } catch {
      if error.reason == .limit { throw error }
      lose(error)
    }
    digest = EntryDigest(entry)
    return digest != nil
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) { digest?.update(bytes) }

  func end() {
    if let problem = digest?.problem { lose(problem) }
    digest = nil
    isInContents = false
  }

  func found(_ problem: ArchiveDamage, in part: ArchivePart) -> Bool {
    losses.damage.append(problem)
    if part == .container { return true }
    if part != .stream, isInContents { loseLast() }
    digest = nil
    isInContents = part == .contents
    return true
  }

  private func lose(_ problem: ArchiveDamage) {
    losses.damage.append(problem)
    loseLast()
  }

  func loseLast() {
    guard let last, losses.entries.last?.number != last.number else { return }
    losses.entries.append(last)
  }
}
