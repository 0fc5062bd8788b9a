import BAPackCore

/// The assets of a catalog that have tags, from the `Contents.json` in each of its folders
/// (Apple's Asset Catalog Format Reference).
struct AssetCatalog {
  /// An asset with its tags, including those of its groups.
  struct Asset {
    /// The folder of the asset, relative to the same folder as the catalog's path.
    let path: RelativePath
    let tags: [String]
    /// The files of a data set, by name; empty for images and other assets.
    let dataFiles: [String]
    let location: SourceLocation
  }

  private(set) var assets: [Asset] = []
  private(set) var findings: [Finding] = []

  private static let sizeLimit = 1 << 24
  private static let depthLimit = 64

  init(at path: RelativePath, below root: BytePath) {
    visit(path, root, [], nil, depth: 0)
  }

  private mutating func visit(
    _ folder: RelativePath, _ root: BytePath, _ inherited: [String],
    _ inheritedFrom: SourceLocation?, depth: Int
  ) {
    let full = root.appending(folder.bytes)
    var tags = inherited
    var location = inheritedFrom
    let contents = read(full.appending("Contents.json".utf8), &tags, &location)
    let isAsset = folder.name.contains(ASCII.dot) && depth > 0
    if isAsset {
      if let location, !tags.isEmpty {
        let data = folder.name.suffix(8).elementsEqual(".dataset".utf8) ? contents?["data"] : nil
        let files = (data?.array ?? []).compactMap { $0["filename"]?.string }
        assets.append(Asset(path: folder, tags: tags, dataFiles: files, location: location))
      }
      return
    }
    guard depth < Self.depthLimit else { return }
    do {
      for name in try full.subfolders() {
        visit(folder.appending(name), root, tags, location, depth: depth + 1)
      }
    } catch {
      findings.report(.unreadableFile, "\(error)", at: nil)
    }
  }

  /// Reads a `Contents.json`, if there is one, and adds its tags to those of its groups.
  private mutating func read(
    _ file: BytePath, _ tags: inout [String], _ location: inout SourceLocation?
  ) -> JSONValue? {
    let bytes: [UInt8]
    do {
      guard let found = try file.contentsIfPresent(limit: Self.sizeLimit) else { return nil }
      bytes = found
    } catch {
      findings.report(.unreadableFile, error.description, at: nil)
      return nil
    }
    let document = JSONDocument(reading: SourceText(name: file.bytes, bytes: bytes))
    if document.findings.hasErrors {
      findings += document.findings.filter { $0.severity == .error }.prefix(1).map {
        Finding(.onDemandCatalog, severity: .error, $0.message, at: $0.location)
      }
      return nil
    }
    guard let own = document.root?["properties"]?["on-demand-resource-tags"] else {
      return document.root
    }
    guard let list = own.array, list.allSatisfy({ $0.string != nil }) else {
      findings.report(
        .onDemandCatalog, severity: .error,
        "'on-demand-resource-tags' must be a list of strings",
        at: document.location(own.range))
      return document.root
    }
    tags = (tags + list.compactMap(\.string).filter { !$0.isEmpty }).unique()
    if !list.isEmpty { location = document.location(own.range) }
    return document.root
  }
}

extension BytePath {
  /// The names of the folders in this one, but for hidden ones and for links, which could point back
  /// to a parent folder.
  func subfolders() throws -> [[UInt8]] {
    try names().filter { name in
      try name.first != ASCII.dot && FileStatus.notFollowing(appending(name)).kind == .directory
    }
  }
}
