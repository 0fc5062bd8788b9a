/// Why packs can't be merged or compared, though each of them is intact.
package enum MergeConflict: Hashable, Sendable {
  /// A path is a file in one pack and a directory in another.
  case kinds(RelativePath, file: BytePath, directory: BytePath)
  /// A path in one pack has a parent that is a file in another.
  case belowFile(RelativePath, in: BytePath, file: [UInt8], of: BytePath)
  /// A path is a file in that pack and a directory in others.
  case aboveOthers(RelativePath, in: BytePath)
  /// A file differs between two packs.
  case contents(RelativePath, in: BytePath, and: BytePath)
  /// Two packs have the same name; only one of them can be compared.
  case sameName(String, BytePath, BytePath)
}

extension MergeConflict: CustomStringConvertible {
  /// The conflict, with the names of the packs.
  package var description: String {
    switch self {
    case .kinds(let path, let file, let directory):
      "'\(path)' is a file in '\(file)' and a directory in '\(directory)'" + advice
    case .belowFile(let path, let pack, let file, let other):
      "'\(path)' in '\(pack)' lies below '\(printable(file))', which is a file in '\(other)'"
        + advice
    case .aboveOthers(let path, let pack):
      "'\(path)' is a file in '\(pack)' and a directory in another pack" + advice
    case .sameName(let name, let one, let other):
      "'\(one)' and '\(other)' have the same identifier, '\(name)'; packs are compared by identifier"
    case .contents(let path, let one, let other):
      "'\(path)' is not the same in '\(one)' and '\(other)'" + advice
    }
  }
}

private let advice = "; devices merge all packs of an app into one folder"
