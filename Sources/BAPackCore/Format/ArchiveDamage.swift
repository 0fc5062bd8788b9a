import LZFSE

/// Why an archive can't be read.
public struct ArchiveError: Error, Hashable, Sendable {
  /// The archive, as the user named it; `-` is the standard input.
  package let pack: BytePath
  /// What went wrong.
  package let cause: Cause

  /// What can go wrong.
  package enum Cause: Hashable, Sendable {
    /// The operating system refused.
    case system(SystemError)
    /// The bytes break a rule of the format, or one that keeps reading safe.
    case damage(ArchiveDamage)
    /// This signal asked to stop.
    case interrupted(CInt)
  }

  /// An error met in the archive at `pack`.
  package init(_ cause: Cause, in pack: BytePath) {
    self.pack = pack
    self.cause = cause
  }

  /// An error of the system, which may be a signal's doing.
  init(_ error: SystemError, in pack: BytePath) {
    if error.code == .interrupted, let signal = Interruption.pending {
      self.init(.interrupted(signal), in: pack)
    } else {
      self.init(.system(error), in: pack)
    }
  }
}

/// What is wrong with the bytes of an archive, and where.
package struct ArchiveDamage: Error, Hashable, Sendable {
  /// The kind of damage.
  package let reason: DamageReason
  /// Where.
  package var place: ArchivePlace
  private let detail: Detail

  /// Damage at `place`; `message` says what is wrong, in one sentence without a final period.
  package init(_ reason: DamageReason, _ message: String, at place: ArchivePlace) {
    self.init(reason, .words(message), at: place)
  }

  init(_ reason: DamageReason, _ detail: Detail, at place: ArchivePlace) {
    self.reason = reason
    self.detail = detail
    self.place = place
  }

  /// What is wrong, besides its kind.
  enum Detail: Hashable, Sendable {
    case words(String)
    case lzfse(LZFSE.Damage.Reason)
  }

  /// What is wrong, in one sentence without a final period.
  package var message: String {
    let inside = place.payload.map { " at byte \(grouped($0)) of the payload" } ?? ""
    return switch detail {
    case .words(let message): message + inside
    case .lzfse(let reason): "LZFSE: \(reason)\(inside)"
    }
  }

  /// What the decoder of LZFSE met; nil for other kinds of damage.
  package var lzfseReason: LZFSE.Damage.Reason? {
    if case .lzfse(let reason) = detail { reason } else { nil }
  }
}

/// A place in an archive, as far as it is known.
package struct ArchivePlace: Hashable, Sendable {
  /// The number of the block, from 0.
  package var block: Int?
  /// The byte of the file; of damage inside a block, where the block's header begins.
  package var file: UInt64?
  /// The byte of the block's payload; nil at its start.
  package var payload: Int?
  /// The number of the entry, from 0.
  package var entry: Int?
  /// The byte of the archive stream, which is what the blocks hold.
  package var stream: UInt64?
  /// The byte of the entry's contents.
  package var contents: UInt64?
  /// The path of the entry, as it stands in the archive.
  package var path: [UInt8]?

  /// A place of which the given parts are known.
  package init(
    block: Int? = nil, file: UInt64? = nil, entry: Int? = nil, stream: UInt64? = nil,
    contents: UInt64? = nil, path: [UInt8]? = nil
  ) {
    self.block = block
    self.file = file
    self.entry = entry
    self.stream = stream
    self.contents = contents
    self.path = path
  }
}

extension ArchivePlace: CustomStringConvertible {
  /// For example `block 3 (byte 1,234 of the file)`; empty when nothing is known.
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
    if let contents {
      parts.append("byte \(grouped(contents)) of its contents")
    } else if entry != nil, let stream {
      parts.append("byte \(grouped(stream)) of the archive stream")
    }
    return parts.joined(separator: ", ")
  }
}

extension ArchiveDamage: CustomStringConvertible {
  /// The place and what is wrong there: `block 3 (byte 1,234 of the file): the deflate data is cut`.
  package var description: String {
    let place = place.description
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

extension ArchiveError: CustomStringConvertible {
  /// What went wrong, with the name of the archive unless a signal was it.
  public var description: String {
    switch cause {
    case .system(let error): error.description
    case .damage(let damage): "'\(pack.shown)': \(damage)"
    case .interrupted(let signal): "stopped by \(Interruption.name(of: signal))"
    }
  }
}
