import Foundation
import Testing

/// Paths of the program built with these tests, and of the package.
enum BuiltTool {
  /// The folder of the built program and of the test bundle.
  static let folder: URL = {
    #if os(macOS)
      // The test bundle is loaded by another program.
      var image = unsafe Dl_info()
      guard unsafe dladdr(#dsohandle, &image) != 0, let name = unsafe image.dli_fname else {
        return Bundle.main.bundleURL
      }
      var place = URL(filePath: unsafe String(cString: name))
      while place.pathExtension != "xctest", place.pathComponents.count > 1 {
        place.deleteLastPathComponent()
      }
      return place.deletingLastPathComponent()
    #else
      return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    #endif
  }()

  /// The program.
  static let executable = folder.appending(path: "ba-package")

  /// The top of the package's sources.
  static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The sample files that cases copy from.
  static let fixtures = sources.appending(path: "Fixtures")
}

/// A temporary folder, removed by `deinit`.
struct ScratchFolder: ~Copyable {
  let url: URL

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "ba-package-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The path that a shell in the folder sees; Foundation omits '/private' on macOS.
    guard let path = unsafe realpath(folder.path(percentEncoded: false), nil) else {
      throw CocoaError(.fileNoSuchFile)
    }
    defer { unsafe free(path) }
    url = URL(filePath: unsafe String(cString: path), directoryHint: .notDirectory)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// The output and exit status of a command.
struct Outcome: Equatable {
  var output: Data
  var errors: Data
  /// The exit status; 128 plus the signal's number if a signal ended it.
  var status: Int32
}

extension Data {
  /// The bytes as text.
  var text: String { String(decoding: self, as: UTF8.self) }
}

/// Whether a program that a test needs is in `PATH`.
func isInstalled(_ program: String) -> Bool {
  let outcome = try? runShell("command -v \(program)", in: BuiltTool.sources)
  return outcome?.status == 0
}

/// Why a test that needs a program is skipped.
func missing(_ program: String) -> Comment {
  "\(program) is not installed (make test-tools installs it)"
}

/// Runs `script` in `sh`, in `folder`, with an empty standard input and an environment of `PATH`,
/// with the built program first, `HOME`, `LC_ALL=C`, `TZ`, `FIXTURES`, `SOURCES`, and `TERMINAL`, a
/// python3 script that runs a command on a terminal.
func runShell(
  _ script: String, in folder: URL, environment: [String: String] = [:]
) throws -> Outcome {
  // Files rather than pipes: a pipe could fill up while the other is read.
  let id = UUID().uuidString
  let temporary = FileManager.default.temporaryDirectory
  let files = ["out", "err"].map { temporary.appending(path: "ba-package-test-\(id).\($0)") }
  defer { for file in files { try? FileManager.default.removeItem(at: file) } }
  for file in files { try Data().write(to: file) }
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", "umask 022\n" + script]
  process.currentDirectoryURL = folder
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = try FileHandle(forWritingTo: files[0])
  process.standardError = try FileHandle(forWritingTo: files[1])
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  process.environment = [
    "PATH": "\(BuiltTool.folder.path(percentEncoded: false)):\(path)",
    "HOME": folder.path(percentEncoded: false), "LC_ALL": "C", "TZ": "UTC",
    "FIXTURES": BuiltTool.fixtures.path(percentEncoded: false),
    "SOURCES": BuiltTool.sources.path(percentEncoded: false),
    "TERMINAL": BuiltTool.sources.appending(path: "Tests/BACommandLineTests/Support/terminal.py")
      .path(percentEncoded: false),
  ].merging(environment) { $1 }
  // A new process inherits the signal mask of its thread, and worker threads block most signals.
  // SAFETY: the calls read and write these two variables and nothing else.
  var none = sigset_t()
  var own = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, &own)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &own, nil) }
  try process.run()
  process.waitUntilExit()
  let status = process.terminationStatus
  return Outcome(
    output: try Data(contentsOf: files[0]), errors: try Data(contentsOf: files[1]),
    status: process.terminationReason == .uncaughtSignal ? 128 + status : status)
}
