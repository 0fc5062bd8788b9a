/// The files of a pack, in archive order, without clashes.
public struct Selection: Sendable {
  /// The folder that sources are relative to.
  public let root: BytePath
  /// The files, by destination.
  public let files: [SelectedFile]

  /// The folders that were listed to select the files, sorted: adding a file to one of them, or
  /// removing one, may change the selection.
  package let folders: [RelativePath]

  /// Files selected from `root`, which are in archive order.
  package init(root: BytePath, files: [SelectedFile], folders: [RelativePath] = []) {
    self.root = root
    self.files = files
    self.folders = folders
  }

  /// The size of all files in bytes. If it exceeds `maximumSize`, so does this.
  public var size: UInt64 { files.size(\.size) }

  /// The maximum size of a pack's files. Sparse files can have sizes larger than any disk; sums up
  /// to this one, with headers, are far from overflow.
  static let maximumSize: UInt64 = 1 << 62
}

/// A selected file.
public struct SelectedFile: Sendable {
  /// Its path in the pack, relative to `Contents`, where the app reads it.
  public let destination: RelativePath
  /// Its path relative to the root.
  public let source: RelativePath
  /// Its size in bytes.
  public internal(set) var size: UInt64
  /// Whether any of the three execute bits is set; on a file system that keeps none, Git's index
  /// tells.
  package internal(set) var isExecutable: Bool
  /// Identifies the version of the file that was selected: ``FileStatus/version``.
  package let version: UInt64
  /// When it last changed: ``FileStatus/touched``.
  package let touched: Int64
  /// The index of the first selector that matched it.
  package let selector: Int
  /// The pointer that represents the file: then ``size`` is the size in the pointer. Nil for
  /// the file itself.
  var pointer: Stub?
  /// The contents of a file that isn't on disk.
  private(set) var contents: [UInt8]?

  init(destination: RelativePath, source: RelativePath, _ status: FileStatus, selector: Int) {
    self.init(
      destination: destination, source: source, size: status.size,
      isExecutable: status.isExecutable, version: status.version, touched: status.touched,
      selector: selector)
  }

  /// A file that isn't on disk.
  init(_ destination: RelativePath, contents: [UInt8]) {
    self.init(
      destination: destination, source: destination, size: UInt64(contents.count),
      isExecutable: false, version: 0, selector: 0)
    self.contents = contents
  }

  package init(
    destination: RelativePath, source: RelativePath, size: UInt64, isExecutable: Bool,
    version: UInt64, touched: Int64 = .max, selector: Int
  ) {
    self.destination = destination
    self.source = source
    self.size = size
    self.isExecutable = isExecutable
    self.version = version
    self.touched = touched
    self.selector = selector
  }
}

package struct SelectionPolicy: Sendable {
  package var links: LinkPolicy
  /// Whether pointers, and links that are text here, may be packaged.
  package var allowsStubs: Bool
  /// Whether pointers of Git LFS count as the files that they represent, if they have
  /// the SHA-256 and size. Then no contents are checked.
  package var readsPointers = false {
    didSet { if readsPointers { allowsStubs = false } }
  }
  /// The versions (``FileStatus/version``) of files in whose contents an earlier run found nothing.
  /// They are not opened to detect stubs, executable code or conflict markers.
  package var examined: Set<UInt64> = []

  /// By default, rejects what is rarely intended.
  package init(links: LinkPolicy = .inside, allowsStubs: Bool = false) {
    self.links = links
    self.allowsStubs = allowsStubs
  }
}

/// Where symbolic links may point. Their targets are packaged under the path of the link.
package enum LinkPolicy: String, Sendable, CaseIterable {
  /// To files and folders below the source root; others are errors.
  case inside
  /// Anywhere. Build systems such as Bazel and Nix present inputs as links out of the source root.
  case follow
}

extension Manifest {
  /// The location of the selector that matched `file`.
  func location(of file: SelectedFile) -> SourceLocation { selectors[file.selector].location }
}

extension RelativePath {
  /// The path in a pack of a file that isn't on disk.
  init(addedAt path: BytePath) throws(PackError) {
    guard let destination = RelativePath(path.bytes), destination != .root,
      String(validating: path.bytes, as: UTF8.self) != nil,
      PackFormat.archivePath(of: destination).bytes.count <= PackFormat.maximumPathLength
    else {
      throw PackError(
        .unsafeName,
        "'\(path)' can't be the path of a file in a pack; write names of files separated by '/'",
        path: path)
    }
    self = destination
  }

  /// Whether both can't be paths of files in one folder, perhaps on a volume that ignores case and
  /// normalization: they are equal, or one is that of a folder of the other.
  func clashes(with other: RelativePath) -> Bool {
    for (part, otherPart) in zip(components, other.components) where part != otherPart {
      return caseFolded(part) == caseFolded(otherPart)
    }
    return true
  }
}
