/// A name in manifests that later versions add to. Names from outside that this version doesn't
/// know are kept and shown, and never taken for another.
package protocol OpenName: RawRepresentable, Hashable, Sendable where RawValue == String {
  init(rawValue: String)
  /// The names that this version knows, in their usual order.
  static var known: [Self] { get }
  /// `a platform`.
  static var kindName: String { get }
}

extension OpenName {
  package var isKnown: Bool { Self.known.contains(self) }

  /// The name, escaped for display.
  package var shown: String { printable(rawValue.utf8) }

  /// The known names as Markdown: `a`, `b` and `c`, in backticks.
  package static var list: String { listed(known.map { "`\($0.rawValue)`" }, "and") }

  /// The most names in one list that this version doesn't know.
  static var maximumUnknown: Int { 32 }
  static var maximum: Int { maximumUnknown + known.count }
}

extension Sequence where Element: OpenName {
  /// `iOS, macOS`, escaped for display.
  package var shown: String { map(\.shown).joined(separator: ", ") }

  package var rawValues: [String] { map(\.rawValue) }

  /// The known ones in their usual order, then others by name.
  package var inOrder: [Element] {
    func rank(_ name: Element) -> Int { Element.known.firstIndex(of: name) ?? Element.known.count }
    return sorted { (rank($0), $0.rawValue) < (rank($1), $1.rawValue) }
  }
}
