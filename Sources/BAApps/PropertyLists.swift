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
  package static let depth = 128
}

extension [UInt8] {
  package var isBinaryPropertyList: Bool { starts(with: "bplist".utf8) }
}

extension Rule.Area {
  package static let propertyLists = Rule.Area("Property lists")
}

extension Rule {
  package static let propertyListRules: [Rule] = [.propertyListSyntax]

  package static let propertyListSyntax = Rule(
    "property-list-syntax", .error, .propertyLists, "The file is not a property list")
}
