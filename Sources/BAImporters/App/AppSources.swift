import BAPackCore

extension Rule {
  package static let unknownPack = Rule(
    "unknown-pack", .error, .appInfo, "The app names a pack that there isn't", adjustment: .all,
    reason: """
      An app asks for a pack by the `assetPackID` of its manifest, letter for letter. With any other, \
      `AssetPackManager` throws an error when the app runs.
      """,
    remedy: "Correct the string, or give the manifest or pack that is missing.")

  package static let unknownPath = Rule(
    "unknown-path", .error, .appInfo, "The app names a path that no pack has", adjustment: .all,
    reason: """
      A device has the files of all packs in one folder, at the paths that `list` prints; case counts. \
      `url(for:)` returns a URL for any path, so that only reading it fails.
      """,
    remedy: "Correct the string, or select the file in a manifest.")
}

/// What the source of an app asks packs for, compared with its packs: the strings that it passes to
/// `AssetPackManager`, to Apple's plug-in for Unity, or to a GDScript class with either's names.
package struct AppSources {
  package private(set) var findings: [Finding] = []
  private var (files, strings, others, tooLarge) = (0, 0, 0, 0)
  private let identifiers: [String]
  private let paths: AppPaths
  private let folders: Set<RelativePath>
  private lazy var names = folders.union(paths.packs.joined()).sorted()
    .map { String(decoding: $0.bytes, as: UTF8.self) }

  /// Whether a call takes a pack's identifier, rather than a path.
  private static let calls = [
    "assetpackisavailablelocally": true, "assetpackisavailablelocallywithid": true,
    "contentsat": false, "descriptorfor": false, "downloadstatusupdatesasync": true,
    "ensurelocalavailability": true, "ensurelocalavailabilityof": true, "getassetpack": true,
    "getlocalassetpackstatusasync": true, "geturiforfile": false, "geturiforlocalizedfile": false,
    "openfile": false, "openfile1": true, "openlocalizedfile": false, "urlfor": false,
  ]

  /// Reads the sources in `folder` and its subfolders, except hidden ones. Links are not followed.
  package init(in folder: BytePath, _ packs: AppDownloads) throws {
    identifiers = packs.packs.map(\.manifest.assetPackID.value)
    paths = AppPaths(packs.packs.map(\.paths))
    folders = Set(paths.packs.joined().flatMap { sequence(first: $0, next: \.parent).dropFirst() })
    let tree = try SourceTree(folder)
    var left = [RelativePath.root]
    while let parent = left.popLast(), findings.count < [Finding].limit {
      let children = try tree.children(of: parent) { $0.first != ASCII.dot }.1
      left += children.reversed().filter { $0.status.kind == .directory }
        .map { parent.appending($0.name) }
      for child in children where child.status.kind == .file && findings.count < [Finding].limit {
        let path = folder.appending(parent.appending(child.name).bytes)
        let languages = SourceStrings.Language.allCases
        guard let language = languages.first(where: { path.hasExtension($0.rawValue) }) else {
          continue
        }
        files += 1
        if child.status.size > 4 << 20 {
          tooLarge += 1
        } else {
          check(SourceText(name: path.bytes, bytes: try path.contents(limit: 4 << 20)), language)
        }
      }
    }
  }

  package var summary: String {
    counted(files, "file") + ", "
      + counted(strings + others, "identifier or path", "identifiers and paths")
      + (others > 0 ? ", \(grouped(others)) of them known only when the app runs" : "")
      + (findings.count < [Finding].limit ? "" : "; the check ended here")
      + (tooLarge > 0 ? "; \(counted(tooLarge, "file")) larger than 4 MiB not read" : "")
  }

  private mutating func check(_ source: SourceText, _ language: SourceStrings.Language) {
    // Other code has functions of the same names, and an app its own around these.
    lazy var isUser = ["BackgroundAssets", "AssetPackManager"].contains {
      source.bytes.firstRange(of: $0.utf8) != nil
    }
    let found = SourceStrings(in: source, language).arguments
    for argument in found where findings.count < [Finding].limit {
      // An app may remove a pack of earlier versions.
      let call = argument.call
      let isClear = call.hasSuffix("assetpackwithid") && !call.hasPrefix("remove")
      guard let isPack = isClear ? true : Self.calls[call],
        isClear || call.hasPrefix("ensurelocal") || argument.isMember && isUser
      else { continue }
      strings += argument.isAlone ? 1 : 0
      others += argument.isAlone ? 0 : 1
      let value = source.bytes[argument.range]
      let text = String(decoding: value, as: UTF8.self)
      let path = RelativePath(value.last == ASCII.slash ? value.dropLast() : value)
      let isKnown =
        isPack
        ? identifiers.contains(text)
        : path.map { !paths[$0].isEmpty || folders.contains($0) } ?? false
      if !argument.isAlone || isKnown { continue }
      // With many paths, a search takes its time.
      let near = findings.count < 100 ? near(text, isPack) : nil
      let location = SourceLocation(source, argument.range)
      findings.report(
        isPack ? .unknownPack : .unknownPath,
        "no pack has \(isPack ? "the identifier " : "")'\(brief(value))'", at: location,
        notes: [near.map { Note("there is a '\(brief($0))'") }],
        fix: near.map { Fix(location, $0, isCertain: false) })
    }
  }

  /// What is most likely meant. A path may be in another case, or lack folders.
  private mutating func near(_ text: String, _ isPack: Bool) -> String? {
    if isPack { return nearest(to: text, among: identifiers) }
    let end = "/" + text.lowercased().split(separator: "/").joined(separator: "/")
    return names.first { ("/" + $0.lowercased()).hasSuffix(end) } ?? nearest(to: text, among: names)
  }
}
