/// Holds the contents of an entry against the SHA-256 that its header states. Other digests are shown
/// but not checked: packs as devices get them have none.
struct EntryDigest {
  private let entry: EntryHeader
  private let stated: [UInt8]
  private var digest = SHA256()

  /// Nil where the header states no SHA-256.
  init?(_ entry: EntryHeader) {
    guard case .digest(let stated)? = entry.otherFields.first(where: { $0.key == "SH2" })?.value
    else { return nil }
    self.entry = entry
    self.stated = stated
  }

  mutating func update(_ bytes: RawSpan) { digest.update(bytes) }

  /// What is wrong, once all bytes were seen.
  var problem: ArchiveDamage? {
    let computed = digest.finalize()
    guard computed != stated else { return nil }
    return entry.damage(
      .hashMismatch,
      "the SHA-256 of the contents is \(hexadecimal(computed)), but the header states "
        + hexadecimal(stated))
  }
}

/// An entry whose header states a SHA-256, for whoever reads its contents.
package final class StatedDigest: Sendable {
  let entry: EntryHeader

  /// Nil where the header states none.
  init?(_ entry: EntryHeader) {
    guard EntryDigest(entry) != nil else { return nil }
    self.entry = entry
  }
}
