import BAPackCore

/// The state of a pack's uploads, in a file next to it: `Pack.aar.upload.json`. It contains no
/// secrets.
///
/// A pack may be uploaded to several apps and servers; each has an entry, and this is about one of
/// them. Missing information is requested from the server, so the receipt may be deleted at any time.
/// Every change writes the file, and locks it: the pack may be replaced by another while it is
/// uploaded.
package final class Receipt: Sendable {
  private let path: BytePath
  private let state: Monitor<State>

  private struct State {
    var entries: [Entry]
    /// The place of the entry that this is about.
    let index: Int
    var lock: FileLock?
    var lastWrite = ContinuousClock.now
  }

  /// The pack in one app of one server.
  package struct Entry: Sendable {
    let server: String
    let app: String
    let identifier: String
    package var packID: String?
    package var current: Upload?
    /// Committed uploads, the newest last.
    package var uploaded: [Upload] = []
  }

  package struct Upload: Sendable, Equatable {
    package var state: State
    package let sha256: String
    package let size: UInt64
    /// The version; nil between the decision to create one and the response.
    package var versionID: String?
    package var version: String?
    package var knownVersions: [String] = []
    package var fileID: String?
    package var manifestFileID: String?
    package var parts: [Range<UInt64>] = []

    package enum State: String, Sendable {
      case creating
      /// The version exists, and the file is being sent.
      case uploading
      /// All parts were sent, and the file is being committed with these bytes.
      case committing
      case committed
      case complete
      case failed
    }

    package init(state: State, sha256: String, size: UInt64) {
      self.state = state
      self.sha256 = sha256
      self.size = size
    }

    /// The file is being sent to `version` from now on.
    mutating func begin(_ version: VersionRecord) {
      state = .uploading
      versionID = version.id
      self.version = version.number
    }
  }

  private static let maximumUploads = 50

  package static func path(beside pack: BytePath) -> BytePath {
    BytePath(pack.bytes + ".upload.json".utf8)
  }

  /// The receipt of the pack at `path` for an app of a server; empty if there is none.
  package init(ofPackAt pack: BytePath, server: String, app: String, identifier: String) throws {
    path = Self.path(beside: pack)
    try path.checkOwnFile()
    var entries: [Entry] = []
    if let bytes = try path.contentsIfPresent(limit: 16 << 20) {
      let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
      guard document.isStrict, let root = document.root else {
        throw Self.error(path, "it is not JSON")
      }
      guard root["schemaVersion"]?.count == 1 else {
        throw Self.error(path, "another version of this program wrote it")
      }
      for value in root["uploads"]?.array ?? [] {
        guard let entry = Entry(value) else {
          throw Self.error(path, "a value is missing or invalid")
        }
        entries.append(entry)
      }
    }
    var index = entries.firstIndex {
      $0.server == server && $0.app == app && $0.identifier == identifier
    }
    if index == nil {
      index = entries.count
      entries.append(Entry(server: server, app: app, identifier: identifier))
    }
    state = Monitor(State(entries: entries, index: index ?? 0, lock: try Self.lock(path)))
  }

  private static func error(_ path: BytePath, _ reason: String) -> StoreError {
    StoreError(
      "the receipt '\(path)' can't be used: \(reason). If you remove it, the server is asked"
        + " instead.")
  }

  private static func lock(_ path: BytePath) throws -> FileLock? {
    try path.checkOwnFile()
    guard try FileStatus.ifPresent(path) != nil else { return nil }
    return try FileLock(path, of: BytePath(path.bytes.dropLast(12)))
  }

  package var entry: Entry { state.withLock { $0.entries[$0.index] } }

  package func change(_ body: (inout Entry) -> Void) throws {
    try state.withLock { state in
      body(&state.entries[state.index])
      try write(&state)
    }
  }

  /// Records that the server has received a part. The file is written at most twice a second: an
  /// unrecorded part is merely sent again.
  func add(_ part: Range<UInt64>) throws {
    try state.withLock { state in
      state.entries[state.index].current?.parts.append(part)
      if ContinuousClock.now - state.lastWrite >= .milliseconds(500) { try write(&state) }
    }
  }

  private func write(_ state: inout State) throws {
    let uploaded = state.entries[state.index].uploaded.suffix(Self.maximumUploads)
    state.entries[state.index].uploaded = Array(uploaded)
    let document = JSONValue.object(["schemaVersion": 1, "uploads": state.entries])
    try AtomicOutput.write(JSONWriter.bytes(document), to: path, replacing: true, isOwn: true)
    state.lock = try Self.lock(path)
    state.lastWrite = .now
  }
}

/// A lock that a process keeps while it uploads a pack, released by `deinit` or when the process
/// ends. File systems without locks are not protected.
final class FileLock: Sendable {
  private let file: FileDescriptor

  init(_ path: BytePath, of pack: BytePath) throws {
    file = try path.attempt(.open, FileDescriptor.reading(path))
    if file.lock() == .held { throw StoreError("another process is uploading '\(pack)'") }
  }
}

extension Receipt.Entry: JSONRepresentable {
  fileprivate init?(_ value: JSONValue) {
    guard let server = value["server"]?.string, let app = value["app"]?.string,
      let identifier = value["assetPackID"]?.string
    else { return nil }
    let uploads = (value["uploaded"]?.array ?? []) + [value["current"]].compactMap(\.self)
    var read = uploads.compactMap { Receipt.Upload($0) }
    guard read.count == uploads.count else { return nil }
    let current = value["current"].flatMap { _ in read.popLast() }
    self.init(
      server: server, app: app, identifier: identifier, packID: value["packID"]?.string,
      current: current, uploaded: read)
  }

  package var json: JSONValue {
    .object([
      "server": server, "app": app, "assetPackID": identifier, "packID": packID,
      "current": current, "uploaded": uploaded,
    ])
  }
}

extension Receipt.Upload: JSONRepresentable {
  fileprivate init?(_ value: JSONValue) {
    guard let state = value["state"]?.string.flatMap({ State(rawValue: $0) }),
      let sha256 = value["sha256"]?.string, let size = value["size"]?.count
    else { return nil }
    self.init(state: state, sha256: sha256, size: size)
    versionID = value["versionID"]?.string
    version = value["version"]?.string
    fileID = value["fileID"]?.string
    manifestFileID = value["manifestFileID"]?.string
    knownVersions = (value["knownVersions"]?.array ?? []).compactMap(\.string)
    var left = size
    for part in value["parts"]?.array ?? [] {
      guard let numbers = part.array, numbers.count == 2, let offset = numbers[0].count,
        let length = numbers[1].count, offset <= size, length <= min(left, size - offset)
      else { return nil }
      left -= length
      parts.append(offset..<offset + length)
    }
  }

  package var json: JSONValue {
    .object([
      "state": state.rawValue, "sha256": sha256, "size": size, "version": version,
      "versionID": versionID, "fileID": fileID, "manifestFileID": manifestFileID,
      "knownVersions": knownVersions.isEmpty ? nil : knownVersions,
      "parts": parts.isEmpty ? nil : parts.map { [$0.lowerBound, $0.length] },
    ])
  }
}
