/// What systems and tools leave behind in folders, and nobody means to ship.
enum StrayFiles {
  /// The part of `path` that makes it stray: a file's own name or a folder's above it; nil for
  /// others.
  static func strayPart(of path: RelativePath) -> ArraySlice<UInt8>? {
    path.components.first { component in
      guard let first = component.first else { return false }
      switch first {
      case UInt8(ascii: "."):
        return hiddenNames.contains { component.elementsEqual($0.utf8) }
          || component.starts(with: "._".utf8)
      case UInt8(ascii: "T"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "_"):
        return plainNames.contains { component.elementsEqual($0.utf8) }
      default:
        return false
      }
    }
  }

  private static let hiddenNames: [String] = [
    ".DS_Store", ".git", ".svn", ".hg", ".Spotlight-V100", ".Trashes", ".fseventsd",
    ".AppleDouble", ".TemporaryItems",
  ]
  private static let plainNames: [String] = [
    "Thumbs.db", "desktop.ini", "ehthumbs.db", "__MACOSX",
  ]

  /// A finding for each selector and name, with the first place where it was met.
  static func findings(_ files: [SelectedFile], _ manifest: Manifest) -> [Finding] {
    var groups: [(selector: Int, name: ArraySlice<UInt8>, first: RelativePath, count: Int)] = []
    for file in files {
      guard let name = strayPart(of: file.source), !isNamed(file, manifest) else { continue }
      if let group = groups.firstIndex(where: { $0.selector == file.selector && $0.name == name }) {
        groups[group].count += 1
      } else {
        groups.append((file.selector, name, file.source, 1))
      }
    }
    return groups.map { group in
      let more = group.count > 1 ? " and \(counted(group.count - 1, "more file")) by this name" : ""
      return Finding(
        .strayFile, "'\(group.first)'\(more) would be packed; no game needs it",
        at: manifest.selectors[group.selector].location,
        notes: [Note("leave it out with { \"fileExclusion\": \"**/\(printable(group.name))\" }")])
    }
  }

  /// Whether a selector takes just this file, which is then meant.
  private static func isNamed(_ file: SelectedFile, _ manifest: Manifest) -> Bool {
    switch manifest.selectors[file.selector].kind {
    case .file, .fileMapping: true
    default: false
    }
  }
}
