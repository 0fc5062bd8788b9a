/// Programs that are run for their output.
package enum ChildProcess {
  /// What the program `words[0]`, which is looked for in `PATH`, writes to its standard output; nil if
  /// it can't be run, or does not exit with 0. Its standard input is empty and its messages are
  /// dropped. Of this process's environment it has the variables in `names`.
  package static func output(of words: [[UInt8]], with names: [String]) -> [UInt8]? {
    do throws(Errno) {
      let (process, descriptor) = try systemSpawn(words, with: names)
      let pipe = FileDescriptor(rawValue: descriptor)
      let output = try? pipe.contents(of: "output of a program", limit: .max)
      let status = try systemWait(process)
      return status == 0 ? output : nil
    } catch {
      return nil
    }
  }
}
