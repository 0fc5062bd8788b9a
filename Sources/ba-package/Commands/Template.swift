import BAPackCore
import CommandLine

/// `template`: prints a manifest to fill in, or the schema of manifests.
struct Template: Command {
  static let output = Option(
    "output-path", "o", .file(["json"]),
    help: "The file to write; its name must end in .json. Default: standard output.")
  static let force = Option("force", "f", help: "Replace an existing file at the output path.")
  static let schema = Option(
    "schema", help: "Write the JSON Schema of manifests instead, for editors.")
  static let row = CommandRow(
    name: "template", overview: "Write a manifest to fill in.",
    discussion: [
      """
      The template shows every key and every selector of a manifest, with comments. Replace the text \
      in brackets, and uncomment the keys you need; the comments are allowed in manifests.
      """
    ],
    options: [output, force, schema],
    examples: [
      Example("ba-package template -o Packs/Castle.json", "Start a new manifest."),
      Example(
        "ba-package template --schema -o asset-pack.schema.json",
        "Let an editor check manifests that contain \"$schema\": \"asset-pack.schema.json\"."),
    ],
    exitStatus: [
      ExitStatus("0", "Success."), ExitStatus("1", "The file could not be written."),
    ],
    command: { typed throws(UsageError) in try Template(typed) })

  let text: String
  /// Nil for the standard output.
  let output: BytePath?
  let replacesOutput: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    text = typed.has(Self.schema) ? Manifest.schema : Manifest.template
    output = typed.path(Self.output)
    if let output, !output.hasExtension("json") {
      throw .invalid(
        output.bytes, for: Self.output, reason: "the name of a manifest must end in .json")
    }
    replacesOutput = typed.has(Self.force)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    if let output {
      try write(Array(text.utf8), to: output, replacing: replacesOutput)
    } else {
      try console.write(text)
    }
    return .success
  }
}
