package enum ChildProcess {
  /// The standard output of the program at the path `words[0]`; nil if it doesn't exit with 0. Its
  /// standard input is `input`, up to 16 KiB; its standard error is discarded, and it has only
  /// these environment variables, `NAME=value`. It is stopped if it takes longer than `time` or
  /// prints more than `limit` bytes.
  package static func output(
    of words: [[UInt8]], _ environment: [[UInt8]], within time: Duration, limit: Int,
    input: [UInt8] = []
  ) throws(Errno) -> [UInt8]? {
    let end = ContinuousClock.now + time
    let (process, descriptor) = try systemSpawn(words, environment, input: input)
    do {
      let output = try contents(FileDescriptor(rawValue: descriptor), end, limit)
      while true {
        if let status = try systemExitStatus(process) { return status == 0 ? output : nil }
        try check(end)
        sleep(milliseconds: 1)
      }
    } catch {
      systemKill(process)
      throw error
    }
  }

  private static func contents(
    _ pipe: consuming FileDescriptor, _ end: ContinuousClock.Instant, _ limit: Int
  ) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      try check(end)
      guard pipe.isReady(milliseconds: 100) else { continue }
      let piece = try unsafe [UInt8](upTo: 1 << 16) { (buffer) throws(Errno) in
        try unsafe systemRead(pipe.rawValue, buffer)
      }
      if piece.isEmpty { return bytes }
      guard piece.count <= limit - bytes.count else { throw .fileTooLarge }
      bytes += piece
    }
  }

  private static func check(_ end: ContinuousClock.Instant) throws(Errno) {
    if Interruption.isPending { throw .interrupted }
    if ContinuousClock.now > end { throw .timedOut }
  }
}
