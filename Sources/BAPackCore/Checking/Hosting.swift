/// The host of the packs.
public enum Hosting: String, Sendable, CaseIterable {
  /// Apple, after an upload to App Store Connect.
  case apple
  /// The developer's own server, to which the store's rules don't apply.
  case ownServer = "self"
}
