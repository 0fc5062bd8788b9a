/// Elements with equal keys, in the order of the first of each.
struct Groups<Key: Hashable, Element> {
  private(set) var all: [(key: Key, elements: [Element])] = []
  private var known: [Key: Int] = [:]

  mutating func add(_ element: Element, _ key: Key) {
    if let index = known[key] {
      all[index].elements.append(element)
    } else {
      known[key] = all.count
      all.append((key, [element]))
    }
  }
}

/// A rule about single files. Those that break it for the same reason make one finding, at the
/// selector of the first.
struct FileRule {
  let rule: Rule
  /// Whether each selector has a finding.
  var isPerSelector = true
  /// Whether a file that a selector names exactly is meant to be in the pack.
  var allowsNamed = false
  /// Why a file breaks the rule; nil if it doesn't.
  let reason: (SelectedFile) -> String?
  let message: (_ reason: String, _ files: [SelectedFile]) -> String
  var notes: (_ reason: String, _ files: [SelectedFile]) -> [Note?] = { _, files in
    [Note(onOtherFiles: files.dropFirst().lazy.map { "'\($0.source)'" })]
  }

  private struct Key: Hashable {
    let reason: String
    let selector: Int?
  }

  /// The findings about `files`, without those that `scope` turns off.
  func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    var groups = Groups<Key, SelectedFile>()
    for file in files {
      guard let reason = reason(file), !allowsNamed || !manifest.names(file),
        !scope.isOff(rule, about: file.source)
      else { continue }
      groups.add(file, Key(reason: reason, selector: isPerSelector ? file.selector : nil))
    }
    return groups.all.map { key, files in
      Finding(
        rule, message(key.reason, files), at: manifest.selectors[files[0].selector].location,
        notes: notes(key.reason, files), file: files[0].source)
    }
  }
}

extension Manifest {
  /// Whether a selector is exactly the path of this file.
  fileprivate func names(_ file: SelectedFile) -> Bool {
    switch selectors[file.selector].kind {
    case .file, .fileMapping: true
    default: false
    }
  }
}

/// `'a' is`, or `'a' and 2 more files are`.
private func subject(_ files: [SelectedFile]) -> String {
  let first = "'\(files[0].source)'"
  return files.count == 1
    ? "\(first) is" : "\(first) and \(counted(files.count - 1, "more file")) are"
}

extension FileRule {
  /// Empty files, which are usually left by a failed tool or download.
  static var empty: FileRule {
    FileRule(rule: .emptyFile, reason: { $0.size == 0 ? "" : nil }) { "\(subject($1)) empty" }
  }

  /// Files that systems and tools leave behind, and that should not be shipped.
  static var stray: FileRule {
    FileRule(
      rule: .strayFile, allowsNamed: true,
      reason: { file in
        StrayFiles.part(of: file.source).map { "\($0.isFolder ? "below" : "named") '\($0.name)'" }
      },
      message: { place, files in
        let more = files.count - 1
        return "'\(files[0].source)'"
          + (more > 0 ? " and \(counted(more, "more file")) \(place)" : "")
          + " would be packaged; \(more > 0 ? "they are" : "it is") not part of a game"
      },
      notes: { _, files in
        var known: Set<RelativePath> = []
        let exclusions = files.compactMap { StrayFiles.part(of: $0.source)?.exclusion }
          .filter { known.insert($0).inserted }
        let rest = exclusions.count - 5
        return exclusions.prefix(5).map { Note("exclude it with { \"fileExclusion\": \"\($0)\" }") }
          + (rest > 0
            ? [Note("\(counted(rest, "more folder")) to exclude in the same way")] : [])
      })
  }

