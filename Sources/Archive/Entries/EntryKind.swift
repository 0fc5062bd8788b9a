/// The type of an entry: the letter of its TYP field.
package struct EntryKind: Hashable, Sendable {
  /// The letter, in ASCII.
  package let rawValue: UInt8

  /// Accepts any byte; see ``isKnown``.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A file.
  package static let file = EntryKind(rawValue: UInt8(ascii: "F"))
  /// A directory.
  package static let directory = EntryKind(rawValue: UInt8(ascii: "D"))
  /// A symbolic link.
  package static let symbolicLink = EntryKind(rawValue: UInt8(ascii: "L"))
  /// Metadata of the archive, which has no path.
  package static let metadata = EntryKind(rawValue: UInt8(ascii: "M"))

  /// Whether the format defines this letter.
  package var isKnown: Bool { "FDLPCBSWRTM".utf8.contains(rawValue) }

  /// The letter.
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
