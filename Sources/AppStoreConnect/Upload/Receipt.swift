import BAPackCore

/// The state of a pack's uploads, in a file next to it: `Pack.aar.upload.json`. It contains no
/// secrets.
///
/// A pack may be uploaded to several apps and servers; each has an entry. Missing information is
/// requested from the server, so the receipt may be deleted at any time.
package struct Receipt: Sendable {
  package let path: BytePath
  package private(set) var entries: [Entry] = []

  /// The pack in one app of one server.
  package struct Entry: Sendable {
    package let server: String
    package let app: String
    package let identifier: String
    package var packID: String?
    package var current: Upload?
    /// Committed uploads, the newest last.
    package var uploaded: [Upload] = []

    package init(server: String, app: String, identifier: String) {
      self.server = server
      self.app = app
      self.identifier = identifier
    }
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

    package init(state: State, sha256: String, size: UInt64) {
      self.state = state
      self.sha256 = sha256
      self.size = size
    }
  }

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

  private static let maximumUploads = 50

  package static func path(beside pack: BytePath) -> BytePath {
    BytePath(pack.bytes + ".upload.json".utf8)
  }

  /// The receipt of the pack at `path`; empty if there is none.
  package init(ofPackAt pack: BytePath) throws {
    path = Self.path(beside: pack)
    try path.checkOwnFile()
    guard let bytes = try path.contentsIfPresent(limit: 16 << 20) else { return }
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard document.isStrict, let root = document.root else {
      throw error("it is not JSON")
    }
    guard root["schemaVersion"]?.count == 1 else {
      throw error("another version of this program wrote it")
    }
    for value in root["uploads"]?.array ?? [] {
      guard let entry = Entry(value) else { throw error("a value is missing or invalid") }
      entries.append(entry)
    }
  }

  private func error(_ reason: String) -> StoreError {
    StoreError(
      "the receipt '\(path)' can't be used: \(reason). If you remove it, the server is asked"
        + " instead.")
  }

  fileprivate func lock() throws -> FileLock? {
    try path.checkOwnFile()
    guard try FileStatus.ifPresent(path) != nil else { return nil }
    return try FileLock(path, of: BytePath(path.bytes.dropLast(12)))
  }

  /// The entry for an app of a server; empty if there is none.
  package func entry(server: String, app: String, identifier: String) -> Entry {
    entries.first { $0.server == server && $0.app == app && $0.identifier == identifier }
      ?? Entry(server: server, app: app, identifier: identifier)
  }

  /// Replaces the entry for the same app, and writes the file.
  package mutating func update(_ entry: Entry) throws {
    var entry = entry
    entry.uploaded = entry.uploaded.suffix(Self.maximumUploads)
    if let index = entries.firstIndex(where: {
      $0.server == entry.server && $0.app == entry.app && $0.identifier == entry.identifier
    }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    let document = JSONValue.object(["schemaVersion": 1, "uploads": entries])
    try AtomicOutput.write(JSONWriter.bytes(document), to: path, replacing: true, isOwn: true)
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

/// An entry of a receipt, shared by threads. Every change writes the file, and locks it: the pack
/// may be replaced by another while it is uploaded.
package final class ReceiptKeeper: Sendable {
  private struct State {
    var receipt: Receipt
    var entry: Receipt.Entry
    var lock: FileLock?
    var lastWrite = ContinuousClock.now
  }

  private let state: Monitor<State>

  package init(_ receipt: Receipt, _ entry: Receipt.Entry) throws {
    state = Monitor(State(receipt: receipt, entry: entry, lock: try receipt.lock()))
  }

  package var entry: Receipt.Entry { state.withLock(\.entry) }

  package func change(_ body: (inout Receipt.Entry) -> Void) throws {
    try state.withLock { state in
      body(&state.entry)
      try Self.write(&state)
    }
  }

  /// Records that the server has received a part. The file is written at most twice a second: an
  /// unrecorded part is merely sent again.
  package func add(_ part: Range<UInt64>) throws {
    try state.withLock { state in
      state.entry.current?.parts.append(part)
      if ContinuousClock.now - state.lastWrite >= .milliseconds(500) { try Self.write(&state) }
    }
  }

  private static func write(_ state: inout State) throws {
    try state.receipt.update(state.entry)
    state.lock = try state.receipt.lock()
    state.lastWrite = .now
  }
}

extension Receipt.Entry: JSONRepresentable {
  fileprivate init?(_ value: JSONValue) {
    guard let server = value["server"]?.string, let app = value["app"]?.string,
      let identifier = value["assetPackID"]?.string
    else { return nil }
    self.init(server: server, app: app, identifier: identifier)
    packID = value["packID"]?.string
    if let current = value["current"] {
      guard let upload = Receipt.Upload(current) else { return nil }
      self.current = upload
    }
    for element in value["uploaded"]?.array ?? [] {
      guard let upload = Receipt.Upload(element) else { return nil }
      uploaded.append(upload)
    }
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
    guard let state = value["state"]?.string.flatMap({ Receipt.State(rawValue: $0) }),
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
