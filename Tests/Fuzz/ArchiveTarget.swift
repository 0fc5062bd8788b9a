import BAPackCore
import Foundation

/// Verifies mutations of the golden archives: containers, headers, layouts, embedded manifests.
struct ArchiveTarget: FuzzTarget {
  private let corpus: [[UInt8]]
  private let file = FileManager.default.temporaryDirectory
    .appending(path: "fuzz-\(ProcessInfo.processInfo.processIdentifier).aar")

  init() throws { corpus = try fixtures("archives", ["aar"]) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let archive = random.mutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    // Foundation would wait for the disk each time.
    guard let stream = unsafe fopen(file.path, "wb") else { fatalError("\(file.path)") }
    unsafe fwrite(archive, 1, archive.count, stream)
    unsafe fclose(stream)
    defer { unsafe unlink(file.path) }
    do throws(ArchiveError) {
      // Two threads now and then, so that the order of blocks is put to the test as well.
      let report = try PackReport.verify(FilePath(file.path.utf8), jobs: 1 + random.below(2))
      return report.isSound ? "sound" : "refused with problems"
    } catch {
      guard !"\(error)".isEmpty else { fatalError("round \(round): no message") }
      return "refused at once"
    }
  }
}
