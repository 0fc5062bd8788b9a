import BAPackCore

extension AppReport {
  /// The report as Markdown, for a comment on a pull request or a step summary. Long lists are
  /// truncated.
  package var markdown: String {
    (["# \(Markdown.plain(title))\n\n\(summary)\n"]
      + (alerts + sections(PageFacts(self))).map(\.markdown)).joined(separator: "\n")
  }

  /// The same for a terminal.
  package func text(width: Int) -> String {
    (["\(title)\n\n\(summary.filter { !"*`\\".contains($0) })\n"]
      + (alerts + sections(PageFacts(self))).map { $0.text(width: width) }).joined(separator: "\n")
  }

  private var summary: String {
    "\(counted(packs.count, "pack")), \(counted(fileCount, "file"))"
      + (isOfOnePlayer ? ", " : "; one player has " + upTo)
      + "\(byteCount(size)), to download **\(byteCount(downloadSize))**"
      + (percentage(downloadSize, of: size).map { " (\($0))" } ?? "")
      + (largestDownload.player.words { Markdown.code($0) }.map { ", \($0)" } ?? "") + "."
      + (measured.map { " Packs are measured with \(Markdown.plain($0))." } ?? "")
  }

  /// The words before the largest size of one player.
  var upTo: String { players.all.count > 1 ? "up to " : "" }

  /// The times to download `size` bytes, such as `12 s at 10 Mbit/s, 2 s at 50 Mbit/s`, up to the
  /// first rate for which it is less than a second.
  func times(_ size: UInt64) -> String {
    let fast = rates.firstIndex { duration(size, $0) == underOneSecond } ?? rates.endIndex
    return rates.prefix(fast + 1).map { "\(duration(size, $0)) at \(grouped($0)) Mbit/s" }
      .joined(separator: ", ")
  }
}

extension PackDifference {
  /// The numbers of files that changed, or `manifest`.
  var changedText: String {
    let counts = [Kind.added, .removed, .renamed, .changed].compactMap { kind -> String? in
      let count = changes.count { $0.kind == kind }
      return count == 0 ? nil : "\(grouped(count)) \(kind.rawValue)"
    }
    return counts.isEmpty && kind == .changed ? "manifest" : counts.joined(separator: ", ")
  }
}

let underOneSecond = "<1 s"

/// The time to download `size` bytes at `rate` Mbit/s: `12 s`, `3 min 20 s`.
func duration(_ size: UInt64, _ rate: Int) -> String {
  let seconds = Int(min(Double(size) * 8 / (Double(rate) * 1_000_000), 1e15).rounded())
  if seconds < 1 { return underOneSecond }
  if seconds < 60 { return "\(seconds) s" }
  if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
  return "\(grouped(seconds / 3600)) h \(seconds % 3600 / 60) min"
}
