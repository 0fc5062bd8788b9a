import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Signals, each in a separate process.
@Suite struct InterruptionTests {
  @Test func aSignalEndsPackagingAndLeavesTheOldFile() async {
    await #expect(processExitsWith: .success) {
      try packageWithSignal { _ in 2 << 20 }
    }
  }

  @Test func aSignalAfterTheLastBlockDoesSoToo() async {
    await #expect(processExitsWith: .success) {
      try packageWithSignal { layout in layout.size }
    }
  }

  @Test func aPostponedSignalIsDelivered() async {
    await #expect(processExitsWith: .success) {
      takeSignals()
      Interruption.postpone()
      raise(SIGINT)
      Interruption.postpone()
      #expect(Interruption.pending == SIGINT)
    }
  }

  @Test func allThreeSignalsAreNoted() async {
    await #expect(processExitsWith: .success) {
      takeSignals()
      Interruption.postpone()
      for number in [SIGINT, SIGHUP, SIGTERM] {
        raise(number)
        #expect(Interruption.pending == number)
      }
    }
  }

  /// As with `nohup`, or in the background of a script.
  @Test func anIgnoredSignalStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      takeSignals()
      signal(SIGHUP, SIG_IGN)
      Interruption.postpone()
      raise(SIGHUP)
      #expect(Interruption.pending == nil)
      raise(SIGINT)
      #expect(Interruption.pending == SIGINT)
    }
  }

  /// The waiting thread isn't always the one that receives the signal.
  @Test func aSignalEndsTheWaitForAPipe() async {
    await #expect(processExitsWith: .success) {
      takeSignals()
      Interruption.postpone()
      // Its writing end stays open, so that reading doesn't find the end.
      let pipe = Pipe()
      let writer = pipe.fileHandleForWriting
      let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
      let reader = try FileDescriptor.reading(path)
      Thread.detachNewThread {
        takeSignals()
        usleep(20_000)
        raise(SIGINT)
      }
      #expect(throws: Errno.interrupted) {
        try read(2, from: reader)
      }
      #expect(Interruption.pending == SIGINT)
      // From now on, only available data is read.
      try writer.write(contentsOf: Data([7, 8]))
      #expect(try read(2, from: reader) == [7, 8])
      #expect(throws: Errno.interrupted) {
        try read(1, from: reader)
      }
      try writer.close()
      #expect(try read(1, from: reader) == [])
    }
  }

  @Test func aClosedPipeIsAnError() async {
    await #expect(processExitsWith: .success) {
      takeSignals()
      signal(SIGPIPE, SIG_DFL)
      Interruption.turnWriteSignalsIntoErrors()
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      dup2(pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
      let error = #expect(throws: Errno.self) {
        try FileDescriptor.standardOutput.write([1])
      }
      #expect(error == .brokenPipe)
    }
  }
}

/// Up to `count` bytes of a pipe.
@discardableResult
private func read(
  _ count: Int, from pipe: borrowing FileDescriptor
) throws -> [UInt8] {
  let buffer = try Buffer(size: count)
  let received = try unsafe pipe.read(into: buffer.bytes)
  return unsafe Array(buffer.bytes.prefix(received))
}

/// Packages with a signal once the number of bytes in `place` is written, replacing an old file.
private func packageWithSignal(_ place: (ArchiveLayout) -> UInt64) throws {
  takeSignals()
  let tree = try TemporaryFolder()
  let out = try TemporaryFolder()
  try tree.write("zeros", [UInt8](repeating: 0, count: 40 << 20))
  try out.write("Pack.aar", "old".utf8)
  let layout = try layout(of: tree)
  let place = place(layout)
  Interruption.postpone()
  #expect(Interruption.pending == nil)
  var packager = Packager()
  packager.replacesOutput = true
  packager.jobs = 3
  let done = Monitor(UInt64(0))
  packager.progress = { size, _ in
    let isThere = done.withLock { done in
      done += UInt64(size)
      return done == place
    }
    if isThere { raise(SIGTERM) }
  }
  #expect(throws: Interrupted(signal: SIGTERM, "nothing was written")) {
    try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
  }
  #expect(Interruption.pending == SIGTERM)
  #expect(try out.names() == ["Pack.aar"])
  #expect(try out.contents("Pack.aar") == Array("old".utf8))
}

/// Unblocks signals for this thread and those it starts: the threads that run tests block them,
/// unlike those of a program.
private func takeSignals() {
  var none = sigset_t()
  unsafe sigemptyset(&none)
  unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}