  /// Source files of assets, by extension. Import settings count only if the file that they belong
  /// to, one of `files`, is next to them, since other files may have the same extension.
  static func sourceArt(among files: [SelectedFile]) -> FileRule {
    let sources = Set(files.map(\.source))
    return FileRule(
      rule: .sourceArt, isPerSelector: false, allowsNamed: true,
      reason: { file in
        guard let type = file.source.fileType, sourceArtPrograms[type] != nil else { return nil }
        guard type == "meta" || type == "import" else { return type }
        let subject = RelativePath(unchecked: file.source.bytes.dropLast(type.utf8.count + 1))
        return sources.contains(subject) ? type : nil
      },
      message: { type, files in
        let size = files.size(\.size)
        return
          "\(counted(files.count, "file")) of type '.\(type)' (\(sourceArtPrograms[type] ?? "")),"
          + " \(byteCount(size)), would be packaged"
      },
      notes: { type, files in
        [
          Note("the first is '\(files[0].source)'"),
          Note("exclude them with { \"fileExclusion\": \"**/*.\(type)\" }"),
        ]
      })
  }

  /// The type and program of `path` if it is the source of an asset, in a folder with `names`.
  static func sourceArt(
    _ path: RelativePath, among names: Set<[UInt8]>
  ) -> (type: String, program: String)? {
    guard let type = path.fileType, let program = sourceArtPrograms[type] else { return nil }
    let subject = Array(path.name.dropLast(type.utf8.count + 1))
    let belongs = !["meta", "import"].contains(type) || names.contains(subject)
    return belongs ? (type, program) : nil
  }

  /// Files that the Git repository around the source root doesn't track.
  static func untracked(_ isUntracked: @escaping (SelectedFile) -> Bool) -> FileRule {
    FileRule(rule: .untrackedFile, reason: { isUntracked($0) ? "" : nil }) {
      "\(subject($1)) not tracked by Git"
    }
  }

  /// Files that Git has as executable, and that are not.
  static func lostExecuteBit(_ isLost: @escaping (SelectedFile) -> Bool) -> FileRule {
    FileRule(rule: .lostExecuteBit, reason: { isLost($0) ? "" : nil }) {
      "\(subject($1)) executable in Git, but not here"
    }
  }

  /// Any files, whose line endings Git converted.
  static var convertedLineEndings: FileRule {
    FileRule(
      rule: .convertedLineEndings, reason: { _ in "" },
      message: { _, files in
        let more = files.count - 1
        return "'\(files[0].source)'" + (more > 0 ? " and \(counted(more, "more file"))" : "")
          + (more > 0 ? " end" : " ends") + " lines with CRLF here, and with LF in Git"
      })
  }

  /// Files in the pack whose paths Windows refuses.
  static var windowsNames: FileRule {
    FileRule(
      rule: .windowsName, reason: { $0.destination.windowsProblem.map { _ in "" } },
      message: { _, files in
        let more = files.count - 1
        let problem = files[0].destination.windowsProblem ?? ""
        return "'\(files[0].destination)'"
          + (more > 0 ? " and \(counted(more, "more file"))" : "")
          + " can't be extracted on Windows"
          + (more > 0 ? "; in the first, " : ": ") + problem
      })
  }

  /// Any files, which have conflict markers.
  static var conflictMarkers: FileRule {
    FileRule(rule: .conflictMarkers, reason: { _ in "" }) { _, files in
      "'\(files[0].source)' has conflict markers"
    }
  }
}

/// The programs whose documents have these extensions.
private let sourceArtPrograms: [String: String] = [
  "psd": "Photoshop", "psb": "Photoshop", "xcf": "GIMP", "kra": "Krita", "ora": "OpenRaster",
  "ai": "Illustrator", "afdesign": "Affinity Designer", "afphoto": "Affinity Photo",
  "clip": "Clip Studio Paint", "pdn": "Paint.NET", "ase": "Aseprite", "aseprite": "Aseprite",
  "blend": "Blender", "blend1": "Blender", "ma": "Maya", "mb": "Maya", "max": "3ds Max",
  "c4d": "Cinema 4D", "ztl": "ZBrush", "zpr": "ZBrush", "spp": "Substance 3D Painter",
  "sbs": "Substance 3D Designer", "tps": "TexturePacker", "fla": "Animate", "spine": "Spine",
  "flp": "FL Studio", "als": "Ableton Live", "rpp": "REAPER", "aup3": "Audacity",
  "meta": "Unity's import settings", "import": "Godot's import settings",
  "uproject": "Unreal Engine", "pot": "gettext templates",
]

