/// When a device downloads a pack. Packs may have policies and events that aren't known here: these
/// are read, kept and shown as they are, and the app is not said to wait for such a pack.
public struct DownloadPolicy: Hashable, Sendable {
  /// A policy, by its name in manifests.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name in manifests.
    public let rawValue: String

    /// The policy with this name in manifests.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// With the app: the app waits for the pack at its events.
    public static let essential = Kind(rawValue: "essential")
    /// In the background, starting at its events.
    public static let prefetch = Kind(rawValue: "prefetch")
    /// When the app asks for it.
    public static let onDemand = Kind(rawValue: "onDemand")

    /// The policies that this version knows.
    public static let known = PolicyForm.all.map(\.kind)
  }

  /// The policy itself.
  public let kind: Kind
  /// Its events; none for on-demand packs.
  public let events: [InstallationEventType]
  /// The JSON of a policy that isn't known; empty if only its events are.
  private let contents: [UInt8]

  package init(_ kind: Kind, _ events: [InstallationEventType], contents: [UInt8] = []) {
    self.kind = kind
    self.events = events
    self.contents = contents
  }

  /// With the app: the app waits for the pack at these events.
  public static func essential(_ events: [InstallationEventType]) -> DownloadPolicy {
    DownloadPolicy(.essential, events)
  }

  /// In the background, starting at these events.
  public static func prefetch(_ events: [InstallationEventType]) -> DownloadPolicy {
    DownloadPolicy(.prefetch, events)
  }

  /// When the app asks for it.
  public static let onDemand = DownloadPolicy(.onDemand, [])
}

/// An event of `essential` and `prefetch`, by its name in manifests.
public struct InstallationEventType: RawRepresentable, Hashable, Sendable {
  /// The name in manifests.
  public let rawValue: String

  /// The event with this name in manifests.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The app is installed.
  public static let firstInstallation = InstallationEventType(rawValue: "firstInstallation")
  /// The app is updated.
  public static let subsequentUpdate = InstallationEventType(rawValue: "subsequentUpdate")

  /// The events that this version knows.
  public static let known = table.map(\.event)
}

extension InstallationEventType: OpenName {
  /// The events, with what players do then, and the explanation for editors.
  private static let table: [(event: InstallationEventType, verb: String, meaning: String)] = [
    (.firstInstallation, "installing", "When the app is installed"),
    (.subsequentUpdate, "updating", "When the app is updated"),
  ]

  package static let kindName = "an event"
  static let meanings = table.map(\.meaning)

  /// What players do at the event: `installing` the app.
  var verb: String { Self.table.first { $0.event == self }?.verb ?? shown }
}

extension DownloadPolicy.Kind: OpenName {
  package static let kindName = "a download policy"
}

/// What is known of a download policy.
package struct PolicyForm: Sendable {
  package let kind: DownloadPolicy.Kind
  /// When devices download a pack with it; code is in backticks.
  package let meaning: String
  package let hasEvents: Bool

  package static let all = [
    PolicyForm(
      kind: .essential, meaning: "With the app, whose installation waits for it.",
      hasEvents: true),
    PolicyForm(
      kind: .prefetch, meaning: "In the background, after installation or an update.",
      hasEvents: true),
    PolicyForm(kind: .onDemand, meaning: "When the app asks for it.", hasEvents: false),
  ]

  package static let events = """
    The events that start a download, at least one of \(InstallationEventType.list).
    """
}

extension DownloadPolicy {
  /// Whether the app waits for the pack at `event`.
  package func isEssential(at event: InstallationEventType) -> Bool {
    kind == .essential && events.contains(event)
  }

  /// For example `essential (firstInstallation)`, or `essential, always` for all events.
  package var text: String {
    events.isEmpty
      ? kind.shown
      : Set(events) == Set(InstallationEventType.known)
        ? "\(kind.shown), always" : "\(kind.shown) (\(events.shown))"
  }

  /// Whether this version knows the policy and its events, and so when devices download the pack.
  package var isKnown: Bool { kind.isKnown && events.allSatisfy(\.isKnown) }
}

extension DownloadPolicy: JSONRepresentable {
  package var json: JSONValue {
    let document = JSONDocument(reading: SourceText(name: [], bytes: contents))
    let hasEvents = PolicyForm.all.contains { $0.kind == kind && $0.hasEvents }
    let value =
      document.root
      ?? (hasEvents || !events.isEmpty
        ? .object(["installationEventTypes": events.rawValues]) : .object([:]))
    return JSONValue(.object([JSONMember(kind.rawValue, value)]))
  }
}
