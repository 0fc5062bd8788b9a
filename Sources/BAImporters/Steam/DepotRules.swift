import BAPackCore

extension Rule.Area {
  package static let depot = Rule.Area("Steam build scripts")
}

extension Rule {
  package static let depotRules: [Rule] = [
    .depotSyntax, .depotEscapes, .depotConditional, .depotInclude, .depotKind, .depotKey,
    .depotValue, .depotPath, .depotLeftOut, .depotListed, .depotReading,
  ]

  package static let depotSyntax = Rule(
    "depot-syntax", .error, .depot, "The script is not KeyValues text")
  package static let depotEscapes = Rule(
    "depot-escapes", .warning, .depot, "The script is valid only with escapes")
  package static let depotConditional = Rule(
    "depot-conditional", .error, .depot, "The script contains a condition")
  package static let depotInclude = Rule(
    "depot-include", .error, .depot, "The script includes another file")
  package static let depotKind = Rule(
    "depot-kind", .error, .depot, "The script does not describe one depot")
  package static let depotKey = Rule("depot-key", .error, .depot, "A key that can't be converted")
  package static let depotValue = Rule(
    "depot-value", .error, .depot, "A value is missing, duplicate or of the wrong type")
  package static let depotPath = Rule(
    "depot-path", .error, .depot, "A path that a manifest can't express")
  package static let depotLeftOut = Rule(
    "depot-left-out", .warning, .depot, "A key has no equivalent and is ignored")
  package static let depotListed = Rule(
    "depot-listed", .warning, .depot, "Files are listed by name")
  package static let depotReading = Rule(
    "depot-reading", .warning, .depot, "Steam's documentation is ambiguous")
}
