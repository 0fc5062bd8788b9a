import BADiagnostics

/// Rules as a module above declares them.
extension Rule {
  static let unknownKey = Rule("unknown-key", .error, .text, "An unknown key")
  static let repeatedElement = Rule("repeated-element", .warning, .text, "A repeated element")
  static let emptyPack = Rule("empty-pack", .error, .text, "An empty pack")
  static let samples = textRules + [.unknownKey, .repeatedElement, .emptyPack]
}
