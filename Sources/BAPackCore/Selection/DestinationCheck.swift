/// Looks at all selected files together: one file for each destination, none in another's way.
struct DestinationCheck {
  /// `NAME_MAX` of Apple's systems and Linux, in bytes of UTF-8.
  private static let longestName = 255

  private let selectors: [Selector]
  private var findings: [Finding] = []
  /// Clashes already told, by the two selectors involved: one finding stands for all others.
  private var told: Set<Pair> = []
  /// The last path found whose own name is too long: what lies below is not told again.
  private var lastLongName: RelativePath?

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  init(_ selectors: [Selector]) { self.selectors = selectors }

  /// Puts `files` in the order of an archive and keeps each destination once; returns what is
  /// wrong with the rest.
  consuming func run(_ files: inout [SelectedFile]) -> [Finding] {
    // The sort is stable: of files with one destination, the first selector's comes first.
    files.sort { $0.destination < $1.destination }
    var count = 0
    for index in files.indices {
      let file = files[index]
      if count > 0, file.destination.isInside(files[count - 1].destination) {
        let last = files[count - 1]
        if file.destination != last.destination || file.source != last.source {
          reportClash(last, file)
        }
        continue
      }
      checkLength(file)
      files[count] = file
      count += 1
    }
    files.removeSubrange(count...)
    return findings
  }

  private mutating func checkLength(_ file: SelectedFile) {
    checkNames(file)
    let stored = PackFormat.archivePath(of: file.destination).bytes.count
    guard stored > PackFormat.maximumPathLength else { return }
    findings.append(
      Finding(
        .pathTooLong, "the path of '\(file.destination)' is too long",
        at: selectors[file.selector].location,
        notes: [
          Note(
            "with 'Contents/' before it it has \(grouped(stored)) bytes; devices take "
              + "\(grouped(PackFormat.maximumPathLength))")
        ]))
  }

  private mutating func checkNames(_ file: SelectedFile) {
    let bytes = file.destination.bytes
    guard bytes.count > Self.longestName,
      let name = file.destination.components.first(where: { $0.count > Self.longestName })
    else { return }
    let path = RelativePath(unchecked: Array(bytes[..<name.endIndex]))
    guard path != lastLongName else { return }
    lastLongName = path
    findings.append(
      Finding(
        .pathTooLong, "the name '\(printable(name))' is too long",
        at: selectors[file.selector].location,
        notes: [
          Note(
            "it has \(grouped(name.count)) bytes; devices take \(Self.longestName) in each part of "
              + "a path")
        ]))
  }

  private mutating func reportClash(_ a: SelectedFile, _ b: SelectedFile) {
    let (first, second) = a.selector <= b.selector ? (a, b) : (b, a)
    let pair = Pair(first: first.selector, second: second.selector)
    guard told.insert(pair).inserted else { return }
    let message =
      a.destination == b.destination
      ? "'\(first.source)' and '\(second.source)' both go to '\(a.destination)'"
      : "'\(a.destination)' would be both a file, from '\(a.source)', and a folder, "
        + "for '\(b.source)'"
    let other =
      pair.first == pair.second
      ? [] : [Note("the other selector is here", at: selectors[first.selector].location)]
    findings.append(
      Finding(
        .destinationClash, message, at: selectors[second.selector].location,
        notes: other + [Note("take one of them out with 'fileExclusion' or give it another place")]
      ))
  }
}
