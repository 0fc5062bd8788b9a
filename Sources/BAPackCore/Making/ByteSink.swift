/// Receives a pack instead of a file.
public protocol ByteSink: Sendable {
  /// Takes the next bytes of the pack, a block of up to 1 MiB. Called by any thread, one at a time;
  /// if it throws, the work ends with that error.
  mutating func write(_ bytes: [UInt8]) throws
}

/// Keeps a pack in memory.
struct MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ bytes: [UInt8]) { self.bytes += bytes }
}

/// A sink that the threads of a build share, of which one at a time delivers blocks.
final class SinkBox<Sink: ByteSink>: @unchecked Sendable {
  var sink: Sink

  init(_ sink: Sink) { self.sink = sink }
}

// MARK: Forms for `async` functions

extension AppCheck {
  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  public init(
    reading paths: [BytePath], _ options: ManifestCheck.Options = ManifestCheck.Options(),
    _ work: Work = Work()
  ) async throws(PackError) {
    self = try await work.detached { try AppCheck(reading: paths, options, $0) }
  }
}

extension AssetPackBuilder {
  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  public init(
    reading paths: [BytePath], to destination: Destination? = nil,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), keepingUnchanged: Bool = false,
    _ work: Work = Work()
  ) async throws(PackError) {
    self = try await work.detached {
      try AssetPackBuilder(
        reading: paths, to: destination, options, keepingUnchanged: keepingUnchanged, $0)
    }
  }

  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  public init(
    of manifests: [Manifest], to destination: Destination? = nil,
    _ options: ManifestCheck.Options = ManifestCheck.Options(), keepingUnchanged: Bool = false,
    _ work: Work = Work()
  ) async throws(PackError) {
    self = try await work.detached {
      try AssetPackBuilder(
        of: manifests, to: destination, options, keepingUnchanged: keepingUnchanged, $0)
    }
  }

  /// The same for `async` functions: when the task is cancelled, packs that aren't complete have the
  /// state ``PackResult/State/cancelled``.
  public func build(_ work: Work = Work()) async throws(PackError) -> [PackResult] {
    try await work.detached { try build($0) }
  }

  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  @discardableResult
  public func write<Sink: ByteSink>(
    _ identifier: String, to sink: inout Sink, _ work: Work = Work()
  ) async throws(PackError) -> ContainerFacts {
    let start = sink
    let (facts, end) = try await work.detached { work in
      var sink = start
      return (try write(identifier, to: &sink, work), sink)
    }
    sink = end
    return facts
  }

  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  public func bytes(of identifier: String, _ work: Work = Work()) async throws(PackError) -> [UInt8]
  {
    try await work.detached { try bytes(of: identifier, $0) }
  }

  /// The same for `async` functions; ends with ``PackError/Code/cancelled`` when the task is.
  public func digest(of identifier: String, _ work: Work = Work()) async throws(PackError) -> String
  {
    try await work.detached { try digest(of: identifier, $0) }
  }
}
