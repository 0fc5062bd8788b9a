import Foundation

/// A session with the program, as a file that reads like a terminal:
///
/// ```
/// # A remark.
/// $ cp -R "$FIXTURES/Game/." .
/// $ ba-package validate Manifest.json
/// Manifest.json:3:1: error: …
/// [stderr]
/// 1 error
/// [exit 1]
/// $ cat > Other.json <<'END'
/// > { "assetPackID": "other" }
/// > END
/// $ ba-package help list | head -1
/// OVERVIEW: List the files of an asset pack.
/// ```
///
/// A case begins with `$`, continues on lines that begin with `>`, and is run by `sh` in the
/// session's folder, which is initially empty (see `runShell` for the environment; `FIXTURES` is
/// the folder of sample files, and the program is in `PATH`). It is followed by the standard
/// output, the standard error after `[stderr]` if there is any, and the exit status if it isn't 0.
///
/// The folder's path appears as `[folder]`, an escape as `\e`, a byte that isn't UTF-8 as `\xFF`.
/// Output that doesn't end with a line feed is marked `[no line feed]`; empty lines at the end are
/// omitted. Lines before the first `$`, empty lines before a `$` and lines there that begin with `#
/// ` are comments; a session whose first line is `# needs python3`, `# needs /dev/full` or `# needs names that are
/// not UTF-8` is skipped if that is missing.
///
/// `BA_PACKAGE_RECORD=1 swift test …` writes the actual output to the files; review the changes
/// before you commit them.
struct RecordedCase {
  /// Comments and empty lines above the command.
  var preamble: [String]
  /// The command, its lines without `$ ` and `> `.
  var script: [String]
  /// The lines after it, up to the next case.
  var expected: [String]

  /// Splits a file into cases.
  static func cases(in text: String) -> [RecordedCase] {
    var cases: [RecordedCase] = []
    var preamble: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("$ ") {
        cases.append(
          RecordedCase(preamble: preamble, script: [String(line.dropFirst(2))], expected: []))
        preamble = []
      } else if cases.isEmpty {
        preamble.append(line)
      } else if line == ">" || line.hasPrefix("> "), cases[cases.count - 1].expected.isEmpty {
        cases[cases.count - 1].script.append(String(line.dropFirst(2)))
      } else {
        cases[cases.count - 1].expected.append(line)
      }
    }
    // Comments belong to the case below them, but were added to the output of the one above.
    for index in cases.indices {
      let expected = cases[index].expected
      var end = expected.endIndex
      while end > 0, expected[end - 1].isEmpty || expected[end - 1].hasPrefix("# ") { end -= 1 }
      // Output may end in such lines, too; comments follow an empty line.
      guard let gap = expected[end...].firstIndex(of: "") else { continue }
      cases[index].expected = Array(expected[..<gap])
      if index + 1 < cases.count { cases[index + 1].preamble = Array(expected[gap...]) }
    }
    return cases
  }

  /// The lines of a file for this case with the outcome `lines`.
  func lines(with outcome: [String]) -> [String] {
    preamble + ["$ " + script[0]] + script.dropFirst().map { $0.isEmpty ? ">" : "> " + $0 }
      + outcome
  }
}

extension Outcome {
  /// The outcome in the format of recorded cases.
  func recorded(in folder: URL) -> [String] {
    var lines = Self.lines(output, in: folder)
    if !errors.isEmpty { lines += ["[stderr]"] + Self.lines(errors, in: folder) }
    if status != 0 { lines.append("[exit \(status)]") }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func lines(_ data: Data, in folder: URL) -> [String] {
    if data.isEmpty { return [] }
    var text = ""
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = data.makeIterator()
    var offset = data.startIndex
    loop: while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let encoded):
        text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
        offset += encoded.count
      case .error(let length):
        for byte in data[offset..<(offset + length)] { text += String(format: "\\x%02X", byte) }
        offset += length
      case .emptyInput: break loop
      }
    }
    text = text.replacingOccurrences(of: folder.path(percentEncoded: false), with: "[folder]")
    // By scalars: CR LF is one character, which is not equal to a line feed.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).replacingOccurrences(of: "\r", with: "\\r") }
    if lines.last == "" { lines.removeLast() } else { lines.append("[no line feed]") }
    return lines.map { $0.replacingOccurrences(of: "\u{1B}", with: "\\e") }
  }
}
