/// What a download manifest says about an asset pack, as the pack itself has it.
public struct PackFacts: Sendable {
  /// The path of the archive, as the user wrote it, for messages.
  public let path: FilePath
  /// The identifier in the embedded manifest.
  public let identifier: String
  /// The policy in the embedded manifest.
  public let downloadPolicy: DownloadPolicy
  /// The platforms in the embedded manifest; empty means every platform.
  public let platforms: [Platform]
  /// The author's own data in the embedded manifest.
  public let userInfo: JSONValue?
  /// The size of the archive in bytes.
  public let downloadSize: UInt64
  /// What the pack holds, whatever it was packed with.
  public let contents: ContentsDigest.Value

  /// The facts of the archive at `path`.
  public init(
    path: FilePath, identifier: String, downloadPolicy: DownloadPolicy, platforms: [Platform],
    userInfo: JSONValue? = nil, downloadSize: UInt64, contents: ContentsDigest.Value
  ) {
    self.path = path
    self.identifier = identifier
    self.downloadPolicy = downloadPolicy
    self.platforms = platforms
    self.userInfo = userInfo
    self.downloadSize = downloadSize
    self.contents = contents
  }
}

extension DownloadPolicy {
  /// The policy as manifests write it: `{ "prefetch": { "installationEventTypes": [ … ] } }`.
  package var json: JSONValue {
    switch self {
    case .essential(let events): Self.json("essential", events)
    case .prefetch(let events): Self.json("prefetch", events)
    case .onDemand: JSONValue(.object([JSONMember("onDemand", JSONValue(.object([])))]))
    }
  }

  private static func json(_ name: String, _ events: [InstallationEventType]) -> JSONValue {
    let list = JSONValue(.array(events.map { JSONValue(.string($0.rawValue)) }))
    let policy = JSONValue(.object([JSONMember("installationEventTypes", list)]))
    return JSONValue(.object([JSONMember(name, policy)]))
  }
}
