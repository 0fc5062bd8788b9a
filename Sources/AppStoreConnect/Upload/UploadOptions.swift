import BAPackCore

/// What to do with packs.
package struct UploadOptions: Sendable {
  /// Whether a pack that the app doesn't have is made.
  package var creates = false
  /// Whether the manifest goes first, on its own, for the store to check.
  package var sendsManifestFirst = false
  /// Whether a pack becomes a new version even where the store has its bytes.
  package var forcesNewVersion = false
  /// How many parts are sent at the same time.
  package var jobs = 4
  /// Seconds without a byte after which a request counts as lost.
  package var timeout = 60
  /// How failed requests are repeated.
  package var retry = Retry()

  package init() {}
}

/// Something that happened on the way.
package enum UploadEvent: Sendable {
  /// The record of a pack was made.
  case createdPack(BytePath, identifier: String)
  /// A version was made.
  case createdVersion(BytePath, String)
  /// A version that was begun before is continued.
  case continues(BytePath, version: String, sent: UInt64)
  /// The manifest was accepted on its own.
  case manifestAccepted(BytePath)
  /// A part is sent again.
  case retried(BytePath, part: Int, StoreError)
  /// The addresses for parts were refused, and new ones are asked for.
  case renewed(BytePath)
  /// A version takes no other reservation, so that another one is made.
  case abandoned(BytePath, version: String)
  /// The server didn't accept a SHA-256, so the file was committed without.
  case committedWithoutDigest(BytePath)
  /// The file was committed.
  case committed(BytePath, version: String)
  /// Bytes sent of all that is to be sent, and how many parts are under way.
  case progress(UInt64, parts: Int)
}

/// What became of a pack.
package struct UploadResult: Sendable {
  package enum Outcome: Sendable {
    /// The store has the same bytes as its newest version.
    case unchanged
    /// The file is there; the store may still be processing it.
    case uploaded
    /// The store refused these bytes, now or in an earlier run.
    case rejected(isNew: Bool)
    /// The store had not finished when the time to wait was over.
    case timedOut
    /// It could not be uploaded.
    case failed(StoreError)
  }

  package let pack: LocalPack
  package var packID: String?
  package var version: VersionRecord?
  package var outcome: Outcome
  /// Bytes sent by this run.
  package var sentBytes: UInt64 = 0
}
