/// Finds paths that are different here and the same on other volumes: most Mac volumes ignore case,
/// and all of Apple's file systems ignore Unicode normalization.
///
/// Folders clash as files do. Files in clashing folders are not reported again.
struct NameClashes {
  /// The selector that first took something to each name.
  private var names = NameTree<Int>()
  private(set) var findings: [Finding] = []
  private let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Checks the files, which are in archive order.
  mutating func check(_ files: [SelectedFile]) {
    var last: [UInt8] = []
    for file in files {
      let bytes = file.destination.bytes
      // Folders shared with the previous file are known.
      let shared = zip(bytes, last).prefix { $0 == $1 }.count
      for (offset, byte) in bytes.enumerated() where byte == ASCII.slash && offset >= shared {
        let folder = RelativePath(unchecked: Array(bytes[..<offset]))
        add(folder, isDirectory: true, file.selector)
      }
      add(file.destination, isDirectory: false, file.selector)
      last = bytes
    }
  }

  private mutating func add(_ path: RelativePath, isDirectory: Bool, _ selector: Int) {
    // Destinations were checked: no name is in the way of another.
    _ = names.add(path, isDirectory: isDirectory, selector)
    guard let clash = names.clash, let (other, _) = names.owner(of: clash.other) else { return }
    report((clash.other.bytes[...], other), (clash.path.bytes[...], selector))
  }

  private mutating func report(
    _ first: (path: ArraySlice<UInt8>, selector: Int),
    _ second: (path: ArraySlice<UInt8>, selector: Int)
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
          at: location, notes: notes)
        : Finding(
          .caseClash, "'\(one)' and '\(other)' differ only in case", at: location, notes: notes))
  }

  private func name(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: ASCII.slash).map { path[($0 + 1)...] } ?? path
  }
}
