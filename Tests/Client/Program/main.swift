import BAPackCore
import Foundation

// A small `ba-package`: `template`, `validate` and `package`, on nothing but the public library.

/// Stops with a message.
func fail(_ message: String) -> Never {
  tell("error: \(message)\n")
  exit(1)
}

func tell(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

var words = Array(CommandLine.arguments.dropFirst())

/// The value of an option, which is taken from the words; nil if it isn't there.
@MainActor func option(_ name: String) -> String? {
  guard let index = words.firstIndex(of: name) else { return nil }
  guard index + 1 < words.count else { fail("'\(name)' needs a value") }
  defer { words.removeSubrange(index...index + 1) }
  return words[index + 1]
}

/// The options of the project file for `manifests`, and those of the command line.
@MainActor func options(_ manifests: [BytePath]) -> ManifestCheck.Options {
  var options = ManifestCheck.Options(Project.find(for: manifests))
  if let root = option("--root") { options.root = BytePath(root.utf8) }
  if let name = option("--hosting") {
    guard let hosting = Hosting(rawValue: name) else { fail("there is no hosting '\(name)'") }
    options.hosting = hosting
  }
  return options
}

@MainActor func validate() throws -> Bool {
  guard let format = FindingFormat(rawValue: option("--format") ?? "text") else {
    fail("there is no such format")
  }
  let name = option("--root")
  if let name { words += ["--root", name] }
  let paths = words.filter { !$0.hasPrefix("--") && $0 != name }.map { BytePath($0.utf8) }
  var options = options(paths)
  options.isThorough = true
  let check = try AppCheck(reading: paths, options)
  print(check.findings.rendered(as: format), terminator: "")
  if format == .text { print("\(check.checks.count) manifests: \(check.findings.summary)") }
  return !check.findings.hasErrors
}

@MainActor func package() throws -> Bool {
  let output = option("-o").map { BytePath($0.utf8) }
  let compression = option("--compression")
  let replaces = words.contains("-f")
  words.removeAll { $0 == "-f" }
  let paths = words.map { BytePath($0.utf8) }
  let project = Project.find(for: paths)
  guard let output = output ?? project.outputFolder else { fail("missing option '-o'") }
  let isFile = output.description.hasSuffix(".aar")
  var builder = try AssetPackBuilder(
    reading: paths, to: isFile ? .file(output) : .folder(output), options(paths))
  builder.replacesOutput = replaces
  if let compression {
    guard let compression = Compression(compression) else { fail("no such compression") }
    builder.compression = compression
  }
  tell(builder.check.findings.rendered(as: .text))
  let results = try builder.build()
  for result in results {
    switch result.state {
    case .made(let facts, _, _):
      print("\(result.output): \(result.files) files, \(facts.packedSize) bytes")
    case .failed(let error): tell("error: \(error)\n")
    case .invalid(let errors): tell("error: \(result.manifest): \(errors) errors\n")
    case .unchanged, .skipped, .cancelled: print("\(result.output): not made")
    }
  }
  return results.allSatisfy { if case .made = $0.state { true } else { false } }
}

do {
  let isDone: Bool
  switch words.isEmpty ? nil : words.removeFirst() {
  case "template":
    print(Manifest.template, terminator: "")
    isDone = true
  case "validate": isDone = try validate()
  case "package": isDone = try package()
  default: fail("write 'template', 'validate' or 'package'")
  }
  exit(isDone ? 0 : 1)
} catch let error as PackError where error.code == .outputExists {
  fail("\(error); use -f")
} catch {
  fail("\(error)")
}
