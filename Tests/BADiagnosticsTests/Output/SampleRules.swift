import BADiagnostics

/// Rules as a module above would declare them.
extension Rule {
  static let unknownKey = Rule(
    "unknown-key", .error, .text, "An unknown key", reason: "It is ignored.", remedy: "Remove it.")
  static let repeatedElement = Rule(
    "repeated-element", .warning, .text, "A repeated element", reason: "It has no effect.",
    remedy: "Remove it.")
  static let emptyPack = Rule(
    "empty-pack", .error, .text, "An empty pack", reason: "It has no files.", remedy: "Add one.")
  static let samples = textRules + [.unknownKey, .repeatedElement, .emptyPack]
}
