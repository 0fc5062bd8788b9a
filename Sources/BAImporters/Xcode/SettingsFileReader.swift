import BAPackCore

/// Reads a file of build settings, `.xcconfig`, with its includes: lines `KEY = VALUE`, of which
/// the last one for a key is used, comments after `//`, and `#include "FILE"`. Other lines are
/// ignored.
struct SettingsFileReader {
  private(set) var settings: [BuildSetting] = []
  private(set) var findings: [Finding] = []
  private var isReading: [BytePath] = []

  private static let sizeLimit = 1 << 20
  private static let maximumDepth = 32
  private static let maximumFiles = 100
  private var files = 0
  /// The size of all files that may still be read.
  private var bytesLeft = 1 << 22
  private var known: [String: Int] = [:]

  /// Reads the file at `path`, which is referred to at `location`. If it `isOptional`, it may be
  /// missing.
  mutating func read(_ path: BytePath, _ location: SourceLocation, isOptional: Bool = false) {
    files += 1
    if isReading.contains(path) { return report("'\(path)' includes itself", location) }
    guard isReading.count < Self.maximumDepth, files <= Self.maximumFiles else {
      return report("too many files are included to read '\(path)'", location)
    }
    let bytes: [UInt8]
    do {
      bytes = try path.contents(limit: min(Self.sizeLimit, bytesLeft))
      bytesLeft -= bytes.count
    } catch {
      if error.code == .noSuchFile {
        if !isOptional {
          report("there is no '\(path)', so that its settings are missing", location)
        }
      } else {
        report("\(error), so that its settings are missing", location)
      }
      return
    }
    isReading.append(path)
    defer { isReading.removeLast() }
    let source = SourceText(name: path.bytes, bytes: bytes)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      read(line: ASCII.trimmed(Self.withoutComment(bytes[start..<end])), in: source, path)
      start = end + 1
    }
  }

  private mutating func read(line: ArraySlice<UInt8>, in source: SourceText, _ path: BytePath) {
    if line.first == UInt8(ascii: "#") {
      include(line, in: source, path)
      return
    }
    // A condition such as '[sdk=iphoneos*]' contains an equals sign.
    var depth = 0
    guard
      let equals = line.indices.first(where: { index in
        if line[index] == UInt8(ascii: "[") { depth += 1 }
        if line[index] == UInt8(ascii: "]") { depth -= 1 }
        return line[index] == UInt8(ascii: "=") && depth == 0
      })
    else { return }
    let key = ASCII.trimmed(line[..<equals])
    var value = ASCII.trimmed(line[(equals + 1)...])
    if value.last == UInt8(ascii: ";") { value.removeLast() }
    let setting = BuildSetting(
      key: String(decoding: key, as: UTF8.self), words: BuildSetting.words(value),
      location: SourceLocation(source, key.startIndex..<key.endIndex))
    if let index = known[setting.key] {
      settings[index] = setting
    } else {
      known[setting.key] = settings.count
      settings.append(setting)
    }
  }

  /// `#include "Shared.xcconfig"`, or `#include?` for a file that may be missing.
  private mutating func include(
    _ line: ArraySlice<UInt8>, in source: SourceText, _ path: BytePath
  ) {
    let location = SourceLocation(source, line.startIndex..<line.endIndex)
    var rest = line.dropFirst()
    guard rest.starts(with: "include".utf8) else { return }
    rest = rest.dropFirst("include".utf8.count)
    let isOptional = rest.first == UInt8(ascii: "?")
    if isOptional { rest.removeFirst() }
    let name = ASCII.trimmed(rest)
    guard name.count > 2, name.first == UInt8(ascii: "\""), name.last == UInt8(ascii: "\"") else {
      report("this is not the name of a file in double quotes", location)
      return
    }
    let file = String(decoding: name.dropFirst().dropLast(), as: UTF8.self)
    if file.contains("$") || file.hasPrefix("<") {
      report("'\(printable(file.utf8))' depends on settings of Xcode and is not read", location)
      return
    }
    read(path.folder.appending(pathOrAbsolute: file), location, isOptional: isOptional)
  }

  private mutating func report(_ message: String, _ location: SourceLocation) {
    guard findings.count < [Finding].limit else { return }
    findings.report(.onDemandSettings, message, at: location)
  }

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line[..<(line.firstRange(of: "//".utf8)?.lowerBound ?? line.endIndex)]
  }
}
