extension Rule {
  package static let caseClash = Rule(
    "case-clash", .warning, .store, "Two paths differ only in case",
    reason: """
      On most Mac volumes the two are the same name, so one file replaces the other, while devices \
      keep both. The app would work in one place and fail in the other.
      """,
    remedy: "Rename one of the two.")

  package static let normalizationClash = Rule(
    "normalization-clash", .warning, .store, "Two paths differ only in Unicode normalization",
    reason: """
      One name has an accented letter as one code point, the other as two. On Apple's file systems \
      they are the same name, so one file replaces the other.
      """,
    remedy: "Rename one of the two. They look the same: `ls | hexdump -C` shows the difference.")
}

/// Finds paths that are different here but the same on other volumes: most Mac volumes ignore case,
/// and all of Apple's file systems ignore Unicode normalization.
///
/// Folders clash like files. Files in clashing folders are not reported again.
struct NameClashes {
  /// The first selector for each name.
  private var names = NameTree<Int>()
  private(set) var findings: [Finding] = []
  private let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Checks the files, which are in archive order.
  mutating func check(_ files: [SelectedFile]) {
    if Self.areDistinct(files) { return }
    var last: [UInt8] = []
    for file in files {
      let bytes = file.destination.bytes
      // Folders shared with the previous file have been added.
      let shared = zip(bytes, last).prefix { $0 == $1 }.count
      for (offset, byte) in bytes.enumerated() where byte == ASCII.slash && offset >= shared {
        let folder = RelativePath(unchecked: Array(bytes[..<offset]))
        add(folder, isDirectory: true, file)
      }
      add(file.destination, isDirectory: false, file)
      last = bytes
    }
  }

  /// Whether it is certain that no names clash: all are ASCII, and no two paths have the same hash
  /// when case is ignored. That takes a fraction of the time and memory of comparing names.
  private static func areDistinct(_ files: [SelectedFile]) -> Bool {
    var hashes = Set<UInt64>(minimumCapacity: files.count)
    var last: [UInt8] = []
    for file in files {
      let bytes = file.destination.bytes
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      var isShared = true
      for (index, byte) in bytes.enumerated() {
        guard byte < 0x80 else { return false }
        isShared = isShared && index < last.count && last[index] == byte
        // A folder, unless the previous path had it.
        if byte == ASCII.slash, !isShared, !hashes.insert(hash).inserted { return false }
        // FNV-1a of the letters in lowercase.
        let isUppercase = byte &- UInt8(ascii: "A") < 26
        hash = (hash ^ UInt64(isUppercase ? byte | 0x20 : byte)) &* 0x100_0000_01B3
      }
      guard hashes.insert(hash).inserted else { return false }
      last = bytes
    }
    return true
  }

  private mutating func add(_ path: RelativePath, isDirectory: Bool, _ file: SelectedFile) {
    // Destinations were checked: no file is in the place of a folder.
    _ = names.add(path, isDirectory: isDirectory, file.selector)
    guard let clash = names.clash, let (other, _) = names.owner(of: clash.other) else { return }
    report((clash.other.bytes[...], other), (clash.path.bytes[...], file.selector), in: file.source)
  }

  private mutating func report(
    _ first: (path: ArraySlice<UInt8>, selector: Int),
    _ second: (path: ArraySlice<UInt8>, selector: Int), in file: RelativePath
  ) {
    let isNormalization =
      String(decoding: first.path, as: UTF8.self) == String(decoding: second.path, as: UTF8.self)
    let (one, other) = (printable(first.path), printable(second.path))
    let location = manifest.selectors[second.selector].location
    let notes =
      first.selector == second.selector
      ? []
      : [
        Note(
          "this selector matches '\(one)'", at: manifest.selectors[first.selector].location)
      ]
    findings.append(
      isNormalization
        ? Finding(
          .normalizationClash,
          "'\(one)' (\(hexadecimal(name(first.path)))) and '\(other)'"
            + " (\(hexadecimal(name(second.path)))) differ only in Unicode normalization",
          at: location, notes: notes, file: file)
        : Finding(
          .caseClash, "'\(one)' and '\(other)' differ only in case", at: location, notes: notes,
          file: file))
  }

  private func name(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: ASCII.slash).map { path[($0 + 1)...] } ?? path
  }
}
