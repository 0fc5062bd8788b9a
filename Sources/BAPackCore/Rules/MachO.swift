extension Rule {
  /// Executable code for macOS.
  public static let machOExecutable = Rule(
    "mach-o-executable", .warning, .store, "Executable code for macOS")
}

/// Executable code for macOS and Apple's other systems (`<mach-o/loader.h>`, `<mach-o/fat.h>`).
enum MachO {
  /// The number of bytes that ``begins(_:)`` needs.
  static let startSize = 8
  /// The maximum number of images in a file. There is one for each processor.
  private static let maximumImages = 32
  /// The maximum size of an image's load commands. Large programs have about 20 KB.
  private static let maximumCommands = 1 << 20

  /// Whether a file that begins with `start` is a Mach-O file or a universal binary. ``startSize``
  /// bytes are enough.
  static func begins(_ start: some Collection<UInt8>) -> Bool {
    Magic(start) != nil
  }

  /// Whether a program or library in a file, as far as it is intact, runs on macOS, natively or with
  /// Mac Catalyst, according to its load commands. `read` returns the bytes at an offset: as many as it
  /// is asked for, or fewer at the end of the file.
  static func isForMac(_ read: (UInt64, Int) throws -> [UInt8]) throws -> Bool {
    let start = try read(0, startSize)
    guard let magic = Magic(start) else { return false }
    guard let size = magic.architectureSize else { return try isForMac(at: 0, read) }
    let count = min(Int(magic.number(start, at: 4)), maximumImages)
    let table = try read(UInt64(startSize), count * size)
    for entry in stride(from: 0, through: table.count - size, by: size) {
      let offset =
        size == 20 ? magic.number(table, at: entry + 8) : magic.number(table, at: entry + 8, 8)
      if try isForMac(at: offset, read) { return true }
    }
    return false
  }

  private static func isForMac(
    at base: UInt64, _ read: (UInt64, Int) throws -> [UInt8]
  ) throws -> Bool {
    let header = try read(base, 32)
    guard let magic = Magic(header), magic.architectureSize == nil else { return false }
    let size = min(Int(magic.number(header, at: 20)), maximumCommands)
    let commands = try read(base + (magic.is64Bit ? 32 : 28), size)
    var offset = 0
    while offset + 8 <= commands.count {
      let length = Int(magic.number(commands, at: offset + 4))
      guard length >= 8, length <= commands.count - offset else { break }
      switch magic.number(commands, at: offset) {
      // LC_VERSION_MIN_MACOSX
      case 0x24: return true
      // LC_BUILD_VERSION
      case 0x32 where length >= 12:
        if Platform.rejectsCode(magic.number(commands, at: offset + 8)) { return true }
      default: break
      }
      offset += length
    }
    return false
  }

  /// How the integers of a file are to be read.
  private struct Magic {
    private let isLittleEndian: Bool
    let is64Bit: Bool
    /// The size of an entry in the table of a universal binary; nil for an image.
    let architectureSize: Int?

    init?(_ start: some Collection<UInt8>) {
      guard start.count >= startSize else { return nil }
      let magic = integer(bigEndian: start.prefix(4))
      isLittleEndian = [0xCEFA_EDFE, 0xCFFA_EDFE, 0xBEBA_FECA, 0xBFBA_FECA].contains(magic)
      switch isLittleEndian ? magic.byteSwapped >> 32 : magic {
      case 0xFEED_FACE: (is64Bit, architectureSize) = (false, nil)
      case 0xFEED_FACF: (is64Bit, architectureSize) = (true, nil)
      case 0xCAFE_BABF: (is64Bit, architectureSize) = (true, 32)
      case 0xCAFE_BABE:
        (is64Bit, architectureSize) = (false, 20)
        // Java classes have the same magic number. It is followed by a version of at least 45 there,
        // and by the number of architectures here.
        if self.number(Array(start.prefix(startSize)), at: 4) >= 45 { return nil }
      default: return nil
      }
    }

    func number(_ bytes: [UInt8], at offset: Int, _ size: Int = 4) -> UInt64 {
      bytes.integer(at: offset, size, isLittleEndian: isLittleEndian)
    }
  }
}

extension [UInt8] {
  /// The integer of `size` bytes at `offset`; bytes after the end are 0.
  fileprivate func integer(at offset: Int, _ size: Int, isLittleEndian: Bool) -> UInt64 {
    (0..<size).reduce(0) { value, index in
      let byte = offset + (isLittleEndian ? size - 1 - index : index)
      return value << 8 | UInt64(indices.contains(byte) ? self[byte] : 0)
    }
  }
}

extension MachO {
  /// Whether `file` is worth opening: it is large enough for a header, and executable or without
  /// the extension of media or text.
  static func isPossible(_ file: SelectedFile) -> Bool {
    file.size >= 28 && (file.isExecutable || !FileType.isTextOrMedia(file.source))
  }

  /// A finding for each of `files`, which contain code for macOS.
  static func findings(_ files: [SelectedFile], _ manifest: Manifest) -> [Finding] {
    files.map { file in
      Finding(
        .machOExecutable,
        "'\(file.source)' is executable code for macOS, which App Store Connect rejects",
        at: manifest.location(of: file), file: file.source)
    }
  }
}
