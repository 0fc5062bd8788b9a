import BAPackCore

extension AppParts {
  private static let maximumList = 1 << 20

  /// Reads a built app: a folder for macOS or another system. Throws a ``Finding`` or a
  /// ``SystemError``.
  init(bundle path: BytePath) throws {
    try self.init(.folder(path), shown: String(decoding: path.bytes, as: UTF8.self))
  }

  init(archive path: BytePath) throws {
    let archive = try ZipArchive(path)
    let names = archive.names(in: "Payload/").filter { BytePath($0).hasExtension("app") }
    guard let name = names.first, names.count == 1 else {
      throw Finding(
        .bundleUnreadable,
        names.isEmpty
          ? "the archive has no app in 'Payload'"
          : "the archive has \(counted(names.count, "app")) in 'Payload'", at: nil)
    }
    let app = "Payload/" + String(decoding: name, as: UTF8.self)
    try self.init(
      .archive(archive, below: app + "/"),
      shown: String(decoding: path.bytes, as: UTF8.self) + "/" + app)
  }

  private init(_ files: BundleFiles, shown: String) throws {
    // On macOS everything is in a folder.
    let isMac = try files.file("Contents/Info.plist") != nil
    let contents = isMac ? "Contents/" : ""
    let name = shown.split(separator: "/").last.map(String.init) ?? shown
    guard
      let app = try Self.part("'\(brief(name))'", .app, in: files, "", isMac: isMac, shown: shown)
    else { throw Finding(.bundleUnreadable, "'\(brief(name))' has no Info.plist", at: nil) }
    var extensions: [AppPart] = []
    for (folder, place) in [("Extensions", AppPart.Place.extensions), ("PlugIns", .plugIns)] {
      for name in try files.extensions(in: contents + folder) {
        let path = contents + folder + "/" + name + "/"
        if let part = try Self.part(
          "'\(folder)/\(brief(name))'", place, in: files, path, isMac: isMac, shown: shown)
        {
          extensions.append(part)
        }
      }
    }
    self.init(app: app, extensions: extensions)
  }

  /// The bundle in the folder `path`, which is empty or ends with a slash; nil without an
  /// `Info.plist`.
  private static func part(
    _ name: String, _ place: AppPart.Place, in files: BundleFiles, _ path: String, isMac: Bool,
    shown: String
  ) throws -> AppPart? {
    let contents = path + (isMac ? "Contents/" : "")
    let list = contents + "Info.plist"
    guard let bytes = try files.contents(of: list, limit: maximumList) else { return nil }
    let info = try PropertyList(SourceText(name: shown + "/" + list, bytes: bytes), isInfo: true)
    let program = info.root["CFBundleExecutable"]?.string
    var entitlements = AppPart.Entitlements.unknown(why: "it has no executable")
    if let program, !program.isEmpty, program != "..", program != ".", !program.contains("/"),
      let file = try files.file(contents + (isMac ? "MacOS/" : "") + program)
    {
      entitlements = try Self.entitlements(of: file, shown: shown + "/" + contents + program)
    }
    return AppPart(name: name, place: place, info: info, entitlements: entitlements)
  }

  // MARK: Code signatures

  /// The entitlements in the code signature of the first image of a Mach-O file (`<cs_blobs.h>`): a
  /// superblob with an index of blobs by type.
  private static func entitlements(
    of file: BundleFile, shown: String
  ) throws -> AppPart.Entitlements {
    guard let image = try MachO.images(file.read, atMost: 1).first else {
      return .unknown(why: "its executable is no Mach-O file")
    }
    guard let range = image.signature, !range.isEmpty else {
      return .unknown(why: "its executable isn't signed")
    }
    let signature = try file.read(range.lowerBound, min(range.count, maximumSignature))
    guard number(signature, 0) == 0xFADE_0CC0 else {
      return .unknown(why: "its code signature is damaged")
    }
    let blobs = min(number(signature, 8), 64)
    for index in 0..<blobs where number(signature, 12 + 8 * index) == 5 {
      let start = number(signature, 16 + 8 * index)
      let length = number(signature, start + 4)
      guard number(signature, start) == 0xFADE_7171, length >= 8, start <= signature.count,
        length <= signature.count - start
      else { return .unknown(why: "its code signature is damaged") }
      let text = SourceText(
        name: shown, bytes: Array(signature[start + 8..<start + length]))
      guard text.bytes.count <= maximumList, let list = try? PropertyList(text) else {
        return .unknown(why: "those in its code signature are damaged")
      }
      return .known(list.root)
    }
    return .unknown(why: "its code signature has none in XML")
  }

  /// Four bytes for each 4 KiB of code, at most 32 with SHA-256.
  private static let maximumSignature = 1 << 24

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes.integer(at: offset, 4, isLittleEndian: false))
  }
}
