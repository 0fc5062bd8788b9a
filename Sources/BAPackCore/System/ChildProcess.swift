/// Programs that are run for their output.
package enum ChildProcess {
  /// What the program `words[0]`, which is looked for in `PATH`, writes to its standard output; nil if
  /// it does not exit with 0. Its standard input is empty and its messages are dropped. Of this
  /// process's environment it has the variables in `names`.
  package static func output(
    of words: [[UInt8]], with names: [String]
  ) throws(Errno) -> [UInt8]? {
    let (process, descriptor) = try systemSpawn(words, with: names)
    let output: Result<[UInt8], Errno>
    do throws(SystemError) {
      let pipe = FileDescriptor(rawValue: descriptor)
      output = .success(try BytePath("output of a program".utf8).contents(of: pipe, limit: .max))
    } catch {
      output = .failure(error.code)
    }
    let status = try systemWait(process)
    return try status == 0 ? output.get() : nil
  }
}
