import BAPackCore

/// Sets the URL override of this Mac, or clears it; false on other systems, which don't download
/// asset packs. Corresponds to `defaults(1)`: the system reads a plain string with this key.
package func setSystemOverride(_ url: String?) throws -> Bool {
  #if os(macOS)
    let home = ProcessContext.environment("HOME").map { ["HOME=".utf8 + $0] } ?? []
    func run(_ verb: String, _ value: [String] = []) -> Bool {
      let words = [
        "/usr/bin/defaults", verb, "com.apple.backgroundassets.managed", "MBAURLOverride",
      ]
      let output = try? ChildProcess.output(
        of: (words + value).map { Array($0.utf8) }, home, within: .seconds(30), limit: 1 << 16)
      return output != nil
    }
    if let url {
      guard run("write", ["-string", url]) else {
        throw PackagingError("'defaults' could not write the override")
      }
      // 'defaults' fails to delete a missing key, which is not an error here.
    } else if run("read"), !run("delete") {
      throw PackagingError("'defaults' could not delete the override")
    }
    return true
  #else
    return false
  #endif
}
