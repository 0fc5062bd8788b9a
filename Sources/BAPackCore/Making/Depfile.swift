/// The dependencies of outputs in the format of build systems: `output: input input ...`.
///
/// Neither ninja nor make can read every name, and both silently misread some, which would mean a
/// missed rebuild. In place of such an input, the file has a name that never exists, for which both
/// rebuild each time. What each can read was tested with ninja 1.11 and GNU make 4.3.
public struct Depfile: Sendable {
  /// The program that reads the file.
  public enum Format: String, Sendable, CaseIterable {
    /// ninja, and generators of ninja files: CMake, Meson, GN.
    case ninja
    /// GNU make. Each input also becomes a target without a recipe, so a deleted input isn't
    /// an error.
    case make
  }

  /// The text of the file.
  public let bytes: [UInt8]
  /// The inputs whose names the build system can't read, sorted.
  public let unreadable: [BytePath]
  private static let missing = BytePath(".ba-package-rebuilds-always")

  /// A file with the inputs of outputs, in any order. Fails if `format` can't represent an output.
  package init(
    _ rules: [(output: BytePath, inputs: [BytePath])], _ format: Format
  ) throws {
    var text: [UInt8] = []
    var all: Set<[UInt8]> = []
    var unreadable: Set<BytePath> = []
    for rule in rules {
      guard format.canRead(rule.output) else {
        throw PackagingError(
          "\(format.rawValue) can't read the name '\(rule.output)' from a depfile; rename it, or "
            + "build without one")
      }
      text += Self.escaped(rule.output, format, isTarget: true) + ":".utf8
      let odd = rule.inputs.filter { !format.canRead($0) }
      unreadable.formUnion(odd)
      let inputs = Set(
        rule.inputs.map { format.canRead($0) ? $0.bytes : Self.missing.bytes })
      for input in inputs.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        text += " \\\n  ".utf8
        text += Self.escaped(BytePath(input), format, isTarget: false)
      }
      text += "\n".utf8
      all.formUnion(inputs)
    }
    if format == .make {
      for input in all.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        // Without the space, a trailing '&' would be part of the operator.
        text += "\n".utf8
        text += Self.escaped(BytePath(input), format, isTarget: true) + " :\n".utf8
      }
    }
    bytes = text
    self.unreadable = unreadable.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func escaped(
    _ path: BytePath, _ format: Format, isTarget: Bool
  ) -> [UInt8] {
    var text: [UInt8] = []
    var backslashes = 0
    for byte in path.bytes {
      let escapes: Int
      switch (format, Character(UnicodeScalar(byte))) {
      case (_, "\\"):
        backslashes += 1
        text.append(byte)
        continue
      case (_, " "), (.make, "#"), (.make, ":"): escapes = backslashes + 1
      case (.ninja, "#"), (.make, "*"), (.make, "?"), (.make, "["): escapes = 1
      case (.make, "|"): escapes = isTarget ? 0 : 1
      case (.make, "%"): escapes = isTarget ? 1 : 0
      case (_, "$"):
        text.append(byte)
        escapes = 0
      default: escapes = 0
      }
      text += [UInt8](repeating: ASCII.backslash, count: escapes)
      text.append(byte)
      backslashes = 0
    }
    return text
  }

  /// The words other than a target that can begin a line of a makefile.
  fileprivate static let makeDirectives: Set<String> = [
    "-include", "define", "else", "endef", "endif", "export", "ifdef", "ifeq", "ifndef", "ifneq",
    "include", "load", "-load", "override", "private", "sinclude", "undefine", "unexport", "vpath",
  ]
}

extension Depfile.Format {
  fileprivate func canRead(_ path: BytePath) -> Bool {
    let name = path.bytes
    let (bad, afterBackslash, atEnd) =
      self == .ninja ? ("*?|;'\"&<>`^", ":$", ":") : (";=", "%", " ")
    guard let last = name.last, last != ASCII.backslash, !atEnd.utf8.contains(last),
      !name.contains(where: { $0 < 0x20 || $0 == 0x7F || bad.utf8.contains($0) }),
      !zip(name, name.dropFirst()).contains(where: {
        $0 == ASCII.backslash && afterBackslash.utf8.contains($1)
      })
    else { return false }
    if self == .ninja { return true }
    // A member of an archive: 'library(object)'.
    let isMember =
      last == UInt8(ascii: ")") && name.dropFirst().contains(UInt8(ascii: "("))
    let word = name.prefix { $0 != UInt8(ascii: " ") }
    return name[0] != UInt8(ascii: "~") && !isMember
      && !Depfile.makeDirectives.contains(String(decoding: word, as: UTF8.self))
  }
}
