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
