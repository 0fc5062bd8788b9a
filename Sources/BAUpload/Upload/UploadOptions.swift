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

  package init() {}
}

package enum UploadEvent: Sendable {
  /// A line about a pack.
  case message(String, Importance)
  /// The number of bytes sent of the total, and the number of parts in progress.
  case progress(UInt64, parts: Int)

  package enum Importance: Comparable, Sendable { case detail, note, warning }
}

package struct UploadResult: Sendable {
  package enum Outcome: String, Sendable {
    /// The store's newest version has the same bytes.
    case unchanged
    /// The file was uploaded; the store may still be processing it.
    case uploaded
    /// The store rejected these bytes, now or in an earlier run.
    case rejected
    /// The store had not finished when the wait timed out.
    case timedOut
    case failed
  }

  package let pack: LocalPack
  package var packID: String?
  package var version: VersionRecord?
  package var outcome: Outcome
  /// Why it failed.
  package var error: StoreError?
  /// Whether the store rejected these bytes in an earlier run.
  package var wasRejected = false
  package var sentBytes: UInt64 = 0
}
