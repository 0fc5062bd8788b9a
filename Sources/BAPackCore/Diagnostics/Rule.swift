/// A rule that manifests and packs are held against. Its raw value is its stable id.
public enum Rule: String, Sendable, CaseIterable {
  /// The manifest is not JSON5.
  case syntax
  /// The manifest is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// The manifest is larger or deeper than is read.
  case manifestTooLarge = "manifest-too-large"
  /// A key stands twice in an object.
  case duplicateKey = "duplicate-key"

  /// A Steam build script is not KeyValues text.
  case depotSyntax = "depot-syntax"
  /// A Steam build script reads only with escapes.
  case depotEscapes = "depot-escapes"
  /// A Steam build script holds a condition such as `[$WIN32]`.
  case depotConditional = "depot-conditional"
  /// A Steam build script includes another file.
  case depotInclude = "depot-include"

  /// The severity of a finding of this rule, unless a command changes it.
  public var severity: Severity {
    switch self {
    case .depotEscapes: .warning
    default: .error
    }
  }
}
