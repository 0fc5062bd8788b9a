#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private nonisolated(unsafe) let active = getenv("BA_MUTANT").map { atoi($0) } ?? -1
private nonisolated(unsafe) let record = getenv("BA_MUTANTS_REACHED")
private nonisolated(unsafe) let reached = UnsafeMutablePointer<UInt8>.allocate(capacity: 100_000)
private let isCleared: Bool = {
  reached.initialize(repeating: 0, count: 100_000); return true
}()

/// `value`, or if the mistake is planted, `kind`: false, true, or the opposite.
@inline(never) func mutant(_ number: Int, _ value: Bool, _ kind: Int) -> Bool {
  if let record, isCleared, reached[number] == 0 {
    reached[number] = 1
    let file = open(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    if file >= 0 {
      _ = "\(number)\n".withCString { Glibc.write(file, $0, strlen($0)) }
      close(file)
    }
  }
  return active == Int32(number) ? (kind == 2 ? !value : kind == 1) : value
}
