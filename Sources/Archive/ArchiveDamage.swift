import LZFSE

/// Why an archive can't be read, merged or compared.
public struct ArchiveError: Error, Hashable, Sendable {
  /// The archive, as the user named it; `-` is the standard input.
  package let pack: BytePath
  package let cause: Cause

  package enum Cause: Hashable, Sendable {
    case system(SystemError)
    /// The bytes violate the format, or a rule that keeps reading safe.
    case damage(ArchiveDamage)
    case conflict(MergeConflict)
    case interrupted(CInt)
  }

  package init(_ cause: Cause, in pack: BytePath) {
    self.pack = pack
    self.cause = cause
  }

  /// A system error, or an interruption if a signal caused it.
  init(_ error: SystemError, in pack: BytePath) {
    if error.code == .interrupted, let signal = Interruption.pending {
      self.init(.interrupted(signal), in: pack)
    } else {
      self.init(.system(error), in: pack)
    }
  }
}

/// Damage to an archive, and its location.
package struct ArchiveDamage: Error, Hashable, Sendable {
  package let reason: DamageReason
  package var place: ArchivePlace
  /// The limit that the archive exceeds, if that can be raised.
  package private(set) var exceeded: ReadingLimits.Limit?
  private let detail: Detail

  /// Damage at `place`; `message` describes it in one sentence without a final period.
  package init(_ reason: DamageReason, _ message: String, at place: ArchivePlace) {
    self.init(reason, .words(message), at: place)
  }

  init(_ reason: DamageReason, _ detail: Detail, at place: ArchivePlace) {
    self.reason = reason
    self.detail = detail
    self.place = place
  }

  /// The description, besides the kind.
  enum Detail: Hashable, Sendable {
    case words(String)
    case lzfse(LZFSE.Damage.Reason)
  }

  /// The description, in one sentence without a final period.
  package var message: String {
    let inside = place.payload.map { " at byte \(grouped($0)) of the payload" } ?? ""
    return switch detail {
    case .words(let message): message + inside
    case .lzfse(let reason): "LZFSE: \(reason)\(inside)"
    }
  }

  /// The same damage, which a higher `limit` avoids.
  package func exceeding(_ limit: ReadingLimits.Limit) -> ArchiveDamage {
    var result = self
    result.exceeded = limit
    return result
  }

  /// The error of the LZFSE decoder; nil for other kinds of damage.
  package var lzfseReason: LZFSE.Damage.Reason? {
    if case .lzfse(let reason) = detail { reason } else { nil }
  }
}

/// A location in an archive, as far as it is known.
package struct ArchivePlace: Hashable, Sendable {
  /// The index of the block, from 0.
  package var block: Int?
  /// The offset in the file; for damage inside a block, that of the block's header.
  package var file: UInt64?
  /// The offset in the block's payload; nil for its start.
  package var payload: Int?
  /// The index of the entry, from 0.
  package var entry: Int?
  /// The offset in the archive stream, which is the concatenation of the blocks.
  package var stream: UInt64?
  /// The path of the entry, as stored in the archive.
  package var path: [UInt8]?

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
  package var description: String {
    var parts: [String] = []
    if let block {
      parts.append(
        "block \(grouped(block))" + (file.map { " (byte \(grouped($0)) of the file)" } ?? ""))
    } else if let file {
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
  /// The location and the damage: `block 3 (byte 1,234 of the file): the deflate data is cut`.
  package var description: String {
    let place = place.description
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

extension ArchiveError: CustomStringConvertible {
  /// The error, with the name of the archive unless a signal caused it.
  public var description: String {
    switch cause {
    case .system(let error): error.description
    case .damage(let damage): "'\(pack.shown)': \(damage)"
    case .conflict(let conflict): conflict.description
    case .interrupted(let signal): "stopped by \(Interruption.name(of: signal))"
    }
  }
}

/// Why packs can't be merged or compared, though each of them is intact.
package enum MergeConflict: Hashable, Sendable {
  /// A path is a file in one pack and a directory in another.
  case kinds(RelativePath, file: BytePath, directory: BytePath)
  /// A path in one pack has a parent that is a file in another.
  case belowFile(RelativePath, in: BytePath, file: [UInt8], of: BytePath)
  /// A path is a file in that pack and a directory in others.
  case aboveOthers(RelativePath, in: BytePath)
  /// A file differs between two packs.
  case contents(RelativePath, in: BytePath, and: BytePath)
  /// Two packs have the same name; only one of them can be compared.
  case sameName(String, BytePath, BytePath)
}

extension MergeConflict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .kinds(let path, let file, let directory):
      "'\(path)' is a file in '\(file)' and a directory in '\(directory)'" + advice
    case .belowFile(let path, let pack, let file, let other):
      "'\(path)' in '\(pack)' lies below '\(printable(file))', which is a file in '\(other)'"
        + advice
    case .aboveOthers(let path, let pack):
      "'\(path)' is a file in '\(pack)' and a directory in another pack" + advice
    case .sameName(let name, let one, let other):
      "'\(one)' and '\(other)' have the same identifier, '\(name)'; packs are compared by identifier"
    case .contents(let path, let one, let other):
      "'\(path)' is not the same in '\(one)' and '\(other)'" + advice
    }
  }
}

private let advice = "; devices merge all packs of an app into one folder"
