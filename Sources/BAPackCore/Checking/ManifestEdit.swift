extension ManifestFixes {
  /// Fixes applied to a text, with the values of the text before and after.
  struct Edit {
    let old: JSONDocument
    let new: JSONDocument
    /// The ranges that the fixes replaced, and those of the replacements.
    private var removed: [Range<Int>] = []
    private var inserted: [Range<Int>] = []

    /// Applies `fixes`, which are in order and don't overlap.
    init(of source: SourceText, _ fixes: [Fix]) {
      var text: [UInt8] = []
      var end = 0
      for fix in fixes {
        let range = fix.location.range
        text += source.bytes[end..<range.lowerBound]
        removed.append(range)
        inserted.append(text.count..<text.count + fix.replacement.utf8.count)
        text += fix.replacement.utf8
        end = range.upperBound
      }
      old = JSONDocument(reading: source)
      new = JSONDocument(
        reading: SourceText(name: source.name, bytes: text + source.bytes[end...]))
    }

    /// Whether all keys and values outside the fixes are the same in the same structure. Where the
    /// old text has syntax errors, none of what could be read may be lost.
    var keepsTheRest: Bool {
      let (before, after) = (
        Self.tokens(of: old.root, removed), Self.tokens(of: new.root, inserted)
      )
      if old.isWellFormed { return new.isWellFormed && before == after }
      var rest = after[...]
      return before.allSatisfy { token in
        guard token.isLeaf else { return true }
        guard let next = rest.firstIndex(of: token) else { return false }
        rest = rest[(next + 1)...]
        return true
      }
    }

    /// Whether the new text has findings that the old one lacks, other than in what the fixes made
    /// readable.
    func addsFindings(_ file: BytePath, _ options: ManifestCheck.Options) -> Bool {
      var options = options
      options.selectsFiles = false
      let known = Set(
        ManifestCheck(of: old.source, readFrom: file, options).findings.map(ManifestFixes.key))
      let changed = new.root.map { Self.changed($0, inserted) } ?? []
      return ManifestCheck(of: new.source, readFrom: file, options).findings.contains { finding in
        guard !known.contains(ManifestFixes.key(finding)) else { return false }
        guard let range = finding.location?.range else { return true }
        return !changed.contains {
          $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
        }
      }
    }

    /// The values that fixes replaced, and those whose keys they did.
    private static func changed(_ value: JSONValue, _ fixes: [Range<Int>]) -> [Range<Int>] {
      if fixes.contains(where: { $0.touches(value.range) }) { return [value.range] }
      return (value.object ?? []).flatMap { member in
        fixes.contains { $0.touches(member.keyRange) }
          ? [
            member.keyRange
              .lowerBound..<max(member.keyRange.upperBound, member.value.range.upperBound)
          ]
          : changed(member.value, fixes)
      } + (value.array ?? []).flatMap { changed($0, fixes) }
    }

    private enum Token: Equatable {
      case structure(String)
      case leaf(String)
      /// A part that a fix replaced.
      case fixed

      var isLeaf: Bool { if case .leaf = self { true } else { false } }
    }

    private static func tokens(of value: JSONValue?, _ fixes: [Range<Int>]) -> [Token] {
      // A value that couldn't be read is empty.
      guard let value, !value.range.isEmpty else { return [] }
      if fixes.contains(where: { $0.contains(value.range) }) { return [.fixed] }
      if let members = value.object {
        return [.structure("{")]
          + members.flatMap { member in
            let isFixed = fixes.contains { $0.touches(member.keyRange) }
            return [isFixed ? .fixed : .leaf(member.key)] + tokens(of: member.value, fixes)
          } + [.structure("}")]
      }
      if let elements = value.array {
        return [.structure("[")] + elements.flatMap { tokens(of: $0, fixes) } + [.structure("]")]
      }
      let isFixed = fixes.contains { $0.touches(value.range) }
      return [isFixed ? .fixed : .leaf(JSONWriter.text(value, .compact))]
    }
  }
}

extension Range<Int> {
  /// Whether a fix of this range changes what is in `range`.
  fileprivate func touches(_ range: Range) -> Bool {
    isEmpty
      ? range.lowerBound < lowerBound && lowerBound < range.upperBound
      : overlaps(range)
  }
}
