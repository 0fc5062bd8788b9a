/// The names of files and directories as in a file system. Detects paths that can't coexist, and
/// names that are equal on volumes that ignore case or Unicode normalization.
package struct NameTree<Owner: Sendable> {
  package enum Problem {
    case taken(Owner)
    /// This parent of the new path isn't a directory.
    case belowFile([UInt8], Owner)
    /// The new path isn't a directory, but is the parent of others.
    case aboveOthers
  }

  package struct Clash {
    package let path: RelativePath
    package let other: RelativePath
  }

  private struct Node {
    /// The end of its name in `names`, where the next node's begins.
    let nameEnd: Int
    /// The owner that added this path; nil for an implied directory.
    var owner: Owner?
    var isDirectory: Bool
    let parent: Int32
  }

  private var nodes = [Node(nameEnd: 0, owner: nil, isDirectory: true, parent: 0)]
  /// The names of all nodes: an array for each would take more memory than the name.
  private var names: [UInt8] = []
  /// Nodes by the hash of the parent and the name, or the next free number after it.
  private var places: [Int: Int32] = [:]
  /// Nodes by the hash of the parent and the case-folded name, as volumes that ignore case and
  /// normalization see them.
  private var foldedPlaces: [Int: Int32] = [:]
  /// Added directories by path, so most names need a single search in `places`.
  private var directories: [RelativePath: Int] = [.root: 0]
  /// The clash found by the last call of ``add(_:isDirectory:_:)``.
  package private(set) var clash: Clash?
  /// The number of directories that exist only as parents of other paths.
  package private(set) var impliedDirectories = 0

  /// A tree with room for names of this many bytes: growth by doubling can take three times that.
  package init(room: Int = 0) { names.reserveCapacity(room) }

  /// Adds a path and its parent directories.
  package mutating func add(_ path: RelativePath, isDirectory: Bool, _ owner: Owner) -> Problem? {
    clash = nil
    let (node, problem) = find(path)
    if let problem { return problem }
    if let other = nodes[node].owner { return .taken(other) }
    if nodes[node].isDirectory {
      if !isDirectory { return .aboveOthers }
      if node != 0 { impliedDirectories -= 1 }
    }
    nodes[node].owner = owner
    nodes[node].isDirectory = isDirectory
    if isDirectory { directories[path] = node }
    return nil
  }

  /// The owner of the path, and whether it is a directory; nil if it was not added.
  package func owner(of path: RelativePath) -> (Owner, isDirectory: Bool)? {
    guard let node = node(at: path), let owner = nodes[node].owner else { return nil }
    return (owner, nodes[node].isDirectory)
  }

  private func node(at path: RelativePath) -> Int? {
    if let known = directories[path] { return known }
    if let parent = path.parent, let above = directories[parent] {
      return search(path.name, in: above).node
    }
    var node = 0
    for component in path.components {
      guard let next = search(component, in: node).node else { return nil }
      node = next
    }
    return node
  }

  /// The node of `path`, created with its parent directories if missing; or that of a parent with a
  /// problem.
  private mutating func find(_ path: RelativePath) -> (node: Int, problem: Problem?) {
    if let known = directories[path] { return (known, nil) }
    guard let parent = path.parent else { return (0, nil) }
    if let above = directories[parent] { return (child(path.name, of: above), nil) }
    var node = 0
    for component in parent.components {
      node = child(component, of: node)
      if nodes[node].isDirectory { continue }
      if let owner = nodes[node].owner {
        return (node, .belowFile(self.path(of: node).bytes, owner))
      }
      nodes[node].isDirectory = true
      impliedDirectories += 1
    }
    return (child(path.name, of: node), nil)
  }

  /// The node of that name in a directory, if it exists, and its key in `places`.
  private func search(_ name: ArraySlice<UInt8>, in parent: Int) -> (key: Int, node: Int?) {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(name)
    var key = hasher.finalize()
    while let node = places[key].map({ Int($0) }) {
      if Int(nodes[node].parent) == parent, self.name(of: node) == name { return (key, node) }
      key &+= 1
    }
    return (key, nil)
  }

  private func name(of node: Int) -> ArraySlice<UInt8> {
    names[(node == 0 ? 0 : nodes[node - 1].nameEnd)..<nodes[node].nameEnd]
  }

  /// The node of that name in a directory; created if missing.
  private mutating func child(_ name: ArraySlice<UInt8>, of parent: Int) -> Int {
    let (place, known) = search(name, in: parent)
    if let known { return known }
    let node = nodes.count
    names += name
    nodes.append(
      Node(
        nameEnd: names.count, owner: nil, isDirectory: false, parent: Int32(clamping: parent)))
    // Limits keep the number of names far below 2^31.
    let number = Int32(clamping: node)
    places[place] = number
    let folded = caseFolded(name)
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(folded)
    let key = hasher.finalize()
    guard let other = foldedPlaces[key] else {
      foldedPlaces[key] = number
      return node
    }
    if clash == nil, Int(nodes[Int(other)].parent) == parent,
      caseFolded(self.name(of: Int(other))) == folded
    {
      clash = Clash(path: path(of: node), other: path(of: Int(other)))
    }
    return node
  }

  private func path(of node: Int) -> RelativePath {
    var parts: [ArraySlice<UInt8>] = []
    var node = node
    while node != 0 {
      parts.append(name(of: node))
      node = Int(nodes[node].parent)
    }
    return RelativePath(unchecked: Array(parts.reversed().joined(separator: "/".utf8)))
  }
}
