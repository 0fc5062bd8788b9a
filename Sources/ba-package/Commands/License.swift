import BACommandLine
import BAPackCore

/// `license`: accepted because scripts for Apple's tool on Linux call it first, and stop if it
/// fails.
struct License: Command {
  static let action = Argument(
    "action", .choice(["read", "agree"]), help: "Accepted, and has no effect.")
  static let row = CommandRow(
    name: "license", overview: "Print that no license agreement is needed.",
    arguments: [action], exitStatus: ["0": "Done."], isHidden: true,
    command: { _ in License() })

  func run(_ console: Console) throws -> ExitCode {
    try console.write(
      "There is no license agreement to read or agree to: this is not Apple's tool.\n")
    return .success
  }
}
