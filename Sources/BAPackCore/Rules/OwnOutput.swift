/// Text in the first kilobyte of an HTML report.
let reportPageMark = "<meta name=\"generator\" content=\"ba-package\">"

/// Files that this program writes next to packs, and manifests.
enum OwnOutput {
  /// Larger JSON files are not read.
  private static let limit: UInt64 = 1 << 20

  /// Whether the file at `path`, of `size` bytes, is a pack or its record, a manifest, a list of
  /// packs, a schema of manifests, or a report; nil if it was truncated meanwhile.
  static func isOne(_ path: BytePath, size: UInt64) throws(SystemError) -> Bool? {
    func start(_ count: UInt64) throws(SystemError) -> [UInt8]? {
      let wanted = Int(min(count, size))
      let file = try path.attempt(.open, FileDescriptor.reading(path))
      let start = try path.attempt(.read, file.read(upTo: wanted))
      return start.count < wanted ? nil : start
    }
    if path.hasExtension("record") {
      let title = Array(PackRecord.title.utf8)
      return try start(UInt64(title.count)).map { $0 == title }
    }
    if path.hasExtension("aar") {
      return try start(UInt64(ContainerKind.headerSize)).map { ContainerKind.begins($0) }
    }
    if path.hasExtension("html") {
      return try start(1 << 10).map {
        String(decoding: $0, as: UTF8.self).contains(reportPageMark)
      }
    }
    guard path.hasExtension("json"), size <= limit else { return false }
    guard let bytes = try start(limit) else { return nil }
    let root = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes)).root
    return root?["assetPacks"]?.array != nil
      || root?["assetPackID"] != nil && root?["fileSelectors"] != nil
      || root?["tool"]?["name"]?.string == "ba-package"
      || root?["title"]?.string == "Asset pack manifest" && root?["$schema"] != nil
  }
}
