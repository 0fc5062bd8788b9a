/// Names of files and directories as a file system would hold them: tells when two can't stand
/// together, and when two are one to a file system that ignores case or Unicode normalization.
struct NameTree<Owner: Sendable> {
  /// Why a name can't be added.
  enum Problem {
    /// This path is taken, by the owner given.
    case taken(Owner)
    /// The new path leads through this one, which is no directory.
    case belowFile([UInt8], Owner)
    /// The new path is no directory, but others lead through it.
    case aboveOthers
  }

  /// Two paths that differ in case or normalization only.
  struct Clash {
    let path: RelativePath
    let other: RelativePath
  }

  private struct Node {
    let path: RelativePath
    var isDirectory: Bool
    /// Who added it by its own name; nil while others lead through it only.
    var owner: Owner?
  }

  private struct Place: Hashable {
    let parent: Int
    let name: [UInt8]
  }

  private struct FoldedPlace: Hashable {
    let parent: Int
    /// Two of them are equal when they are canonically equivalent, as strings are.
    let name: String
  }

  private var nodes = [Node(path: .root, isDirectory: true, owner: nil)]
  private var places: [Place: Int] = [:]
  private var foldedPlaces: [FoldedPlace: Int] = [:]
  /// Directories by their path, so that most names need one look in `places`.
  private var directories: [RelativePath: Int] = [.root: 0]
  /// What the last call of ``add(_:isDirectory:_:)`` met.
  private(set) var clash: Clash?

  /// Adds a path, with the directories above it.
  mutating func add(_ path: RelativePath, isDirectory: Bool, _ owner: Owner) -> Problem? {
    clash = nil
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

  /// The owner of that path, and whether it is a directory; nil where nobody added it by its name.
  func owner(of path: RelativePath) -> (Owner, isDirectory: Bool)? {
    guard let node = directories[path] ?? leaf(path), let owner = nodes[node].owner else {
      return nil
    }
    return (owner, nodes[node].isDirectory)
  }

  private func leaf(_ path: RelativePath) -> Int? {
    guard let parent = path.parent, let above = directories[parent] else { return nil }
    return places[Place(parent: above, name: Array(path.name))]
  }

  private enum Found {
    case node(Int)
    case problem(Problem)
  }

  /// The node of `path`, made if need be, with all above it as directories. Paths have at most 1,023
  /// bytes, which bounds the recursion.
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
    let place = Place(parent: above, name: Array(path.name))
    if let node = places[place] { return .node(node) }
    let node = nodes.count
    nodes.append(Node(path: path, isDirectory: false, owner: nil))
    places[place] = node
    let other = foldedPlaces.updateValue(
      node, forKey: FoldedPlace(parent: above, name: folded(path)))
    if let other, clash == nil { clash = Clash(path: path, other: nodes[other].path) }
    return .node(node)
  }
}

/// A name without its case. Upper case first: it spells out what has no single lower-case letter.
private func folded(_ path: RelativePath) -> String {
  String(decoding: path.name, as: UTF8.self).uppercased().lowercased()
}
