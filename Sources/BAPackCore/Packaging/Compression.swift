/// How the blocks of a pack are compressed.
public enum Compression: Hashable, Sendable {
  /// zlib, from level 1 (fast) to 9 (small).
  case zlib(level: Int)
  /// LZFSE, which the original writes.
  case lzfse
  /// Not at all: a container of the original's kind (`e`) in which every block is stored, so that
  /// it can be read without any codec.
  case store

  /// The level of Apple's own tools.
  package static let defaultLevel = 5

  /// The letter that the container bears.
  var algorithm: Algorithm {
    switch self {
    case .zlib: .zlib
    case .lzfse, .store: .lzfse
    }
  }
}
