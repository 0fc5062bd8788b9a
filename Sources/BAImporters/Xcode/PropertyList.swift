import BAPackCore

extension JSONValue {
  /// The type as property lists call it. A date and data, which no key used here has, are null.
  var listKind: String {
    switch content {
    case .null: "a date or data"
    case .array: "an array"
    case .object: "a dictionary"
    default: kindName
    }
  }
}

package enum PropertyListLimits {
  /// The maximum size in bytes. Projects of large apps have about 20 MB.
  package static let size = 1 << 28
  /// The maximum depth of nested arrays and dictionaries.
  static let depth = 128
}

/// A property list, and the text that its findings refer to.
struct PropertyList {
  let source: SourceText
  let root: JSONValue

  /// Parses an XML or binary property list. Findings about a binary one have no line. An
  /// `Info.plist` must be a dictionary.
  init(_ source: SourceText, isInfo: Bool = false) throws(Finding) {
    let isBinary = BinaryPropertyListReader.isBinary(source.bytes)
    self.source = isBinary ? SourceText(name: source.name, bytes: []) : source
    do throws(Finding) {
      root =
        try isBinary ? BinaryPropertyListReader.read(source) : XMLPropertyListReader.read(source)
    } catch {
      throw Finding(
        error.rule, error.message, at: error.location ?? SourceLocation(self.source, 0..<0))
    }
    if isInfo, root.object == nil {
      throw Finding(
        .propertyListSyntax, "an Info.plist is a dictionary, not \(root.listKind)",
        at: SourceLocation(self.source, root.range))
    }
  }
}

extension Rule.Area {
  package static let propertyLists = Rule.Area("Property lists")
}

extension Rule {
  package static let propertyListRules: [Rule] = [.propertyListSyntax]

  package static let propertyListSyntax = Rule(
    "property-list-syntax", .error, .propertyLists, "The file is not a property list",
    reason: """
      An `Info.plist` is XML or binary, and a `project.pbxproj` is a property list in the older format with \
      braces. Files that this program can't read completely are not used at all.
      """,
    remedy: """
      Fix the text at the caret. `plutil -lint` checks a property list on a Mac. A conflict marker of \
      Git (`<<<<<<<`) is the usual cause in projects.
      """,
    example: """
      <key>BAHasManagedAssetPacks</key>
      <tru/>
      """)
}
