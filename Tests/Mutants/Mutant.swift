#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A byte for each mistake: 1 if it is planted, and 2 until the folder of what was reached has it.
private nonisolated(unsafe) let marks: UnsafeMutablePointer<UInt8> = {
  let marks = UnsafeMutablePointer<UInt8>.allocate(capacity: 100_000)
  marks.initialize(repeating: getenv("MUTANTS_REACHED") == nil ? 0 : 2, count: 100_000)
  for number in (getenv("MUTANT").map { String(cString: $0) } ?? "").split(separator: ",") {
    marks[Int(number) ?? 0] |= 1
  }
  return marks
}()

/// `value`, or if the mistake is planted, `kind`: false, true, or the opposite.
@inline(never) func mutant(_ number: Int, _ value: Bool, _ kind: Int) -> Bool {
  let mark = marks[number]
  if mark == 0 { return value }
  if mark & 2 != 0, let folder = getenv("MUTANTS_REACHED") {
    // An empty file, since a test may limit the size of files.
    if let file = fopen(String(cString: folder) + "/\(number)", "we") { fclose(file) }
    marks[number] = mark & 1
  }
  return mark & 1 == 0 ? value : kind == 2 ? !value : kind == 1
}
