import BAPackCore

/// What happens while packs are served.
package enum ServerEvent: Sendable {
  /// A request was answered.
  case answered(HTTPExchange)
  /// A TLS connection did not come about.
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
  /// A manifest was asked for, and these packs were left out of it because they are for other
  /// platforms.
  case leftOut([ServedPack], platform: String, peer: IPAddress?)
  /// A pack was asked for that is not served; these identifiers are like it.
  case unknownPack(String, similar: [String])
  /// The host of a request is not one of the certificate's names.
  case foreignHost(String, peer: IPAddress?)
  /// The file of a pack was written to after it was opened.
  case changedOnDisk(BytePath, identifier: String)
  /// The file of a pack could not be read.
  case unreadable(BytePath, identifier: String)
}
