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
    "xcode-project", .error, .onDemand, "The file is not an Xcode project",
    reason: """
      The conversion reads `project.pbxproj`, with the objects that Xcode writes into it: groups, \
      files, build files with `ASSET_TAGS`, targets and their build settings.
      """,
    remedy: "Give the `.xcodeproj` folder of the app. For a workspace, give the project in it.")

  package static let onDemandTarget = Rule(
    "odr-target", .error, .onDemand, "It is not clear which target to convert",
    reason: "Tags belong to the files of a target. Manifests are made for one target at a time.",
    remedy: "Give the name of the app's target.")

  package static let onDemandPath = Rule(
    "odr-path", .error, .onDemand, "The project names a file that can't be packaged",
    reason: """
      A tagged file must exist, and have a path that a manifest can express: UTF-8, on the same \
      volume tree as the project, and not part of a build product or SDK.
      """,
    remedy: "Restore the file, or remove it from the target in Xcode.")

  package static let onDemandSettings = Rule(
    "odr-settings", .warning, .onDemand, "A build setting of tags is not used as it is",
    reason: """
      `ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS` and `ON_DEMAND_RESOURCES_PREFETCH_ORDER` of the \
      target's default configuration, and of the `.xcconfig` files that it is based on, decide the \
      download policies. Other configurations, conditions such as `[sdk=iphoneos*]` and references to \
      other settings are not followed.
      """,
    remedy: "Check the `downloadPolicy` in each manifest.")

  package static let onDemandCatalog = Rule(
    "odr-catalogue", .warning, .onDemand, "A tagged asset is in an asset catalog",
    reason: """
      Xcode compiles a catalog for each device; a pack holds files, which the app reads by their \
      paths. Pictures, textures and other assets of a catalog are left out of the manifests. The \
      files of data sets are selected, but under the path of the file instead of the asset's name.
      """,
    remedy: """
      Move pictures out of the catalog into a folder, select that, and load them by path; remove \
      the tags from the catalog.
      """)

  package static let onDemandCompiled = Rule(
    "odr-compiled", .warning, .onDemand, "Xcode compiles a tagged file",
    reason: """
      Packs are not built by Xcode. A model, scene, storyboard or texture atlas would be packaged as \
      its source, which the app can't load, so that it is left out of the manifests.
      """,
    remedy: """
      Compile the file in a build step and select the result: `coremlc` for models, `scntool` for \
      scenes, `TextureAtlas` for atlases, `metal` for shaders. Storyboards and nib files stay in the \
      app.
      """)

  package static let onDemandOrder = Rule(
    "odr-order", .warning, .onDemand, "Packs have no order",
    reason: """
      Prefetched tags are downloaded in the order of `ON_DEMAND_RESOURCES_PREFETCH_ORDER`. The order \
      of packs is not specified.
      """,
    remedy: "Make the first pack `essential`, or the last one `onDemand`, if the order matters.")

  package static let onDemandSeveralTags = Rule(
    "odr-several-tags", .warning, .onDemand, "A file has several tags",
    reason: """
      The file becomes part of the pack of each of its tags. Devices merge packs into one folder, so \
      that it is read from any of them, but it is downloaded with each.
      """,
    remedy: "Make a pack of its own for files that several parts of the app need.")

  package static let onDemandTag = Rule(
    "odr-tag", .warning, .onDemand, "A tag has no files, or its name is not an identifier",
    reason: """
      A pack must have files. Identifiers of packs are ASCII letters, digits and hyphens in App Store \
      Connect; other characters of a tag become hyphens.
      """,
    remedy: "Remove tags that are not used, and ask for the pack by the new identifier.")
}
