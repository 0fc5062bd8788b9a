import BAPackCore
import CommandLine

extension SelectedFile {
  /// The file as a line of text: its path in the pack, and its source if that is different.
  var line: String {
    source == destination ? "\(destination)" : "\(destination) <- \(source)"
  }

  /// The file for `--format json`.
  var json: JSONValue {
    .object([
      "source": JSONName(source.bytes),
      "destination": JSONName(destination.bytes),
      "size": size,
      "mode": isExecutable ? "0755" : "0644",
    ])
  }
}
