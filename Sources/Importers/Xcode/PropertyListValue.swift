import BAPackCore

/// A value in a property list, with its range in the text, including a string's quotes or tags.
struct PropertyListValue {
  let content: Content
  let range: Range<Int>

  enum Content {
    case string(String)
    /// A number as written: decimal digits, optionally with a sign, a fraction and an exponent.
    case number(String)
    case boolean(Bool)
    /// A date or data, which no key used here has.
    case other(String)
    case array([PropertyListValue])
    case dictionary([Member])
  }

  struct Member {
    let key: String
    let keyRange: Range<Int>
    let value: PropertyListValue
  }

  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  var array: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members of a dictionary in the order written; nil for other types.
  var dictionary: [Member]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  var flag: Bool? {
    if case .boolean(let flag) = content { flag } else { nil }
  }

  /// A non-negative integer; nil for other types.
  var size: UInt64? {
    if case .number(let text) = content { UInt64(text) } else { nil }
  }

  /// The value of the first member with `key`; nil if there is none, and for other types.
  subscript(key: String) -> PropertyListValue? {
    dictionary?.first { $0.key == key }?.value
  }

  /// The type, for messages: `a string`, `a dictionary`.
  var kindName: String {
    switch content {
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .other(let kind): kind
    case .array: "an array"
    case .dictionary: "a dictionary"
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
  let root: PropertyListValue

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
    if isInfo, root.dictionary == nil {
      throw Finding(
        .propertyListSyntax, "an Info.plist is a dictionary, not \(root.kindName)",
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
