import BAPackCore

/// An event while serving packs.
package enum ServerEvent: Sendable {
  /// A request was answered.
  case answered(HTTPExchange)
  /// A TLS handshake failed.
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
  /// A manifest was requested, which didn't list these packs because they are for other platforms.
  case leftOut([ServedPack], platform: String, peer: IPAddress?)
  /// An unknown pack was requested; these identifiers are similar.
  case unknownPack(String, similar: [String])
  /// The host of a request isn't in the certificate.
  case foreignHost(String, peer: IPAddress?)
  /// The file of a pack was modified after it was opened.
  case changedOnDisk(BytePath, identifier: String)
  /// The file of a pack could not be read.
  case unreadable(BytePath, identifier: String)
}
