import BAPackCore
import Synchronization

/// Sends one file of a version: finds or creates its reservation, and sends the missing parts, with
/// new URLs after the old ones have expired.
struct FileSender {
  let file: FileToSend
  let source: HTTPRequest.Body
  let upload: PackUpload
  let version: String
  var known: [FileRecord]
  private(set) var id = ""
  private(set) var sentBytes: UInt64 = 0

  /// How often new URLs are requested when they don't work.
  private static let renewals = 4

  /// Whether the file was reserved by this sender, or before.
  func isKnown(_ id: String) -> Bool { known.contains { $0.id == id } }

  private var isAsset: Bool { file.assetType == "ASSET" }
  private var path: BytePath { upload.pack.path }
  private var receipt: Receipt { upload.receipt }

  mutating func send(report: @escaping @Sendable (UploadEvent) -> Void) throws {
    var record = try reservation()
    var hasReservedAnew = false
    for renewals in 0...Self.renewals {
      if renewals > 1 { try pause(Retry.delay(after: renewals)) }
      guard let values = record.operations else {
        throw UploadOperation.error(
          "the reservation has no parts, in state '\(record.state)'")
      }
      let operations = try UploadOperation.plan(values, size: file.size)
      let isExpired = operations.contains { ($0.expiration ?? .max) <= secondsSince1970() }
      if try !isExpired && sendParts(operations, report) { return }
      report(
        .message(
          "\(path): the addresses for the parts have expired; asking for new ones", .note))
      let renewed = try upload.api.file(record.id)
      let old = Set(operations.map(\.url))
      let hasNew =
        try renewed.operations.map {
          try UploadOperation.plan($0, size: file.size).contains { !old.contains($0.url) }
        } ?? false
      if hasNew {
        record = renewed
      } else {
        // A reservation can't be deleted, so at most one more is created.
        if hasReservedAnew { break }
        hasReservedAnew = true
        record = try reserve()
      }
    }
    throw Self.expired(path)
  }

  static func expired(_ path: BytePath) -> StoreError {
    StoreError(
      "the server refused each address it gave for the parts of '\(path)'; run the command again",
      isOfOnePack: true)
  }

  /// The reservation in the receipt, or a new one. Others are never used: another process may be
  /// sending other bytes to the same URLs.
  private mutating func reservation() throws -> FileRecord {
    let current = receipt.entry.current
    let id = isAsset ? current?.fileID : current?.manifestFileID
    guard var found = known.first(where: { $0.id == id }), found.matches(file),
      found.isAwaitingUpload
    else { return try reserve() }
    if found.operations == nil { found = try upload.api.file(found.id) }
    self.id = found.id
    return found
  }

  private mutating func reserve() throws -> FileRecord {
    let record = try upload.api.createFile(file, version: version, known: Set(known.map(\.id)))
    known.append(record)
    id = record.id
    try receipt.change { entry in
      if isAsset {
        entry.current?.fileID = record.id
        entry.current?.parts = []
      } else {
        entry.current?.manifestFileID = record.id
      }
    }
    return record
  }

  /// Sends the parts that are not in the receipt; false if a URL has expired.
  private mutating func sendParts(
    _ operations: [UploadOperation], _ report: @escaping @Sendable (UploadEvent) -> Void
  ) throws -> Bool {
    let present = isAsset ? Set(receipt.entry.current?.parts ?? []) : []
    let sent = Atomic<UInt64>(0)
    let sender = PartSender(
      pack: upload.pack, source: source, operations: operations, options: upload.options,
      report: report
    ) { [isAsset, receipt] part in
      sent.add(part.length, ordering: .relaxed)
      if isAsset { try receipt.add(part) }
    }
    defer { sentBytes += sent.load(ordering: .relaxed) }
    let result = Result { try sender.send(without: present) }
    try receipt.change { _ in }
    return try result.get()
  }
}
