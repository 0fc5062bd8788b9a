import BAPackCore

package enum SystemOverride {
  package enum Outcome: Sendable {
    case done
    /// It is unchanged, for the reason in a sentence.
    case failed(String)
    /// This system doesn't download asset packs.
    case elsewhere
  }

  /// Sets the override to `url`, or clears it. Corresponds to `defaults(1)`: the system reads a
  /// plain string with this key.
  package static func set(_ url: String?) -> Outcome {
    #if os(macOS)
      let domain = ["com.apple.backgroundassets.managed", "MBAURLOverride"]
      let defaults = "/usr/bin/defaults"
      if let url {
        return run([defaults, "write"] + domain + ["-string", url])
          ? .done : .failed("'defaults' could not write the override")
      }
      // 'defaults' fails to delete a missing key, which is not an error here.
      if !run([defaults, "read"] + domain) { return .done }
      return run([defaults, "delete"] + domain)
        ? .done : .failed("'defaults' could not delete the override")
    #else
      return .elsewhere
    #endif
  }

  #if os(macOS)
    private static func run(_ words: [String]) -> Bool {
      let home = ProcessContext.environment("HOME").map { ["HOME=".utf8 + $0] } ?? []
      let output = try? ChildProcess.output(
        of: words.map { Array($0.utf8) }, home, within: .seconds(30), limit: 1 << 16)
      return output != nil
    }
  #endif
}
