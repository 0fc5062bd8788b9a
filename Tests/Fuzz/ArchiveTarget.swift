import BAPackCore
import Foundation

/// Reads mutations of the golden archives like the commands: containers, headers, layouts, embedded
/// manifests, digests, contents.
struct ArchiveTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let file = FileManager.default.temporaryDirectory
    .appending(path: "fuzz-\(ProcessInfo.processInfo.processIdentifier).aar")

  /// The decompression bombs, the largest files, would take a hundred times as long as the others.
  init() throws { corpus = try fixtures("archives", ["aar"]).filter { $0.count < 1 << 13 } }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let archive = random.mutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    // Foundation would sync the file each time.
    guard let stream = unsafe fopen(file.path, "wb") else { fatalError("\(file.path)") }
    unsafe fwrite(archive, 1, archive.count, stream)
    unsafe fclose(stream)
    defer { unsafe unlink(file.path) }
    let path = BytePath(file.path.utf8)
    // Sometimes two threads, to test the order of blocks too.
    let jobs = 1 + random.below(2)
    do {
      let report = try PackReport.verify(ArchiveInput(path), jobs: jobs)
      let contents = read(path, jobs)
      return (report.isSound ? "sound" : "refused with problems") + ", " + contents
    } catch {
      guard !"\(error)".isEmpty else { fatalError("round \(round): no message") }
      return "refused at once"
    }
  }

  /// What `list`, `info`, `cat` and `extract` read, and the result.
  private func read(_ path: BytePath, _ jobs: Int) -> String {
    do {
      let pack = try PackIndex.read(
        ArchiveInput(path, digestingPipe: true), contentsDigest: true, fileDigests: true, jobs: jobs
      )
      let merged = try MergedPacks([pack])
      for file in merged.files where file.entry.kind == .file {
        try pack.readContents(of: file.entry, jobs: jobs) { _ in }
      }
      return "all read"
    } catch {
      guard !"\(error)".isEmpty else { fatalError("no message") }
      return "not all read"
    }
  }
}
