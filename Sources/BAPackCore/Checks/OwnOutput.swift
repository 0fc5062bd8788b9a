/// What pages of reports have in their first kilobyte.
let reportPageMark = "<meta name=\"generator\" content=\"ba-package\">"

/// Files that this program writes beside packs, and manifests.
enum OwnOutput {
  /// Larger JSON is not looked into.
  private static let limit = 1 << 20

  /// Whether the file at `path` is a pack, a manifest, a list of packs, a schema of manifests, or a
  /// report.
  static func isOne(_ path: BytePath) -> Bool {
    if path.hasExtension("aar") { return ContainerKind.begins(fileAt: path) }
    if path.hasExtension("html") {
      let start = try? FileDescriptor.reading(path).read(upTo: 1 << 10, of: path)
      return String(decoding: start ?? [], as: UTF8.self).contains(reportPageMark)
    }
    guard path.hasExtension("json"), let bytes = try? path.contents(limit: limit) else {
      return false
    }
    let root = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes)).root
    return root?["assetPacks"]?.array != nil
      || root?["assetPackID"] != nil && root?["fileSelectors"] != nil
      || root?["tool"]?["name"]?.string == "ba-package"
      || root?["title"]?.string == "Asset pack manifest" && root?["$schema"] != nil
  }
}
