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
    let name: [UInt8]
    /// Who added it by its own name; nil while others lead through it only.
    var owner: Owner?
    var isDirectory: Bool
    let parent: Int32
  }

  private struct Place: Hashable {
    let parent: Int
    let name: [UInt8]
  }

  private var nodes = [Node(name: [], owner: nil, isDirectory: true, parent: 0)]
  private var places: [Place: Int32] = [:]
  /// The node of a name that volumes see which ignore case and normalization, by the hash of parent
  /// and folded name.
  private var foldedPlaces: [Int: Int32] = [:]
  /// Directories that were added, by their path, so that most names need one look in `places`.
  private var directories: [RelativePath: Int] = [.root: 0]
  /// What the last call of ``add(_:isDirectory:_:)`` met.
  private(set) var clash: Clash?
  /// How many directories are there only because paths lead through them.
  private(set) var impliedDirectories = 0

  /// Adds a path, with the directories above it.
  mutating func add(_ path: RelativePath, isDirectory: Bool, _ owner: Owner) -> Problem? {
    clash = nil
    let node: Int
    switch find(path) {
    case .problem(let problem): return problem
    case .node(let found): node = found
    }
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

  /// The owner of that path, and whether it is a directory; nil where nobody added it by its name.
  func owner(of path: RelativePath) -> (Owner, isDirectory: Bool)? {
    guard let node = node(at: path), let owner = nodes[node].owner else { return nil }
    return (owner, nodes[node].isDirectory)
  }

  private func node(at path: RelativePath) -> Int? {
    if let known = directories[path] { return known }
    if let parent = path.parent, let above = directories[parent] {
      return places[Place(parent: above, name: Array(path.name))].map { Int($0) }
    }
    var node = 0
    for component in path.components {
      guard let next = places[Place(parent: node, name: Array(component))] else { return nil }
      node = Int(next)
    }
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
    if let above = directories[parent] { return .node(child(path.name, of: above)) }
    var node = 0
    for component in parent.components {
      node = child(component, of: node)
      if nodes[node].isDirectory { continue }
      if let owner = nodes[node].owner {
        return .problem(.belowFile(self.path(of: node).bytes, owner))
      }
      nodes[node].isDirectory = true
      impliedDirectories += 1
    }
    return .node(child(path.name, of: node))
  }

  /// The node of that name in a directory, made if need be.
  private mutating func child(_ name: ArraySlice<UInt8>, of parent: Int) -> Int {
    let name = Array(name)
    let place = Place(parent: parent, name: name)
    if let node = places[place] { return Int(node) }
    let node = nodes.count
    nodes.append(Node(name: name, owner: nil, isDirectory: false, parent: Int32(clamping: parent)))
    // Limits keep the number of names far below what 32 bits hold.
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
    let one = nodes[Int(other)]
    if clash == nil, Int(one.parent) == parent, caseFolded(one.name) == folded {
      clash = Clash(path: path(of: node), other: path(of: Int(other)))
    }
    return node
  }

  private func path(of node: Int) -> RelativePath {
    var parts: [[UInt8]] = []
    var node = node
    while node != 0 {
      parts.append(nodes[node].name)
      node = Int(nodes[node].parent)
    }
    return RelativePath(unchecked: Array(parts.reversed().joined(separator: "/".utf8)))
  }
}
