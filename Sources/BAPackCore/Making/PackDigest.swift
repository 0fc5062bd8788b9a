import CZlib

/// A digest of everything that the bytes of a pack depend on: the archive stream, which contains
/// the manifest, paths, modes, times and contents; the compression; and the versions of this
/// program and, for zlib packs, of zlib. It is computed without compressing anything.
package struct PackDigest: Hashable, Sendable {
  /// The 32 bytes of a SHA-256 digest.
  package let bytes: [UInt8]

  /// The digest of a pack whose stream has `size` bytes and blocks with the digests `blocks`.
  init(_ compression: Compression, streamSize size: UInt64, blocks: [[UInt8]]) {
    var digest = SHA256()
    digest.update(Array("ba-package \(toolVersion)\n\(compression.recipe)\n\(size)\n".utf8))
    for block in blocks { digest.update(block) }
    bytes = digest.finalize()
  }

  /// A digest that was computed earlier.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// 64 hexadecimal digits.
  package var text: String { hexadecimal(bytes) }
}

extension Compression {
  /// A description of everything that the compression depends on.
  fileprivate var recipe: String {
    switch self {
    case .zlib(let level): "zlib \(level) \(zlibName)"
    case .lzfse: "lzfse"
    case .store: "store"
    }
  }
}

/// The version of zlib that is loaded: `1.2.13`.
private let zlibName = unsafe zlibVersion().map { unsafe String(cString: $0) } ?? ""

extension ArchiveLayout {
  /// A digest of all headers and of contents that aren't files'. If it is equal, two packs have the
  /// same entries with the same sizes, in the same order.
  var headerDigest: [UInt8] {
    var digest = SHA256()
    for entry in entries {
      digest.update(entry.header(modified: modified))
      if case .file(.bytes(let bytes), _, _) = entry.kind { digest.update(bytes) }
    }
    return digest.finalize()
  }

  /// The indices of the blocks that contain parts of `files`, which are indices in the order of the
  /// archive.
  func blocks(ofFiles files: Set<Int>) -> [Int] {
    var blocks: [Int] = []
    var number = 0
    for index in entries.indices {
      guard case .file(.file, let size, _) = entries[index].kind else { continue }
      defer { number += 1 }
      guard size > 0, files.contains(number) else { continue }
      let start = contentsStart(ofEntry: index)
      let first = Int(start / UInt64(ContainerFormat.blockSize))
      let last = Int((start + size - 1) / UInt64(ContainerFormat.blockSize))
      blocks += max(first, (blocks.last ?? -1) + 1)..<last + 1
    }
    return blocks
  }
}
