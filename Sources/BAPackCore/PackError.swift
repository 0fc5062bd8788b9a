/// Why a call of the library failed: the one type of error of all its calls. A caller acts on ``code``,
/// and shows `description` to people.
public struct PackError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is. There may be more in a later version, so a `switch` needs a
  /// `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable name.
    public let rawValue: String

    /// The code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no file or folder at ``PackError/path``.
    public static let notFound = Code(rawValue: "not-found")
    /// The system refuses access to it.
    public static let permissionDenied = Code(rawValue: "permission-denied")
    /// The disk is full, or a quota is used up.
    public static let noSpace = Code(rawValue: "no-space")
    /// It is a folder, and a file is expected.
    public static let isFolder = Code(rawValue: "is-folder")
    /// Another failed call of the system; see ``PackError/errno``.
    public static let system = Code(rawValue: "system")
    /// A file isn't an asset pack at all, but text, a zip file or another archive.
    public static let notAPack = Code(rawValue: "not-a-pack")
    /// A pack is damaged; see ``PackError/damage``.
    public static let damaged = Code(rawValue: "damaged")
    /// A pack is compressed in a way that can't be read here.
    public static let unsupported = Code(rawValue: "unsupported")
    /// A limit was exceeded, such as one of ``ReadingLimits``.
    public static let limitExceeded = Code(rawValue: "limit-exceeded")
    /// A name in a pack is invalid, clashes with another, or leads outside.
    public static let unsafeName = Code(rawValue: "unsafe-name")
    /// A file to extract is a symbolic link.
    public static let link = Code(rawValue: "link")
    /// Packs can't be merged on one device.
    public static let clash = Code(rawValue: "clash")
    /// A pack isn't what it is compared with.
    public static let differs = Code(rawValue: "differs")
    /// The output exists, and isn't to be replaced.
    public static let outputExists = Code(rawValue: "output-exists")
    /// The output is also an input, or a manifest.
    public static let outputIsInput = Code(rawValue: "output-is-input")
    /// A file changed after it was selected or opened.
    public static let changed = Code(rawValue: "changed")
    /// There are findings that are errors; see ``PackError/findings``.
    public static let findings = Code(rawValue: "findings")
    /// It isn't known which of the packs in several languages a device has.
    public static let languageUndecided = Code(rawValue: "language-undecided")
    /// Nothing matches a filter.
    public static let nothingMatches = Code(rawValue: "nothing-matches")
    /// An argument can't be used.
    public static let invalidArgument = Code(rawValue: "invalid-argument")
    /// There is not enough memory.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// The work was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A source, a sink or a closure of the caller failed; see ``PackError/underlying``.
    public static let external = Code(rawValue: "external")
  }

  /// What kind of failure it is.
  public let code: Code
  /// The file or folder that it is about, if it is about one.
  public let path: BytePath?
  /// The `errno` of the system, if one of its calls failed.
  public let errno: CInt?
  /// What is damaged, and where.
  public let damage: ArchiveDamage?
  /// The findings because of which nothing was done.
  public let findings: [Finding]
  /// What was thrown: an error of the caller's own code for ``Code/external``, otherwise for display.
  public let underlying: any Error

  /// What happened, where, and what to do, in one sentence.
  public var description: String { words ?? "\(underlying)" }
  private let words: String?

  /// An error with `message`, one sentence without a final period.
  package init(
    _ code: Code, _ message: String, path: BytePath? = nil, findings: [Finding] = []
  ) {
    (self.code, self.path, self.findings) = (code, path, findings)
    (errno, damage, words) = (nil, nil, message)
    underlying = PackagingError(message)
  }

  /// The same failure as `error`, with its code.
  package init(_ error: any Error) {
    if let error = error as? PackError {
      self = error
      return
    }
    underlying = error
    words = (error as? Finding)?.message
    damage = error as? ArchiveDamage
    findings = (error as? Finding).map { [$0] } ?? []
    let system = error as? SystemError ?? (error as? PackagingError)?.system
    errno = (system?.number).flatMap { $0 > 0 ? $0 : nil }
    path = damage?.pack ?? system?.path ?? (error as? PackagingError)?.path
    code =
      switch error {
      case let damage as ArchiveDamage: damage.reason.code
      case let error as PackagingError: error.code
      case let error as SystemError: error.packCode
      case let code as Errno: code == .outOfMemory ? .outOfMemory : .system
      case is Interrupted, is CancellationError: .cancelled
      case is Finding: .findings
      default: .external
      }
  }

  /// The result of `body`, whose errors become values of this type.
  package static func wrap<Result>(_ body: () throws -> Result) throws(PackError) -> Result {
    do { return try body() } catch { throw PackError(error) }
  }
}

extension DamageReason {
  fileprivate var code: PackError.Code {
    switch family {
    case .foreign: .notAPack
    case .codec: .unsupported
    case .limit: .limitExceeded
    case .names: .unsafeName
    case .layout where self == .noContents: .notAPack
    case .container, .payload, .stream, .layout, .ignored: .damaged
    }
  }
}

extension SystemError {
  fileprivate var packCode: PackError.Code {
    switch code {
    case .noSuchFile: .notFound
    case .permissionDenied, .notPermitted: .permissionDenied
    case .noSpace: .noSpace
    case .isDirectory: .isFolder
    case .fileExists: .outputExists
    case .fileTooLarge where limit != nil: .limitExceeded
    case .outOfMemory: .outOfMemory
    case .changed, .exchanged: .changed
    default: .system
    }
  }
}

extension PackagingError {
  fileprivate var system: SystemError? {
    if case .recordFailed(_, let error) = self { error } else { nil }
  }

  fileprivate var path: BytePath? {
    switch self {
    case .fileChanged(let path, _, _), .fileReplaced(let path), .outputExists(let path),
      .notAssetPack(let path), .link(_, _, let path), .notAReport(let path, _):
      path
    case .outOfMemory, .noMatch, .severalLanguages, .severalPlatforms, .severalRegions,
      .noPrimaryLanguage, .refused, .recordFailed, .clash, .source:
      nil
    }
  }

  fileprivate var code: PackError.Code {
    switch self {
    case .fileChanged, .fileReplaced: .changed
    case .outputExists: .outputExists
    case .recordFailed(_, let error): error.packCode
    case .outOfMemory: .outOfMemory
    case .notAssetPack: .notAPack
    case .noMatch: .nothingMatches
    case .severalLanguages, .severalPlatforms, .severalRegions, .noPrimaryLanguage:
      .languageUndecided
    case .link: .link
    case .clash: .clash
    case .source: .external
    case .notAReport, .refused: .invalidArgument
    }
  }
}

extension Work {
  /// Makes a function that reports how many bytes of a total are done of an item.
  package typealias Reporter = (_ total: UInt64, _ item: BytePath?) -> @Sendable (UInt64) -> Void

  /// The result of `body`, which stops if this work is cancelled. It makes at most one function that
  /// reports progress, which ends at the total. Its errors have codes.
  package func result<Result>(_ body: (Reporter) throws -> Result) throws(PackError) -> Result {
    var finish = {}
    do {
      let result = try run {
        try body { total, item in
          let meter = Meter(self, total: total)
          finish = { meter.finish(item) }
          return { meter.reach($0, item) }
        }
      }
      finish()
      return result
    } catch {
      throw PackError(error)
    }
  }

  /// The result of `body` on a separate thread.
  package func detached<Result: Sendable>(
    _ body: @escaping @Sendable (Work) throws -> Result
  ) async throws(PackError) -> Result {
    do { return try await onThread(body) } catch { throw PackError(error) }
  }
}
