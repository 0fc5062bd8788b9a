import BAArchive

/// A container of three blocks of 64, 64 and 40 uncompressed bytes: one letter, which is deflated;
/// all different, which is stored; another letter.
package enum ThreeBlocks {
  package static let raw: [UInt8] =
    [UInt8](repeating: 0x61, count: 64) + (0..<64).map { $0 * 3 }
    + [UInt8](repeating: 0x62, count: 40)
  package static let bytes = TestArchive(stream: raw).container(blockSize: 64)
  /// The offsets of the block headers.
  package static let starts = TestArchive.blocks(bytes)

  /// The container with the Adler-32 of its first block damaged.
  package static let damagedFirst: [UInt8] = {
    var damaged = bytes
    damaged[starts[1] - 1] ^= 1
    return damaged
  }()
}

/// An open archive: the input, its container and the positions of its blocks.
package struct OpenArchive {
  package let input: ArchiveInput
  package let kind: ContainerKind

  package init(_ path: BytePath) throws {
    input = try ArchiveInput(path)
    kind = try ContainerKind(input.start)
  }

  /// The properties that a scan finds, whatever the blocks contain.
  package func facts(limits: ReadingLimits = ReadingLimits()) throws -> ContainerFacts {
    try scanArchive(input, limits: limits, jobs: 1, NoEntries())
  }
}

private final class NoEntries: EntryVisitor {
  func begin(_ entry: PackEntry) -> Bool { false }
  func found(_ damage: ArchiveDamage, in part: ArchivePart) throws -> Bool {
    if part == .container { throw damage }
    return false
  }
}

/// The damage that `body` throws; nil if it throws something else or nothing.
package func damage(_ body: () throws -> Void) -> ArchiveDamage? {
  do {
    try body()
    return nil
  } catch let error as ArchiveDamage {
    return error.named(nil)
  } catch {
    return nil
  }
}

extension RawSpan {
  /// A copy of the bytes.
  package var array: [UInt8] {
    (0..<byteCount).map { unsafe unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }
}
