import BAPackCore

/// Reads mutations of files with checksums inside, like `verify --deep`, in pieces of any size.
struct ChecksumTarget: FuzzTarget {
  private let corpus: [[UInt8]]

  init() throws { corpus = try fixtures("checksums", ["flac", "oga", "ogg", "png", "zip"]) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let file = random.mutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    var checks = FileChecksums(
      size: UInt64(file.count), inflater: try DeflateChecker(limit: 1 << 20))
    var rest = file[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(1 + random.below(300)))
      unsafe checks.update(piece.span.bytes)
      rest = rest.dropFirst(piece.count)
    }
    checks.finish()
    let log = checks.log
    guard log.covered <= UInt64(file.count),
      log.problems.allSatisfy({ $0.offset <= UInt64(file.count) && !$0.message.isEmpty })
    else { fatalError("round \(round): \(log)") }
    return (checks.kind?.rawValue ?? "none") + (log.problems.isEmpty ? ", OK" : ", damaged")
  }
}
