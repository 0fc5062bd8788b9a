/// The files of a pack, decided: sorted in the order of the archive, without a clash.
public struct Selection: Sendable {
  /// The folder that sources are below.
  public let root: FilePath
  /// The files, by destination.
  public let files: [SelectedFile]

  /// Files that were selected from `root`, in the order of an archive.
  package init(root: FilePath, files: [SelectedFile]) {
    self.root = root
    self.files = files
  }

  /// Bytes of all files together. Where that is beyond ``mostBytes``, so is this.
  public var size: UInt64 {
    files.reduce(0) { sum, file in
      let (next, overflow) = sum.addingReportingOverflow(file.size)
      return overflow ? .max : next
    }
  }

  /// The most bytes that a pack is made of. Sparse files can claim more than any disk holds; sums
  /// up to here, headers and all, stay far from overflow.
  static let mostBytes: UInt64 = 1 << 62
}

/// A file that a selector took.
public struct SelectedFile: Sendable {
  /// Where the game reads it: its path in the pack, below `Contents`.
  public let destination: RelativePath
  /// Where it lies below the root.
  public let source: RelativePath
  /// Bytes of contents.
  public let size: UInt64
  /// Whether any of the three execute bits is set.
  public let isExecutable: Bool
  /// Tells whether it is still the file that was selected: ``FileStatus/version``.
  package let version: UInt64
  /// The index of the selector that took it, in the manifest; the first of several.
  public let selector: Int

  /// The file at `source`, under the path `destination`.
  init(destination: RelativePath, source: RelativePath, _ status: FileStatus, selector: Int) {
    self.init(
      destination: destination, source: source, size: status.size,
      isExecutable: status.isExecutable, version: status.version, selector: selector)
  }

  /// The file at `source`, under the path `destination`.
  package init(
    destination: RelativePath, source: RelativePath, size: UInt64, isExecutable: Bool,
    version: UInt64, selector: Int
  ) {
    self.destination = destination
    self.source = source
    self.size = size
    self.isExecutable = isExecutable
    self.version = version
    self.selector = selector
  }
}