extension RelativePath {
  /// The extension in lowercase; nil without one of at most ten bytes.
  var fileType: String? {
    guard let dot = name.lastIndex(of: ASCII.dot), name.endIndex - dot <= 11 else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }
}

/// The maximum sizes of packs before compression.
package struct SizeBudgets: Sendable {
  /// Limits by the name of the download policy: for the sum of essential packs, for each other one.
  package var policies: [String: UInt64] = ["essential": 200_000_000]
  /// Limits by identifier, which take precedence over those of a single pack's policy.
  package var packs: [String: UInt64] = [:]

  /// The names of the policies, as in manifests.
  package static let policyNames = ["essential", "prefetch", "onDemand"]

  /// 200 MB for essential packs, no limit for others.
  package init() {}

  /// A finding if the files of a pack exceed its budget.
  func findings(_ manifest: Manifest, _ selection: Selection) -> [Finding] {
    let identifier = manifest.assetPackID
    let policy = manifest.downloadPolicy.name
    let own = packs[identifier.value]
    guard let limit = own ?? (policy == "essential" ? nil : policies[policy]),
      selection.size > limit
    else { return [] }
    let owner = own == nil ? "'\(policy)' packs" : "this pack"
    return [
      finding(
        "the files have \(byteCount(selection.size)); the budget of \(owner) is \(byteCount(limit))",
        at: identifier.location, largest: selection.files.map { ("\($0.source)", $0.size) })
    ]
  }

  /// A finding if the packs that a player's installation or update waits for exceed their budget.
  func findings(inPacks packs: [CheckedPack], _ players: Players) -> [Finding] {
    guard let limit = policies["essential"] else { return [] }
    let sizes = packs.map { $0.selection?.size ?? 0 }
    for event in InstallationEventType.allCases {
      func waits(for pack: Int) -> Bool {
        packs[pack].manifest.downloadPolicy.isEssential(at: event)
      }
      let (player, size) = players.largest { waits(for: $0) ? sizes[$0] : 0 }
      let waiting = player.packs.filter(waits)
      guard size > limit, let largest = waiting.max(by: { sizes[$0] < sizes[$1] }) else { continue }
      let names = waiting.map { printable(packs[$0].manifest.assetPackID.value.utf8) }
      let files = packs[largest].selection?.files.map { ("\($0.source)", $0.size) } ?? []
      return [
        finding(
          (waiting.count == 1
            ? "the files have \(byteCount(size))"
            : "\(event == .firstInstallation ? "installing" : "updating") the app waits for"
              + " \(waiting.count) packs with \(byteCount(size))"
              + (player.words("in").map { " " + $0 } ?? ""))
            + "; the budget of 'essential' packs is \(byteCount(limit))",
          at: packs[largest].manifest.assetPackID.location,
          largest: waiting.count == 1 ? files : Array(zip(names, waiting.map { sizes[$0] })),
          manifests: [largest])
      ]
    }
    return []
  }

  private func finding(
    _ message: String, at location: SourceLocation, largest: [(name: String, size: UInt64)],
    manifests: [Int] = []
  ) -> Finding {
    let shown = largest.sorted { $0.size > $1.size }.prefix(3)
      .map { "'\($0.name)' (\(byteCount($0.size)))" }
    return Finding(
      .sizeBudget, message, at: location,
      notes: [Note("the largest: " + shown.joined(separator: ", "))], manifests: manifests)
  }
}

extension Manifest {
  /// The selectors that map a whole folder to the top of the pack, which Apple's tool can't do.
  var foldersAsTop: [Finding] {
    selectors.compactMap { selector in
      guard let (key, path) = selector.kind.fields.last,
        ["directory", "directoryDestination"].contains(key),
        (try? RelativePath.selector(path)) == .root
      else { return nil }
      return Finding(
        .folderAsTop,
        "Apple's tool \(key == "directory" ? "fails" : "may fail") on '\(key)' "
          + "'\(printable(path.value.utf8))'", at: path.location,
        notes: [Note("name the files and folders at the top one by one")])
    }
  }
}
