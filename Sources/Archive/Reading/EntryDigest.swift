/// Compares the contents of an entry with the SHA-256 in its header. Other digests are displayed
/// but not checked: packs for devices have none.
package struct EntryDigest {
  private let entry: EntryHeader
  private let stated: [UInt8]
  private var digest = SHA256()

  /// Nil if the header has no SHA-256.
  package init?(_ entry: EntryHeader) {
    guard case .digest(let stated)? = entry.otherFields.first(where: { $0.key == "SH2" })?.value
    else { return nil }
    self.entry = entry
    self.stated = stated
  }

  package mutating func update(_ bytes: RawSpan) { digest.update(bytes) }

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

/// An entry with a SHA-256 in its header, for readers of its contents.
package final class StatedDigest: Sendable {
  let entry: EntryHeader

  /// Nil if the header has none.
  init?(_ entry: EntryHeader) {
    guard EntryDigest(entry) != nil else { return nil }
    self.entry = entry
  }
}
