/// How the blocks of a pack are compressed.
public enum Compression: Hashable, Sendable {
  /// zlib, at level 1 (fast) to 9 (small).
  case zlib(level: Int)
  /// LZFSE, which Apple's ba-package uses.
  case lzfse
  /// No compression: an LZFSE container (`e`) in which every block is stored, so that it can be
  /// read without any codec.
  case store

  /// The level that Apple's tools use.
  package static let defaultLevel = 5

  /// The algorithm byte in the container's header.
  package var algorithm: Algorithm {
    switch self {
    case .zlib: .zlib
    case .lzfse, .store: .lzfse
    }
  }
}
