/// Checks all selected files together: destinations must be unique, and none may be a folder of
/// another.
struct DestinationCheck {
  /// `NAME_MAX` on Apple's systems and Linux, in bytes of UTF-8.
  private static let maximumNameLength = 255

  private let selectors: [FileSelector]
  private var findings: [Finding] = []
  /// Reported clashes, by the two selectors involved: one finding per pair.
  private var reported: Set<Pair> = []
  /// The last path with a name that is too long, so files below it are not reported again.
  private var lastLongName: RelativePath?

  init(_ selectors: [FileSelector]) { self.selectors = selectors }

  /// Sorts `files` in archive order and removes duplicate destinations; returns findings about
  /// them.
  consuming func run(_ files: inout [SelectedFile]) -> [Finding] {
    // The sort is stable: of files with the same destination, the first selector's comes first.
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
    func report(_ message: String, _ note: String) {
      findings.report(
        .pathTooLong, message, at: selectors[file.selector].location, notes: [Note(note)])
    }
    let bytes = file.destination.bytes
    if bytes.count > Self.maximumNameLength,
      let name = file.destination.components.first(where: { $0.count > Self.maximumNameLength })
    {
      let path = RelativePath(unchecked: Array(bytes[..<name.endIndex]))
      if path != lastLongName {
        report(
          "the name '\(printable(name))' is too long",
          "it has \(grouped(name.count)) bytes; the maximum for a name is "
            + "\(Self.maximumNameLength)")
      }
      lastLongName = path
    }
    let length = PackFormat.archivePath(of: file.destination).bytes.count
    if length > PackFormat.maximumPathLength {
      report(
        "the path of '\(file.destination)' is too long",
        "with 'Contents/' it has \(grouped(length)) bytes; the maximum on devices is "
          + "\(grouped(PackFormat.maximumPathLength))")
    }
  }

  private mutating func reportClash(_ a: SelectedFile, _ b: SelectedFile) {
    let (first, second) = a.selector <= b.selector ? (a, b) : (b, a)
    let pair = Pair(first: first.selector, second: second.selector)
    guard reported.insert(pair).inserted else { return }
    let message =
      a.destination == b.destination
      ? "'\(first.source)' and '\(second.source)' both map to '\(a.destination)'"
      : "'\(a.destination)' would be both a file, from '\(a.source)', and a folder, "
        + "for '\(b.source)'"
    let other =
      pair.first == pair.second
      ? [] : [Note("the other selector is here", at: selectors[first.selector].location)]
    findings.report(
      .destinationClash, message, at: selectors[second.selector].location,
      notes: other + [Note("exclude one of them with 'fileExclusion', or change its destination")])
  }
}
