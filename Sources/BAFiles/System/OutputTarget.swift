/// The destination that the path of an output leads to, links followed.
package enum OutputTarget: Sendable {
  /// A regular file, or nothing where one can be made, at this path.
  case file(BytePath, FileStatus?)
  /// A named pipe or a character device at this path.
  case stream(BytePath)
  /// A descriptor of this process, as `/dev/stdout`, `/dev/fd/3` and `>(...)` name it.
  case descriptor(CInt)
}

extension BytePath {
  /// What this path of an output leads to; an error if that can't be written. With `isOwn`, only a
  /// regular file or nothing is allowed at the path itself, since the program chose the name.
  package func outputTarget(isOwn: Bool = false) throws(SystemError) -> OutputTarget {
    var path = self
    // As many links as Linux follows.
    for _ in 0...40 {
      if !isOwn, let number = path.ownDescriptor {
        let kind = try attempt(.open, FileDescriptor(borrowing: number).status()).kind
        if kind == .directory || kind == .blockDevice { throw SystemError(notWritable: self, kind) }
        return .descriptor(number)
      }
      guard let status = try FileStatus.ifPresent(path) else {
        // A link below /proc to a pipe has no path for a target.
        let kind = try optional(
          .noSuchFile, .notDirectory, call: FileStatus.following(self).kind)
        return kind == .fifo || kind == .device ? .stream(self) : .file(path, nil)
      }
      switch status.kind {
      case .file: return .file(path, status)
      case _ where isOwn: throw SystemError(notWritable: self, status.kind, isOwn: true)
      case .symbolicLink: path = path.folder.appending(try path.linkTarget().bytes)
      case .fifo, .device: return .stream(path)
      case .directory, .socket, .blockDevice: throw SystemError(notWritable: self, status.kind)
      }
    }
    throw SystemError(.write, self, code: .tooManyLinks)
  }

  /// Fails if there is anything but a regular file at this path, which the program chose.
  package func checkOwnFile() throws(SystemError) { _ = try outputTarget(isOwn: true) }

  /// The descriptor of this process that this path itself names.
  private var ownDescriptor: CInt? {
    guard let number = CInt(String(decoding: name, as: UTF8.self)), number >= 0,
      let folder = try? folder.resolved()
    else { return nil }
    let folders: [BytePath] = ["/proc/self/fd", "/dev/fd"]
    return folders.contains { (try? $0.resolved()) == folder } ? number : nil
  }
}

/// An open pipe, device, or descriptor. A class so that it can be part of other values.
final class Stream: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

extension OutputTarget {
  /// Opens a stream that the path `shown` leads to; nil for a file. Waits for the reader of a named
  /// pipe.
  func openStream(_ shown: BytePath) throws(SystemError) -> Stream? {
    switch self {
    case .file: return nil
    case .descriptor(let number):
      return Stream(try shown.attempt(.open, FileDescriptor.duplicating(number)))
    case .stream(let path):
      while true {
        // A pipe without a reader fails to open, rather than wait where no signal is noticed.
        let stream = try optional(
          .noDevice,
          call: shown.attempt(
            .open,
            FileDescriptor.opening(workingDirectory, path.bytes, [.writing, .nonBlocking])))
        if let stream {
          let kind = try shown.attempt(.lookUp, stream.status()).kind
          guard kind == .fifo || kind == .device else {
            throw SystemError(notWritable: shown, kind)
          }
          return Stream(stream)
        }
        if Interruption.isPending { throw SystemError(.open, shown, code: .interrupted) }
        sleep(milliseconds: 50)
      }
    }
  }
}

extension FileDescriptor {
  /// Writes all of `bytes` to a pipe or device; a signal ends the wait for its reader.
  func send(_ bytes: [UInt8]) throws(Errno) {
    // SAFETY: the buffer is read within the closure.
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Errno) in
      var done = 0
      while done < buffer.count {
        // A pipe that accepts data has room for as much.
        let next = unsafe UnsafeRawBufferPointer(
          UnsafeBufferPointer(rebasing: buffer[done...].prefix(4096)))
        try wait(toWrite: true)
        do throws(Errno) {
          done += try unsafe systemWrite(rawValue, next)
        } catch {
          if error != .wouldBlock { throw error }
        }
      }
    }
  }
}
