/// Names of files and directories, as a file system would have them that ignores case and Unicode
/// normalization: tells when two can't stand together.
struct NameTree<Owner: Sendable> {
  /// Why a name can't be added.
  enum Problem {
    /// This path is taken, by the owner given.
    case taken(Owner)
    /// The first path, which the new one begins with, would be the same name as the second.
    case sameName(part: [UInt8], as: [UInt8])
    /// The new path leads through this one, which is no directory.
    case belowFile([UInt8], Owner)
    /// The new path is no directory, but others lead through it.
    case aboveOthers
  }

  private struct Node {
    let path: RelativePath
    var isDirectory: Bool
    /// Who added it by its own name; nil while others lead through it only.
    var owner: Owner?
  }

  private struct Place: Hashable {
    let parent: Int
    /// Two names are one when these are equal, which for strings means canonically equivalent.
    let folded: String
  }

  private var nodes = [Node(path: .root, isDirectory: true, owner: nil)]
  private var places: [Place: Int] = [:]
  /// Directories by their exact path, so that most names need one look in `places`.
  private var directories: [RelativePath: Int] = [.root: 0]

  /// Adds a path; one that differs from a known one is added with the directories above it.
  mutating func add(_ path: RelativePath, isDirectory: Bool, _ owner: Owner) -> Problem? {
    let node: Int
    switch find(path) {
    case .problem(let problem): return problem
    case .node(let found): node = found
    }
    if let other = nodes[node].owner { return .taken(other) }
    if !isDirectory, nodes[node].isDirectory { return .aboveOthers }
    nodes[node].owner = owner
    nodes[node].isDirectory = isDirectory
    if isDirectory { directories[path] = node }
    return nil
  }

  /// The owner of that exact path, and whether it is a directory; nil where nobody added it.
  func owner(of path: RelativePath) -> (Owner, isDirectory: Bool)? {
    guard let node = directories[path] ?? leaf(path), let owner = nodes[node].owner else {
      return nil
    }
    return (owner, nodes[node].isDirectory)
  }

  private func leaf(_ path: RelativePath) -> Int? {
    guard let parent = path.parent, let above = directories[parent],
      let node = places[Place(parent: above, folded: folded(path.name))], nodes[node].path == path
    else { return nil }
    return node
  }

  private enum Found {
    case node(Int)
    case problem(Problem)
  }

  /// The node of `path`, made if need be, with all above it as directories.
  private mutating func find(_ path: RelativePath) -> Found {
    if let known = directories[path] { return .node(known) }
    guard let parent = path.parent else { return .node(0) }
    let above: Int
    switch find(parent) {
    case .problem(let problem): return .problem(problem)
    case .node(let node): above = node
    }
    if !nodes[above].isDirectory {
      if let owner = nodes[above].owner { return .problem(.belowFile(parent.bytes, owner)) }
      nodes[above].isDirectory = true
      directories[parent] = above
    }
    let place = Place(parent: above, folded: folded(path.name))
    if let node = places[place] {
      let other = nodes[node].path
      return other == path
        ? .node(node) : .problem(.sameName(part: path.bytes, as: other.bytes))
    }
    nodes.append(Node(path: path, isDirectory: false, owner: nil))
    places[place] = nodes.count - 1
    return .node(nodes.count - 1)
  }
}

/// A name without its case. Upper case first: it spells out what has no single lower-case letter.
private func folded(_ name: ArraySlice<UInt8>) -> String {
  String(decoding: name, as: UTF8.self).uppercased().lowercased()
}
