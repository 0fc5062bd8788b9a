/// A system call that failed: the operation, the path and the reason.
package struct SystemError: Error, Hashable, Sendable {
  package let code: Errno
  package let operation: Operation
  /// The file or folder that it is about.
  package let path: BytePath
  /// If the file was too large, the maximum size in bytes.
  package let limit: Int?
  /// If something else is where a file is to be written, its kind.
  package let kind: FileKind?
  /// If files were to be written together, those that were written nevertheless.
  package var written: [BytePath]?

  /// The `errno` of the system, such as `ENOENT`; negative if the system reported no error.
  package var number: CInt { code.rawValue }

  /// An error of the system; `code` defaults to the current `errno`.
  package init(
    _ operation: Operation, _ path: BytePath, code: Errno = .current, limit: Int? = nil,
    kind: FileKind? = nil
  ) {
    (self.operation, self.path, self.code) = (operation, path, code)
    (self.limit, self.kind) = (limit, kind)
  }

  /// The path of an output leads to something else than a file or a stream; if it `isOwn`, the
  /// program chose the name.
  package init(notWritable path: BytePath, _ kind: FileKind, isOwn: Bool = false) {
    self.init(
      isOwn ? .replace : .write, path, code: kind == .directory ? .isDirectory : .notSupported,
      kind: kind)
  }

  /// Operations on a path. The raw value is the verb in messages.
  package enum Operation: String, Sendable {
    case open
    case openFolder = "open folder"
    case create
    case createFolder = "create folder"
    case read
    case readAgain = "read again"
    case readFolder = "read folder"
    case readLink = "read link"
    case write
    case sync
    case syncFolder = "sync folder"
    case lock
    case watch
    case serve
    case close
    case replace
    case remove
    case removeName = "remove the temporary name"
    case lookUp = "look up"
    case setMode = "set the mode of"
    case runGit = "run Git in"
  }
}

extension SystemError: CustomStringConvertible {
  /// For example `can't open 'Textures/a.png': permission denied`.
  package var description: String {
    guard let written else { return reason }
    return written.isEmpty
      ? "\(reason); nothing was written"
      : "\(reason); only these files were written: "
        + written.map { "'\($0)'" }.joined(separator: ", ")
  }

  private var reason: String {
    if path == .standardOutput { return "can't write to standard output: \(code)" }
    if let limit {
      return "'\(path)' is larger than \(byteCount(UInt64(limit))), the maximum"
    }
    if let kind {
      return operation == .write
        ? "'\(path)' is \(kind); name the file to write"
        : "'\(path)' is \(kind); remove it, as only a regular file is written there"
    }
    // What is missing is not the new file but its folder.
    if code == .noSuchFile, operation == .create || operation == .createFolder {
      return "can't create '\(printable(path.name))': the folder '\(path.folder)' does not exist; "
        + "create it first"
    }
    if code == .noSuchFile, [.open, .openFolder, .lookUp].contains(operation) {
      return "there is no '\(path)'"
    }
    if operation == .runGit {
      switch code {
      case .failedCommand:
        return "Git can't list the files in '\(path)'; run 'git status' there to see why"
      case .timedOut: return "Git took too long to list the files in '\(path)', and was stopped"
      case .noSuchFile: return "Git, which knows the files in '\(path)', is not installed"
      case .fileTooLarge: return "Git lists too many files in '\(path)'"
      default: break
      }
    }
    if code == .changed {
      return "'\(path)' was changed by another program; it was not replaced"
    }
    if code == .namedPipe {
      return "'\(path)' is a named pipe; pass its contents as '-' or by '<(cat ...)'"
    }
    if code == .exchanged {
      return "another program exchanged the temporary folder for '\(path)'"
    }
    let text = "can't \(operation.rawValue) '\(path)': \(code)"
    switch operation {
    case .syncFolder where written == nil:
      return text + "; what was written there is complete, but a power cut may undo it"
    case .removeName: return text + "; the file itself is complete"
    default: return text
    }
  }
}

package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: CInt

  package init(rawValue: CInt) { self.rawValue = rawValue }

  /// The system's message, starting in lowercase: `no such file or directory`.
  package var description: String {
    let text = systemText
    // Words like 'I/O' and 'RPC' stay capitalized.
    let second = text.dropFirst().first
    guard let first = text.first, second?.isLowercase ?? false else { return text }
    return first.lowercased() + text.dropFirst()
  }
}

extension Errno {
  // These numbers are the same on all systems, since the seventh edition of Unix.
  package static let notPermitted = Errno(rawValue: 1)
  package static let noSuchFile = Errno(rawValue: 2)
  package static let interrupted = Errno(rawValue: 4)
  package static let inputOutput = Errno(rawValue: 5)
  /// There is no such device, or a named pipe has no reader.
  package static let noDevice = Errno(rawValue: 6)
  package static let notProgram = Errno(rawValue: 8)
  package static let outOfMemory = Errno(rawValue: 12)
  package static let permissionDenied = Errno(rawValue: 13)
  /// On Windows, another process has the file open and doesn't share it, or it is about to be removed.
  package static let busy = Errno(rawValue: 16)
  package static let fileExists = Errno(rawValue: 17)
  /// A part of the path before the last isn't a folder.
  package static let notDirectory = Errno(rawValue: 20)
  package static let isDirectory = Errno(rawValue: 21)
  package static let fileTooLarge = Errno(rawValue: 27)
  package static let noSpace = Errno(rawValue: 28)
  package static let illegalSeek = Errno(rawValue: 29)
  package static let brokenPipe = Errno(rawValue: 32)

  /// A named pipe instead of a file. Not an error of the system.
  package static let namedPipe = Errno(rawValue: -1)
  /// A program that was run has failed. Not an error of the system.
  package static let failedCommand = Errno(rawValue: -2)
  /// Another process has exchanged a file or folder. Not an error of the system.
  package static let exchanged = Errno(rawValue: -3)
  /// A file isn't the one that was to be replaced. Not an error of the system.
  package static let changed = Errno(rawValue: -4)
}

extension BytePath {
  /// The result of `call`. Adds the operation and this path to its error.
  package func attempt<Result: ~Copyable>(
    _ operation: SystemError.Operation, _ call: @autoclosure () throws(Errno) -> Result
  ) throws(SystemError) -> Result {
    do { return try call() } catch { throw SystemError(operation, self, code: error) }
  }
}

/// The result of `call`; nil if it fails with one of `codes`.
package func optional<Result: ~Copyable>(
  _ codes: Errno..., call: @autoclosure () throws(SystemError) -> Result
) throws(SystemError) -> Result? {
  do { return try call() } catch {
    if codes.contains(error.code) { return nil }
    throw error
  }
}
