/// Runs programs for their output.
package enum ChildProcess {
  /// The standard output of the program `words[0]`, which is searched for in `PATH`; nil if it
  /// doesn't exit with 0. Its standard input is empty and its standard error is discarded. Only the
  /// environment variables in `names` are passed on.
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
