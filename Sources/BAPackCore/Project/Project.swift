/// The settings of a project file, `.ba-package.json`, for the manifests in its folder or below.
public struct Project: Sendable {
  /// The file, relative to the working directory; nil if there is none.
  public let file: BytePath?
  /// What was found in the file. If there are errors, parts of the project are missing: checks with
  /// options made from it report them, and no pack is made.
  public package(set) var findings: [Finding] = []
  /// Whether the file is in another folder than the manifests, so messages name it.
  package private(set) var isElsewhere = false
  /// The host of the packs; nil if the file doesn't set it.
  public package(set) var hosting: Hosting?
  /// The source root for manifests without a `sourceRoot`, relative to the working directory.
  package var root: BytePath?
  /// The app's primary language, a BCP-47 tag.
  public package(set) var primaryLanguage: String?
  /// The folder for packs if no output path is given.
  public package(set) var outputFolder: BytePath?
  /// The compression of packs, and its level; nil if the file doesn't set it.
  package var codec: Codec?
  package var compressionLevel: Int?
  package var policy = SelectionPolicy()
  package var sizeBudgets = SizeBudgets()
  /// Which rules are off or have another severity, and whether warnings are errors.
  package var rules = RuleSettings()

  package static let fileName = ".ba-package.json"

  /// A project without a file, in which every rule has its own severity.
  package init() { self.init(findings: []) }

  init(file: BytePath? = nil, findings: [Finding] = []) {
    self.file = file
    self.findings = findings
  }

  /// The options of a check in this project; values that are nil come from the project.
  package func options(
    hosting: Hosting? = nil, root: BytePath? = nil, rootName: String? = nil,
    selectsFiles: Bool = true, links: LinkPolicy? = nil, allowsStubs: Bool = false
  ) -> ManifestCheck.Options {
    let policy = SelectionPolicy(
      links: links ?? self.policy.links, allowsStubs: allowsStubs || self.policy.allowsStubs)
    var options = ManifestCheck.Options(
      hosting: hosting ?? self.hosting, root: root, rootName: rootName,
      selectsFiles: selectsFiles, policy: policy)
    options.defaultRoot = self.root.map { ($0, file?.description ?? Self.fileName) }
    options.sizeBudgets = sizeBudgets
    options.primaryLanguage = primaryLanguage
    options.rules = rules
    options.codec = codec
    options.compressionLevel = compressionLevel
    options.projectFile = file
    options.projectFindings = rules.applied(to: findings)
    return options
  }
}

extension ManifestCheck.Options {
  /// The codec that is stated, or else LZFSE for packs that Apple hosts, since only such packs are
  /// known to have been accepted; at the level that is stated, if it has that.
  package var compression: Compression {
    let codec = codec ?? (hosting == .apple ? .lzfse : .zlib)
    return Compression(codec, level: compressionLevel) ?? codec.fastest
  }

  /// The options that `project` sets, with what was found in its file.
  public init(_ project: Project) { self = project.options() }
}

extension Project {
  /// Reads the project file for the manifests at `paths`, which may be folders, if there is one: the
  /// nearest in the folder of a manifest and those above it, up to the top of its Git repository.
  /// Outside a repository, it is in the folder of the manifest or in the working directory. Without
  /// manifests, the working directory takes the place of their folder.
  ///
  /// Settings of rules that only other tools check are notes.
  public static func find(for paths: [BytePath] = []) -> Project {
    find(for: paths, rules: nil)
  }

  /// Reads the project file `named`, or else as ``find(for:)`` does. Settings may name the rules in
  /// `rules` only.
  package static func find(
    for paths: [BytePath], named: BytePath? = nil, rules: [Rule]?
  ) -> Project {
    if let named { return read(named, isElsewhere: true, rules) }
    do {
      var starts: [BytePath] = []
      for path in paths where !path.isStandardStream {
        let start = try path.isFolder() ? path : path.folder
        if !starts.contains(start) { starts.append(start) }
      }
      var found: [(file: BytePath, isElsewhere: Bool)?] = []
      for start in starts.isEmpty ? ["."] : starts { found.append(try file(for: start)) }
      if let other = found.first(where: { $0?.file != found[0]?.file }) {
        let names = [found[0], other].map { $0.map { "'\($0.file)'" } ?? "none" }
        return refused(
          "the manifests have different project files, \(names[0]) and \(names[1]); give them to"
            + " separate commands")
      }
      guard let (file, isElsewhere) = found[0] else { return Project() }
      // In a container, or with sudo, all of a project belongs to another user.
      let owner = try FileStatus.following(file.folder).owner
      for status in [try FileStatus.notFollowing(file), try FileStatus.following(file)]
      where !status.isOwnedByUserOrRoot && status.owner != owner {
        return refused(
          "the project file '\(file)' belongs neither to you nor to the owner of its folder; name it"
            + " as the project file to use it")
      }
      return read(file, isElsewhere: isElsewhere, rules)
    } catch {
      return Project(findings: [Finding(.unreadableFile, error.description, at: nil)])
    }
  }

  private static func refused(_ message: String) -> Project {
    Project(findings: [Finding(.projectFile, message, at: nil)])
  }

  /// The project file for manifests in the folder `start`, and whether it is in another folder.
  private static func file(
    for start: BytePath
  ) throws(SystemError) -> (file: BytePath, isElsewhere: Bool)? {
    let here = try BytePath(".").resolved()
    // A missing folder is reported when the manifest is read.
    let start =
      try optional(.noSuchFile, .notDirectory, .permissionDenied, call: start.resolved()) ?? here
    var folders = [start]
    if let top = try start.repositoryTop() {
      while let last = folders.last, last != top { folders.append(last.folder) }
    } else if start != here {
      folders.append(here)
    }
    for folder in folders {
      let name = try folder.relative(to: ".").map { BytePath($0.utf8) } ?? folder
      let file = name == "." ? BytePath(fileName.utf8) : name.appending(fileName.utf8)
      let kind = try optional(
        .noSuchFile, .notDirectory, call: FileStatus.following(file).kind)
      if kind == .file { return (file, folder != start) }
    }
    return nil
  }

  private static func read(
    _ file: BytePath, isElsewhere: Bool, _ rules: [Rule]?
  ) -> Project {
    do {
      let bytes = try file.contents(limit: JSONDocument.maximumSize)
      let source = SourceText(name: file.bytes, bytes: bytes)
      var project = ProjectDecoder.decode(source, at: file, rules)
      guard isElsewhere else { return project }
      project.isElsewhere = true
      project.rules.origin = file
      return project
    } catch {
      return Project(findings: [Finding(.unreadableFile, error.description, at: nil)])
    }
  }

  /// The name of the folder of the project file or, without one, of the repository or the working
  /// directory, escaped for display; nil if it has none.
  package func folderName() throws(SystemError) -> String? {
    let folder = try (file?.folder ?? ".").resolved()
    let name = try (file == nil ? folder.repositoryTop() ?? folder : folder).name
    if name.isEmpty { return nil }
    // `tags/1.0` or `heads/main`; without either, Git fails.
    let commit = (try? folder.git(["describe", "--all", "--exact-match"]))??.split(separator: 0x0A)
    let revision = commit?.first.map { $0.drop { $0 != ASCII.slash }.dropFirst() }
    return printable(name) + (revision.map { ", \(printable($0))" } ?? "")
  }
}
