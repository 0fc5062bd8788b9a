/// Finds paths that are two names here and one name on other volumes: Macs' volumes mostly take
/// upper and lower case for the same, and all of Apple's take different normalizations of one text
/// for the same.
///
/// Folders clash as files do. What lies in clashing folders is not reported again.
struct NameClashes {
  private var nodes: [(path: ArraySlice<UInt8>, selector: Int)] = []
  /// The node of a path by the hash of its folded bytes. ASCII paths, the common case, need no text.
  private var plain: [UInt64: Int] = [:]
  /// The node of any other path by its folded text: strings are equal when only their normalization
  /// differs.
  private var folded: [String: Int] = [:]
  private(set) var findings: [Finding] = []
  private let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// Takes the files in the order of an archive.
  mutating func check(_ files: [SelectedFile]) {
    var last: [UInt8] = []
    for file in files {
      let bytes = file.destination.bytes
      // Folders that the file before lies in too are known.
      let shared = zip(bytes, last).prefix { $0 == $1 }.count
      for (offset, byte) in bytes.enumerated() where byte == ASCII.slash && offset >= shared {
        add(bytes[..<offset], file.selector)
      }
      add(bytes[...], file.selector)
      last = bytes
    }
  }

  private mutating func add(_ path: ArraySlice<UInt8>, _ selector: Int) {
    let node = nodes.count
    nodes.append((path, selector))
    let earlier: Int?
    // Of a name beyond ASCII, too, the folded text may be plain: 'STRASSE' and 'straße' meet here.
    if let hash = asciiHash(path) ?? asciiHash(caseFolded(path).utf8) {
      earlier = plain[hash]
      if earlier == nil { plain[hash] = node }
    } else {
      let key = caseFolded(path)
      earlier = folded[key]
      if earlier == nil { folded[key] = node }
    }
    if let earlier { report(nodes[earlier], nodes[node]) }
  }

  private mutating func report(
    _ first: (path: ArraySlice<UInt8>, selector: Int),
    _ second: (path: ArraySlice<UInt8>, selector: Int)
  ) {
    // A folder may come again behind another whose name begins the same ('a', 'a-b', 'a').
    guard first.path != second.path, parent(first.path) == parent(second.path),
      caseFolded(first.path) == caseFolded(second.path)
    else { return }
    let isNormalization =
      String(decoding: first.path, as: UTF8.self) == String(decoding: second.path, as: UTF8.self)
    let (one, other) = (printable(first.path), printable(second.path))
    let location = manifest.selectors[second.selector].location
    let notes =
      first.selector == second.selector
      ? []
      : [
        Note(
          "this selector takes '\(one)'", at: manifest.selectors[first.selector].location)
      ]
    findings.append(
      isNormalization
        ? Finding(
          .normalizationClash,
          "'\(one)' (\(hexadecimal(name(first.path)))) and '\(other)'"
            + " (\(hexadecimal(name(second.path)))) differ in Unicode normalization only",
          at: location, notes: notes)
        : Finding(
          .caseClash, "'\(one)' and '\(other)' differ in case only", at: location, notes: notes))
  }

  private func parent(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: ASCII.slash) ?? path.startIndex)]
  }

  private func name(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: ASCII.slash).map { path[($0 + 1)...] } ?? path
  }

  /// FNV-1a of the bytes in lower case; nil for a path that is not all ASCII. Two paths of one hash
  /// are compared before anything is said of them.
  private func asciiHash(_ path: some Sequence<UInt8>) -> UInt64? {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path {
      guard byte < 0x80 else { return nil }
      hash = (hash ^ UInt64(ASCII.lowercased(byte))) &* 0x100_0000_01B3
    }
    return hash
  }
}
