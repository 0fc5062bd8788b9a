import BAApps
import BACommandLine
import BAImporters
import BAPackCore

/// `convert` of an Xcode project: makes a manifest for each tag of its on-demand resources.
struct ConvertProject: Command {
  let typed: TypedArguments

  /// Whether `path` is that of an Xcode project: its folder, or the file inside it.
  static func isProject(_ path: BytePath) -> Bool {
    path.withoutSlashes.hasExtension("xcodeproj") || path.hasExtension("pbxproj")
      || path.hasExtension("xcproj")
  }

  func run(_ console: Console) throws -> ExitCode {
    let path = typed.path(Convert.source).withoutSlashes
    let isFile = path.hasExtension("pbxproj")
    let file = isFile ? path : path.appending("project.pbxproj".utf8)
    let bundle = isFile ? path.folder : path
    // A project file that was copied out of its bundle is next to the source files.
    let folder = isFile && !bundle.hasExtension("xcodeproj") ? bundle : bundle.folder
    let newForm = path.hasExtension("xcproj") ? path : bundle.appending("project.xcproj".utf8)
    if !isFile, try FileStatus.ifPresent(newForm) != nil {
      throw PackagingError(
        "'\(newForm)' is a project in the form of Xcode 27.2, which can't be read; in Xcode's File "
          + "inspector, choose an older form in the menu Project Format, and convert that")
    }
    for option in Convert.depotOptions where typed.has(option) {
      throw UsageError("'--\(option.long)' can't be used with an Xcode project")
    }
    guard let directory = try typed.outputTarget(Convert.output, "json", of: "a manifest").folder
    else {
      throw UsageError(
        "an Xcode project has a manifest for each tag; name a folder for them with '-o'")
    }
    let target = try typed.text(Convert.target)
    let bytes = try file.contents(limit: PropertyListLimits.size)
    let conversion = OnDemandConversion(
      of: SourceText(name: file.bytes, bytes: bytes), in: folder, target: target,
      platforms: Convert.platforms(typed)
    ) {
      try $0.relative(toFolderToBeMade: directory)
    }
    console.tell(conversion.findings, try typed.choice(Checking.color))
    guard !conversion.packs.isEmpty else {
      let isAmbiguous =
        target == nil && conversion.findings.contains { $0.rule == .onDemandTarget }
      console.tell(
        "error: no manifest was written: \(conversion.findings.summary)"
          + (isAmbiguous ? "; --\(Convert.target.long) names the target" : ""))
      return .failure
    }
    try writeManifests(
      conversion.packs.map { pack in
        (pack.identifier, pack.manifest, "\(counted(pack.selectors, "selector")), \(pack.policy)")
      }, into: directory, replacing: typed.has(Convert.force), withInputs: [file],
      typed.isQuiet ? nil : console)
    return .success
  }
}

extension BytePath {
  /// The path without trailing slashes, which completion adds to a folder.
  fileprivate var withoutSlashes: BytePath {
    let end = (bytes.lastIndex { $0 != UInt8(ascii: "/") } ?? 0) + 1
    return bytes.isEmpty ? self : BytePath(bytes[..<end])
  }
}
