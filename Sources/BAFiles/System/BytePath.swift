/// A file system path as the system sees it: bytes in no particular encoding. No file has a path with
/// a NUL, so all calls with one fail.
public struct BytePath: Hashable, Sendable {
  /// Linux's `PATH_MAX`, the largest of all systems.
  package static let maximumLength = 4096

  /// The bytes of the path. An empty path names nothing.
  public let bytes: [UInt8]

  /// The path with these bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    // No name there has one.
    self.bytes =
      namesAreThoseOfWindows
      ? bytes.map { $0 == ASCII.backslash ? ASCII.slash : $0 } : Array(bytes)
  }

  /// The path that is the UTF-8 of `text`.
  public init(_ text: String) { self.init(text.utf8) }

  /// The exact text of the path, unlike `description`; nil if it isn't UTF-8.
  public var string: String? { String(validating: bytes, as: UTF8.self) }

  /// The path of a file, whatever its name: `-` is none of the standard streams.
  package var ofFile: BytePath { isStandardStream ? "./-" : self }

  /// The number of bytes of `C:` or `//server/share` at the start; 0 on other systems.
  var volumeCount: Int {
    guard namesAreThoseOfWindows, bytes.count > 1 else { return 0 }
    if ASCII.isLetter(bytes[0]), bytes[1] == UInt8(ascii: ":") { return 2 }
    guard bytes[0] == ASCII.slash, bytes[1] == ASCII.slash else { return 0 }
    let parts = bytes[2...].split(
      separator: ASCII.slash, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, !parts[0].isEmpty, !parts[1].isEmpty else { return 0 }
    return parts[1].endIndex
  }

  /// The last part, without the folder; empty for `/`.
  package var name: ArraySlice<UInt8> {
    let path = bytes[volumeCount...]
    let end = path.lastIndex { $0 != ASCII.slash }.map { $0 + 1 } ?? path.startIndex
    let start = path[..<end].lastIndex(of: ASCII.slash).map { $0 + 1 } ?? path.startIndex
    return bytes[start..<end]
  }

  /// The folder that contains the last part: `.` for a bare name.
  package var folder: BytePath {
    let start = name.startIndex
    if start == volumeCount { return start == 0 ? "." : BytePath(bytes[..<start]) }
    let above = bytes[volumeCount..<start].lastIndex { $0 != ASCII.slash }
    return BytePath(bytes[..<(above ?? volumeCount).advanced(by: 1)])
  }

  package var isAbsolute: Bool {
    bytes.first == ASCII.slash || bytes.dropFirst(volumeCount).first == ASCII.slash
  }

  /// Whether the last part ends with `.` and `letters` (lowercase ASCII), ignoring case, and has at
  /// least one byte before that.
  package func hasExtension(_ letters: String) -> Bool {
    let ending = [ASCII.dot] + letters.utf8
    return bytes.last != ASCII.slash && name.count > ending.count
      && zip(name.suffix(ending.count), ending).allSatisfy { byte, letter in
        byte == letter || (0x41...0x5A).contains(byte) && byte | 0x20 == letter
      }
  }

  /// Whether this is `-`, which means the standard input or output.
  package var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }

  /// Whether this names an open descriptor of this process, as shells pass for `<(...)`.
  var isOpenDescriptor: Bool {
    bytes == Array("/dev/stdin".utf8)
      || ["/dev/fd/", "/proc/self/fd/"].contains { bytes.starts(with: $0.utf8) }
  }

  /// The path as messages show it: `<stdin>` for `-`.
  package var shown: String { isStandardStream ? "<stdin>" : description }

  /// `path` as seen from this folder: `path` itself if it is absolute or this folder is `.`.
  package func appending(_ path: some Sequence<UInt8>) -> BytePath {
    let path = BytePath(path)
    if path.bytes.isEmpty || path.bytes == [ASCII.dot] { return self }
    if path.isAbsolute || bytes.isEmpty || bytes == [ASCII.dot] { return path }
    return BytePath(bytes + (bytes.last == ASCII.slash ? [] : [ASCII.slash]) + path.bytes)
  }
}

extension BytePath {
  /// Hashes all bytes at once, which takes a fraction of the time of one after another.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}

extension Hasher {
  mutating func combine(bytes: [UInt8]) {
    // SAFETY: The hasher only reads the buffer during the call.
    unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
  }
}

extension BytePath: ExpressibleByStringLiteral {
  /// The UTF-8 of a literal.
  public init(stringLiteral value: String) { self.init(value.utf8) }
}

extension BytePath: CustomStringConvertible {
  /// The path, escaped for display.
  public var description: String { printable(bytes) }
}

/// Calls `body` with `bytes` followed by a NUL. If they contain one, it gets an empty path instead of
/// another one, and no file has that.
func withCBytes<Result>(
  _ bytes: some Collection<UInt8>, _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
    var end = 0
    for byte in bytes {
      unsafe buffer.initializeElement(at: end, to: CChar(bitPattern: byte))
      end += 1
    }
    unsafe buffer.initializeElement(at: bytes.contains(0) ? 0 : end, to: 0)
    // The allocation contains at least the NUL, so it has an address.
    guard let start = buffer.baseAddress else { preconditionFailure("empty C string buffer") }
    return unsafe body(UnsafePointer(start))
  }
}

extension BytePath {
  /// This path relative to `folder`, which must exist: `../content`; `.` for the folder itself.
  /// Links are resolved, except for the last component, which may also be missing. Nil if the
  /// result is not UTF-8.
  package func relative(to folder: BytePath) throws(SystemError) -> String? {
    let from = try folder.resolved().parts
    let to: [ArraySlice<UInt8>]
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      to = try resolved().parts
    } else {
      do {
        to = try self.folder.resolved().parts + [name]
      } catch {
        // A missing part of the path is reported later, when files are looked up.
        guard error.code == .noSuchFile || error.code == .notDirectory else { throw error }
        return String(validating: bytes, as: UTF8.self)
      }
    }
    // Nothing leads from one volume to another.
    if namesAreThoseOfWindows, from.first != to.first {
      return String(validating: bytes, as: UTF8.self)
    }
    let common = zip(from, to).prefix { $0 == $1 }.count
    let climb = Array(repeating: Array("..".utf8)[...], count: from.count - common)
    let way = Array((climb + to[common...]).joined(separator: "/".utf8))
    return String(validating: way.isEmpty ? Array(".".utf8) : way, as: UTF8.self)
  }

  private var parts: [ArraySlice<UInt8>] { bytes.split(separator: ASCII.slash) }
}
