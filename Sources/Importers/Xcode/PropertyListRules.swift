import BAPackCore

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
