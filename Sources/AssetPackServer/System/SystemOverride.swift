import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The override on this machine.
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
        return run([defaults, "write"] + domain + ["-string", url]) == 0
          ? .done : .failed("'defaults' could not write the override")
      }
      // 'defaults' fails to delete a missing key, which is not an error here.
      if run([defaults, "read"] + domain) != 0 { return .done }
      return run([defaults, "delete"] + domain) == 0
        ? .done : .failed("'defaults' could not delete the override")
    #else
      return .elsewhere
    #endif
  }

  #if os(macOS)
    /// Runs a program without output; returns its status, or -1. Corresponds to `posix_spawn(2)`.
    private static func run(_ words: [String]) -> CInt {
      var actions: posix_spawn_file_actions_t?
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
      var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
      defer { unsafe arguments.forEach { unsafe free($0) } }
      let home = ProcessContext.environment("HOME").map { String(decoding: $0, as: UTF8.self) }
      var environment = unsafe home.map { unsafe [strdup("HOME=" + $0), nil] } ?? [nil]
      defer { unsafe environment.forEach { unsafe free($0) } }
      var process = pid_t()
      guard
        unsafe posix_spawn(&process, words[0], &actions, nil, &arguments, &environment) == 0
      else { return -1 }
      var status: CInt = 0
      while unsafe waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { return -1 }
      }
      return status == 0 ? 0 : 1
    }
  #endif
}
