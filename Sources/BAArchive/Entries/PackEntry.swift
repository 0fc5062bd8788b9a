import Synchronization

/// The header of an archive entry, and its position. Two are equal if their headers are.
public struct PackEntry: Hashable, Sendable {
  package let number: Int
  package var index = IndexIdentity(number: 0)
  /// The offset of the header in the archive stream.
  package let offset: UInt64
  /// The path in the archive as stored, unchecked: for tools that look at damage. Empty for the root and
  /// usually for metadata.
  public internal(set) var archivePath: [UInt8] = []
  /// Where a symbolic link leads, unchecked.
  public internal(set) var linkTarget: [UInt8]?
  /// The MOD field: the low 12 bits of `st_mode`, and possibly others.
  package internal(set) var mode: UInt64?
  package internal(set) var modified: ArchiveTime?
  /// What it is: a file, a directory or something else.
  public internal(set) var kind: EntryKind
  /// The range of the contents in the archive stream; nil without a DAT field. It may extend beyond
  /// the end of the archive.
  package internal(set) var contents: Range<UInt64>?
  /// All other known fields, in the order of the header.
  package internal(set) var otherFields: [EntryField] = []

  /// Whether it is a file, not a directory, a link or something else.
  public var isFile: Bool { kind == .file }

  /// The size of the contents in bytes.
  public var size: UInt64 { contents.map { $0.upperBound - $0.lowerBound } ?? 0 }

  /// The approximate size of the entry in memory, without its share of the containing array.
  var memory: Int {
    otherFields.reduce(
      MemoryLayout<PackEntry>.stride + archivePath.count + (linkTarget?.count ?? 0)
    ) {
      $0 + MemoryLayout<EntryField>.stride + $1.value.memory
    }
  }

  /// Whether any of the three execute bits is set.
  public var isExecutable: Bool { (mode ?? 0) & 0o111 != 0 }

  package var place: ArchivePlace { ArchivePlace(entry: number, stream: offset, path: archivePath) }

  package func damage(_ reason: DamageReason, _ message: String) -> ArchiveDamage {
    ArchiveDamage(reason, message, at: place)
  }
}

/// The index of an archive that has an entry, so that it isn't taken for one of another: a number that is
/// used once in a process, or 0 for none. It is no part of what an entry is, so all are equal.
package struct IndexIdentity: Hashable, Sendable {
  package let number: UInt64
  private static let last = Atomic<UInt64>(0)

  package static func next() -> IndexIdentity {
    IndexIdentity(number: last.add(1, ordering: .relaxed).newValue)
  }

  package static func == (left: IndexIdentity, right: IndexIdentity) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// The type of an entry: the letter of its TYP field.
public struct EntryKind: RawRepresentable, Hashable, Sendable {
  /// The letter.
  public let rawValue: UInt8

  /// Accepts any byte.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A regular file.
  public static let file = EntryKind(rawValue: UInt8(ascii: "F"))
  /// A directory.
  public static let directory = EntryKind(rawValue: UInt8(ascii: "D"))
  /// A symbolic link, which asset packs don't have.
  public static let symbolicLink = EntryKind(rawValue: UInt8(ascii: "L"))
  /// Metadata of the archive, which has no path.
  public static let metadata = EntryKind(rawValue: UInt8(ascii: "M"))

  package var isKnown: Bool { "FDLPCBSWRTM".utf8.contains(rawValue) }

  package var letter: String { printable([rawValue]) }

  /// The name with its article: `a file`.
  package var name: String {
    switch Unicode.Scalar(rawValue) {
    case "F": "a file"
    case "D": "a directory"
    case "L": "a symbolic link"
    case "P": "a named pipe"
    case "C": "a character device"
    case "B": "a block device"
    case "S": "a socket"
    case "W": "a whiteout"
    case "R": "a door"
    case "T": "a port"
    case "M": "metadata"
    default: "of unknown type"
    }
  }
}

/// Compares the contents of an entry with the SHA-256 in its header. Other digests are displayed
/// but not checked: packs for devices have none. Used by one thread at a time.
package final class EntryDigest: @unchecked Sendable {
  private let entry: PackEntry
  private let stated: [UInt8]
  private var digest = SHA256()

  /// Nil if the header has no SHA-256.
  package init?(_ entry: PackEntry) {
    guard case .digest(let stated)? = entry.otherFields.first(where: { $0.key == "SH2" })?.value
    else { return nil }
    self.entry = entry
    self.stated = stated
  }

  package func update(_ bytes: RawSpan) { digest.update(bytes) }

  /// The damage, once all bytes were added.
  package var problem: ArchiveDamage? {
    let computed = digest.finalize()
    guard computed != stated else { return nil }
    return entry.damage(
      .hashMismatch,
      "the SHA-256 of the contents is \(hexadecimal(computed)), but the header says "
        + hexadecimal(stated))
  }
}

extension PackEntry {
  /// A header that isn't read from an archive.
  package init(
    number: Int, offset: UInt64 = 0, archivePath: [UInt8], _ kind: EntryKind, mode: UInt16,
    modified: ArchiveTime? = nil, contents: Range<UInt64>?
  ) {
    self.init(number: number, offset: offset, kind: kind)
    self.archivePath = archivePath
    self.mode = UInt64(mode)
    self.modified = modified
    self.contents = contents
  }
}
