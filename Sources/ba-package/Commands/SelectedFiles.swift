import BAPackCore
import CommandLine

extension SelectedFile {
  /// The file on a line: its path in the pack, and its source if that is different.
  var line: String {
    source == destination ? "\(destination)" : "\(destination) <- \(source)"
  }

  /// The file for `--format json`.
  var json: JSONValue {
    JSONValue(
      .object(
        JSONMember.named("source", source.bytes)
          + JSONMember.named("destination", destination.bytes) + [
            JSONMember("size", JSONValue(size)),
            JSONMember("mode", JSONValue(isExecutable ? "0755" : "0644")),
          ]))
  }
}
