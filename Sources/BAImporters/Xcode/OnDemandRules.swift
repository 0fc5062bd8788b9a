import BAPackCore

extension Rule.Area {
  package static let onDemand = Rule.Area("On-Demand Resources")
}

extension Rule {
  package static let onDemandRules: [Rule] = [
    .xcodeProject, .onDemandTarget, .onDemandPath, .onDemandSettings, .onDemandCatalog,
    .onDemandCompiled, .onDemandOrder, .onDemandSeveralTags, .onDemandTag,
  ]

  package static let xcodeProject = Rule(
    "xcode-project", .error, .onDemand, "The file is not an Xcode project")
  package static let onDemandTarget = Rule(
    "odr-target", .error, .onDemand, "It is not clear which target to convert")
  package static let onDemandPath = Rule(
    "odr-path", .error, .onDemand, "The project names a file that can't be packaged")
  package static let onDemandSettings = Rule(
    "odr-settings", .warning, .onDemand, "A build setting of tags is not used as it is")
  package static let onDemandCatalog = Rule(
    "odr-catalogue", .warning, .onDemand, "A tagged asset is in an asset catalog")
  package static let onDemandCompiled = Rule(
    "odr-compiled", .warning, .onDemand, "Xcode compiles a tagged file")
  package static let onDemandOrder = Rule("odr-order", .warning, .onDemand, "Packs have no order")
  package static let onDemandSeveralTags = Rule(
    "odr-several-tags", .warning, .onDemand, "A file has several tags")
  package static let onDemandTag = Rule(
    "odr-tag", .warning, .onDemand, "A tag has no files, or its name is not an identifier")
}
