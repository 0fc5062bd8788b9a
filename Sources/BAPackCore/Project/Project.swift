/// The settings of a project file, `.ba-package.json`, for all commands that run in its folder or
/// below.
public struct Project: Sendable {
  /// The file, relative to the working directory; nil if there is none.
  package let file: BytePath?
  /// The host of the packs; nil if the file doesn't set it.
  package var hosting: Hosting?
  /// The source root for manifests without a `sourceRoot`, relative to the working directory.
  package var root: BytePath?
  /// The folder for packs if no output path is given.
  package var outputFolder: BytePath?
  /// The maximum sizes of packs.
  package var sizeBudgets = SizeBudgets()
  /// Which rules are off or have another severity, and whether warnings are errors.
  package var rules = RuleSettings()

  /// The name of project files.
  package static let fileName = ".ba-package.json"

  /// A project without a file, in which every rule has its own severity.
  package init() { self.init(file: nil) }

  init(file: BytePath?) { self.file = file }

  /// The options of a check in this project; values that are nil come from the project.
  package func options(
    hosting: Hosting? = nil, root: BytePath? = nil, rootName: String? = nil,
    selectsFiles: Bool = true, policy: SelectionPolicy = SelectionPolicy()
  ) -> ManifestCheck.Options {
    var options = ManifestCheck.Options(
      hosting: hosting ?? self.hosting ?? .apple, root: root, rootName: rootName,
      selectsFiles: selectsFiles, policy: policy)
    options.defaultRoot = self.root.map { ($0, file?.description ?? Self.fileName) }
    options.sizeBudgets = sizeBudgets
    options.rules = rules
    return options
  }
}

extension ManifestCheck.Options {
  /// The options that `project` sets.
  public init(_ project: Project) { self = project.options() }
}

extension Project {
  /// Reads the project file of the working directory or of the nearest folder above it, if any. If
  /// there are errors among the findings, parts of the project are missing.
  public static func find() -> Checked<Project> { find(rules: Rule.all) }

  /// Reads the project file as ``find()`` does. Settings may name the rules in `rules`. If there
  /// are errors among the findings, parts of the project are missing.
  package static func find(rules: [Rule]) -> Checked<Project> {
    do throws(SystemError) {
      // Each component of the path is one folder up.
      let depth = try BytePath(".").resolved().bytes.split(separator: ASCII.slash).count
      for level in 0...depth {
        let folder = BytePath(
          Array(repeatElement("..".utf8, count: level).joined(separator: "/".utf8)))
        let file = folder.bytes.isEmpty ? BytePath(fileName.utf8) : folder.appending(fileName.utf8)
        guard try exists(file) else { continue }
        return read(file, rules)
      }
    } catch {
      return Checked(Project(), findings: [Finding(.unreadableFile, error.description, at: nil)])
    }
    return Checked(Project(), findings: [])
  }

  private static func exists(_ file: BytePath) throws(SystemError) -> Bool {
    try optional(.noSuchFile, .notDirectory, call: FileStatus.following(file).kind) == .file
  }

  private static func read(_ file: BytePath, _ rules: [Rule]) -> Checked<Project> {
    do throws(SystemError) {
      let bytes = try file.contents(limit: JSONDocument.maximumSize)
      let source = SourceText(name: file.bytes, bytes: bytes)
      return ProjectDecoder.decode(source, at: file, rules)
    } catch {
      return Checked(Project(), findings: [Finding(.unreadableFile, error.description, at: nil)])
    }
  }
}
