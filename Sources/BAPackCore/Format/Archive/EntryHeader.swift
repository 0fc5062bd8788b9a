/// An entry of an archive as its header states it, and where it stands.
public struct EntryHeader: Sendable {
  /// Its number, from 0.
  package let number: Int
  /// The byte of the archive stream where the header begins.
  package let offset: UInt64
  /// The path as stored, unchecked: see ``safePath()``. Empty for the root, and mostly for metadata.
  public internal(set) var path: [UInt8] = []
  /// The target of a symbolic link, unchecked.
  package internal(set) var linkTarget: [UInt8]?
  /// The low 12 bits of `st_mode`, and whatever else the field holds.
  package internal(set) var mode: UInt64?
  /// When the file was modified.
  package internal(set) var modified: ArchiveTime?
  /// What the entry stands for.
  public internal(set) var kind: EntryKind
  /// The bytes of the archive stream that are the contents; nil without a DAT field. Nothing says
  /// that the archive is long enough to hold them.
  package internal(set) var contents: Range<UInt64>?
  /// All other fields that the format knows, in the order of the header.
  package internal(set) var otherFields: [EntryField] = []

  /// Its size in bytes.
  public var size: UInt64 { contents.map { $0.upperBound - $0.lowerBound } ?? 0 }

  /// About the bytes of memory that the entry takes, without a share of what holds it.
  var memory: Int {
    otherFields.reduce(MemoryLayout<EntryHeader>.stride + path.count + (linkTarget?.count ?? 0)) {
      $0 + MemoryLayout<EntryField>.stride + $1.value.memory
    }
  }

  /// Whether any of the three execute bits is set.
  public var isExecutable: Bool { (mode ?? 0) & 0o111 != 0 }

  /// The place for messages.
  package var place: ArchivePlace { ArchivePlace(entry: number, stream: offset, path: path) }

  /// Damage to this entry.
  func damage(_ reason: DamageReason, _ message: String) -> ArchiveDamage {
    ArchiveDamage(reason, message, at: place)
  }
}

/// A field besides those that ``EntryHeader`` names.
package struct EntryField: Hashable, Sendable {
  /// The three letters of its key.
  package let key: String
  /// Its value.
  package let value: FieldValue
}

/// The value of a field.
package enum FieldValue: Hashable, Sendable {
  /// A flag, which is true where it stands.
  case flag
  /// An unsigned integer of any width.
  case integer(UInt64)
  /// Bytes without NUL.
  case string([UInt8])
  /// A time.
  case time(ArchiveTime)
  /// A CRC-32 or a hash.
  case digest([UInt8])
  /// The size of a blob, whose bytes follow the header.
  case blob(size: UInt64)

  /// The bytes of memory outside the value itself.
  fileprivate var memory: Int {
    switch self {
    case .string(let bytes), .digest(let bytes): 32 + bytes.count
    case .flag, .integer, .time, .blob: 0
    }
  }
}
