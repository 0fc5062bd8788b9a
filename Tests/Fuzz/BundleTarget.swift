import BAImporters
import BAPackCore
import Foundation

/// Checks mutations of apps: of the files in a folder, and of archives with them, stored so that
/// property lists and executables are reached.
struct BundleTarget: FuzzTarget {
  private let scratch = Scratch()
  private var folder: URL { scratch.folder }
  private let info = AppInfo(
    hosting: .apple, appGroup: "group.com.example.game", manifestURL: nil, hosts: [],
    downloads: AppDownloads())
  private let files: [(path: String, bytes: [UInt8])]
  private let archive: [UInt8]

  init() throws {
    let group =
      "<key>com.apple.security.application-groups</key><array>"
      + "<string>group.com.example.game</string></array>"
      + "<key>com.apple.developer.team-identifier</key><string>ABCDE12345</string>"
    func list(_ members: String) -> [UInt8] { Array("<plist><dict>\(members)</dict></plist>".utf8) }
    func binary(_ members: String) throws -> [UInt8] {
      let value = try unsafe PropertyListSerialization.propertyList(
        from: Data(list(members)), format: nil)
      return [UInt8](
        try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }
    func program(_ entitlements: [UInt8]) -> [UInt8] {
      let blob = big(0xFADE_7171) + big(8 + entitlements.count) + entitlements
      let signature = big(0xFADE_0CC0) + big(20 + blob.count) + big(1) + big(5) + big(20) + blob
      let commands =
        little(0x32) + little(24) + little(2) + [UInt8](repeating: 0, count: 12)
        + little(0x1D) + little(16) + little(72) + little(signature.count)
      return little(0xFEED_FACF) + little(0x100_000C) + little(0) + little(2) + little(2)
        + little(40) + little(0) + little(0) + commands + signature
    }
    let app =
      "<key>CFBundleIdentifier</key><string>a.b</string><key>CFBundleExecutable</key>"
      + "<string>Game</string><key>BAHasManagedAssetPacks</key><true/>"
      + "<key>BAAppGroupID</key><string>group.com.example.game</string>"
      + "<key>MinimumOSVersion</key><string>26.0</string><key>BAUsesAppleHosting</key><true/>"
    let point =
      "<key>CFBundleIdentifier</key><string>a.b.c</string><key>CFBundleExecutable</key>"
      + "<string>D</string><key>CFBundleDisplayName</key>"
      + "<string>D</string><key>EXAppExtensionAttributes</key><dict>"
      + "<key>EXExtensionPointIdentifier</key>"
      + "<string>com.apple.background-asset-downloader-extension</string></dict>"
    files = [
      ("Info.plist", try binary(app)), ("Game", program(list(group))),
      ("Extensions/D.appex/Info.plist", list(point)),
      ("Extensions/D.appex/D", program(list(group))),
    ]
    archive = Self.archive(files.map { ("Payload/Game.app/" + $0.path, $0.bytes) })
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Game.app/Extensions/D.appex"), withIntermediateDirectories: true)
    for (path, bytes) in files { try write(bytes, path) }
    guard try info.check(path("Game.app")).isEmpty else { fatalError("the app has findings") }
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let findings: [Finding]
    if random.below(2) == 0 {
      try write(random.mutation(of: archive, with: files[0].bytes), "../Game.ipa")
      findings = try info.check(path("Game.ipa"))
    } else {
      let (name, bytes) = files[random.below(files.count)]
      try write(random.mutation(of: bytes, with: files[1].bytes), name)
      findings = try info.check(path("Game.app"))
      try write(bytes, name)
    }
    check(findings, round)
    return findings.last?.rule.id ?? "nothing"
  }

  private func path(_ name: String) -> BytePath {
    BytePath(folder.appending(path: name).path(percentEncoded: false).utf8)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: folder.appending(path: "Game.app/" + name).standardized)
  }

  /// A zip archive of stored files.
  private static func archive(_ files: [(path: String, bytes: [UInt8])]) -> [UInt8] {
    var (data, directory): ([UInt8], [UInt8]) = ([], [])
    for (path, bytes) in files {
      let sizes = little(0) + little(bytes.count) + little(bytes.count) + short(path.utf8.count)
      let start = data.count
      data += little(0x0403_4B50) + short(20) + [UInt8](repeating: 0, count: 8) + sizes + short(0)
      data += Array(path.utf8) + bytes
      directory += little(0x0201_4B50) + short(20) + short(20) + [UInt8](repeating: 0, count: 8)
      directory += sizes + [UInt8](repeating: 0, count: 12) + little(start) + Array(path.utf8)
    }
    return data + directory + little(0x0605_4B50) + little(0) + short(files.count)
      + short(files.count) + little(directory.count) + little(data.count) + short(0)
  }
}

/// A temporary folder, removed by `deinit`.
final class Scratch {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "ba-package-fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  deinit { try? FileManager.default.removeItem(at: folder) }
}

private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

private func short(_ value: Int) -> [UInt8] { Array(little(value).prefix(2)) }

private func big(_ value: Int) -> [UInt8] { little(value).reversed() }
