import BAPackCore

package struct UploadOptions: Sendable {
  /// Whether a missing pack is created in the app.
  package var creates = false
  /// Whether the manifest is sent alone first, for the store to check.
  package var sendsManifestFirst = false
  /// Whether a version that awaits its upload is used even if somebody else may be sending it.
  package var continues = false
  /// Whether a pack becomes a new version even if the store has its bytes.
  package var forcesNewVersion = false
  package var jobs = 4
  /// The number of seconds without a byte after which a request has failed.
  package var timeout = 60
  package var retry = Retry()

  package init() {}
}

package enum UploadEvent: Sendable {
  case createdPack(BytePath, identifier: String)
  case createdVersion(BytePath, String)
  /// A version of an earlier run is continued.
  case continues(BytePath, version: String, sent: UInt64)
  case manifestAccepted(BytePath)
  case retried(BytePath, part: Int, StoreError)
  /// The URLs for parts were rejected, and new ones are requested.
  case renewed(BytePath)
  /// A version accepts no other reservation, so another version is created.
  case abandoned(BytePath, version: String)
  /// The server didn't accept a SHA-256, so the file was committed without.
  case committedWithoutDigest(BytePath)
  /// The number of bytes sent of the total, and the number of parts in progress.
  case progress(UInt64, parts: Int)
}

package struct UploadResult: Sendable {
  package enum Outcome: Sendable {
    /// The store's newest version has the same bytes.
    case unchanged
    /// The file was uploaded; the store may still be processing it.
    case uploaded
    /// The store rejected these bytes, now or in an earlier run.
    case rejected(isNew: Bool)
    /// The store had not finished when the wait timed out.
    case timedOut
    case failed(StoreError)
  }

  package let pack: LocalPack
  package var packID: String?
  package var version: VersionRecord?
  package var outcome: Outcome
  package var sentBytes: UInt64 = 0
}
