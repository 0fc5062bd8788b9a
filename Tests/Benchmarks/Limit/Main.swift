import BAArchive
import Foundation

/// Measures the limits of any packaging program, on the blocks of a pack made with `--compression
/// store`, which are loaded into memory before timing starts.
///
///     limit-benchmark pack [-j JOBS] [--all|--lzfse] PACK
///
/// Compresses the blocks on JOBS threads, and nothing else: no files, no order, no output. Prints
/// the time in seconds and the size of the container as JSON. With `--all` every block is deflated;
/// otherwise blocks are compressed like `ba-package package`, with `--lzfse` like `--compression
/// lzfse`.
///
///     limit-benchmark probe [-j JOBS] PACK
///
/// Compares the output of `ba-package package` for each block with deflating all of it: the cost of
/// the probe's decisions in bytes, and their savings in time. Prints JSON.
///
///     limit-benchmark levels FILE
///
/// Packs the blocks of a file with raw data with each compression, with and without samples. Prints
/// sizes and processor times as JSON.
@main struct LimitBenchmark {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var jobs = Processors.available
    if let index = arguments.firstIndex(of: "-j"), index + 1 < arguments.count {
      jobs = Int(arguments[index + 1]) ?? jobs
      arguments.removeSubrange(index...(index + 1))
    }
    var codec = PackingCodec.zlib
    if arguments.contains("--all") { codec = .zlibOfAll }
    if arguments.contains("--lzfse") { codec = .lzfse }
    arguments.removeAll { $0 == "--all" || $0 == "--lzfse" }
    guard arguments.count == 2 else { throw Usage() }
    if arguments[0] == "levels" { return try print(measureLevels(arguments[1])) }
    let pack = try StoredPack(BytePath(arguments[1].utf8))
    switch arguments[0] {
    case "pack": try print(measurePacking(pack, jobs: jobs, codec: codec).json)
    case "probe": try print(checkProbe(pack, jobs: jobs).json)
    default: throw Usage()
    }
  }
}

struct Usage: Error {}

/// Passes the blocks of `pack` to `jobs` threads, as many at a time as fit in memory, and returns
/// the time in seconds during which threads worked.
///
/// `makeWorker` is called on each thread for each load; its result is called for each block with
/// the uncompressed size, and a buffer with the uncompressed bytes after space for a block header.
func onBlocks(
  of pack: consuming StoredPack, jobs: Int,
  makeWorker: @escaping @Sendable () throws -> (Int, Buffer) -> Void
) throws -> Double {
  // Half a gigabyte: the pauses are too few to matter.
  let buffers = try (0..<512).map { _ in try Buffer(size: blockBufferSize) }
  var seconds = 0.0
  while true {
    let sizes = try pack.load(into: buffers)
    if sizes.isEmpty { return seconds }
    let next = Monitor(0)
    seconds +=
      ContinuousClock().measure {
        onThreads(jobs) {
          guard let work = try? makeWorker() else { fatalError("no memory") }
          while true {
            let index = next.withLock { next in
              defer { next += 1 }
              return next
            }
            guard index < sizes.count else { return }
            work(sizes[index], buffers[index])
          }
        }
      }.seconds
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
