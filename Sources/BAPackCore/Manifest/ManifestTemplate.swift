extension Manifest {
  /// The manifest that `ba-package template` writes, to be edited: all keys and selectors of 1.x
  /// and 2.0, with placeholders in brackets. It conforms to the schema.
  public static let template = filled(
    PackageResources.manifest_template_json,
    [
      "@EVENTS@": InstallationEventType.known.map { "\t\t\t\t\"\($0.rawValue)\"" }
        .joined(separator: ",\n"),
      "@PLATFORMS@": Platform.known.map {
        "\t\t\"\($0.rawValue)\"\($0 == Platform.known.last ? "" : ",") // \($0.devices)"
      }.joined(separator: "\n"),
    ])
}

/// The template's placeholders.
let templatePlaceholders = Set(
  Manifest.template.split(separator: "\"").filter { $0.hasPrefix("[") && $0.hasSuffix("]") })
