extension DownloadPolicy {
  /// The name of the policy in manifests.
  package var name: String {
    switch self {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "onDemand"
    }
  }

  /// The events in the policy; none for on-demand packs.
  package var events: [InstallationEventType] {
    switch self {
    case .essential(let events), .prefetch(let events): events
    case .onDemand: []
    }
  }
}

extension DownloadPolicy: JSONRepresentable {
  /// The policy as in manifests.
  package var json: JSONValue {
    switch self {
    case .onDemand: .object([name: JSONValue.object([:])])
    case .essential, .prefetch:
      .object([name: JSONValue.object(["installationEventTypes": events.map(\.rawValue)])])
    }
  }
}
