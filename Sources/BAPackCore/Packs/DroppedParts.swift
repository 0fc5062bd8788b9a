/// Parts of entries other than the name, contents and execute bits of files. `extract` drops them,
/// and whether devices do is undocumented: one warning per kind, at the first entry.
struct DroppedParts {
  private enum Part: Int, CaseIterable {
    case specialBits
    case extendedAttributes
    case accessControlList
    case hardLink
    case folderContents
  }

  private var found: [Part: (first: PackEntry, more: Int)] = [:]

  mutating func add(_ entry: PackEntry) {
    for part in Part.allCases where Self.has(entry, part) {
      found[part, default: (entry, -1)].more += 1
    }
  }

  private static func has(_ entry: PackEntry, _ part: Part) -> Bool {
    func hasField(_ key: String) -> Bool { entry.otherFields.contains { $0.key == key } }
    return switch part {
    case .specialBits: (entry.mode ?? 0) & 0o7000 != 0
    case .extendedAttributes: hasField("XAT")
    case .accessControlList: hasField("ACL")
    case .hardLink: hasField("HLC")
    case .folderContents: entry.kind == .directory && entry.contents != nil
    }
  }

  /// The warnings, in the order of the archive.
  var warnings: [ArchiveDamage] {
    Part.allCases.compactMap { part in found[part].map { (part, $0) } }
      .sorted { ($0.1.first.number, $0.0.rawValue) < ($1.1.first.number, $1.0.rawValue) }
      .map { part, entries in
        let more =
          entries.more > 0
          ? "; the same in \(counted(entries.more, "more entry", "more entries"))" : ""
        return entries.first.damage(.notExtracted, Self.message(part) + more)
      }
  }

  private static func message(_ part: Part) -> String {
    switch part {
    case .specialBits: "the set-user-ID, set-group-ID or sticky bit of the mode (MOD) is ignored"
    case .extendedAttributes: "extended attributes (XAT) are ignored"
    case .accessControlList: "the access control list (ACL) is ignored"
    case .hardLink: "the hard link (HLC) is ignored: the file is extracted as one of its own"
    case .folderContents: "the contents (DAT) of a directory are ignored"
    }
  }
}
