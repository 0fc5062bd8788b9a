/// Damage to an archive: the bytes violate the format, or a rule that keeps reading safe. A ``PackError``
/// has it, and so has a problem that ``PackVerification`` finds.
public struct ArchiveDamage: Error, Hashable, Sendable {
  /// The archive, as the user named it, if it isn't known from the context; `-` is the standard
  /// input.
  public private(set) var pack: BytePath?
  /// The kind of damage.
  public let reason: DamageReason
  /// Where it is.
  public package(set) var place: ArchivePlace
  /// The limit that the archive exceeds, if that can be raised.
  package private(set) var exceeded: ReadingLimits.Limit?
  private let words: String

  /// Damage at `place`; `message` describes it in one sentence without a final period.
  package init(_ reason: DamageReason, _ message: String, at place: ArchivePlace) {
    self.reason = reason
    words = message
    self.place = place
  }

  /// What is wrong, in one sentence without its place.
  public var message: String {
    words + (place.payload.map { " at byte \(grouped($0)) of the payload" } ?? "")
  }

  /// The same damage, which a higher `limit` avoids.
  package func exceeding(_ limit: ReadingLimits.Limit) -> ArchiveDamage {
    var result = self
    result.exceeded = limit
    return result
  }

  package func named(_ pack: BytePath?) -> ArchiveDamage {
    var result = self
    result.pack = pack
    return result
  }
}

/// A location in an archive, as far as it is known.
public struct ArchivePlace: Hashable, Sendable {
  /// The number of the block in the container, from 0.
  public package(set) var block: Int?
  /// The offset in the file; for damage inside a block, that of the block's header.
  public package(set) var file: UInt64?
  /// The offset in the block's payload; nil for its start.
  public package(set) var payload: Int?
  /// The number of the entry in the archive, from 0.
  public package(set) var entry: Int?
  /// The offset in the archive stream, which is the concatenation of the blocks.
  public package(set) var stream: UInt64?
  /// The path of the entry, as stored in the archive.
  public package(set) var path: [UInt8]?

  package init(
    block: Int? = nil, file: UInt64? = nil, entry: Int? = nil, stream: UInt64? = nil,
    path: [UInt8]? = nil
  ) {
    self.block = block
    self.file = file
    self.entry = entry
    self.stream = stream
    self.path = path
  }
}

extension ArchivePlace: CustomStringConvertible {
  /// For example `block 3 (byte 1,234 of the file)`; empty if nothing is known.
  public var description: String {
    var parts: [String] = []
    if let block {
      parts.append(
        "block \(grouped(block))" + (file.map { " (byte \(grouped($0)) of the file)" } ?? ""))
    } else if let file, file > 0 {
      parts.append("byte \(grouped(file)) of the file")
    }
    if let entry {
      let name = path.map { " '\(printable($0))'" } ?? ""
      parts.append("entry \(grouped(entry))\(name)")
    } else if let path {
      parts.append("'\(printable(path))'")
    }
    if entry != nil, let stream {
      parts.append("byte \(grouped(stream)) of the archive stream")
    }
    return parts.joined(separator: ", ")
  }
}

extension ArchiveDamage: CustomStringConvertible {
  /// The archive, the location and the damage, for example `'Pack.aar': block 3 (byte 1,234 of the
  /// file): the deflate data is cut`.
  public var description: String {
    (pack.map { "'\($0.shown)': " } ?? "") + (place.description.isEmpty ? "" : "\(place): ")
      + message
  }
}
