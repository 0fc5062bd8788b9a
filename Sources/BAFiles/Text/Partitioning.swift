extension RandomAccessCollection {
  /// The index of the first element in the second part of a partitioned collection; `endIndex` if
  /// there is none. A binary search.
  @inlinable
  package func partitioningIndex(where belongsInSecondPart: (Element) -> Bool) -> Index {
    var start = startIndex
    var left = count
    while left > 0 {
      let half = left / 2
      let middle = index(start, offsetBy: half)
      if belongsInSecondPart(self[middle]) {
        left = half
      } else {
        start = index(after: middle)
        left -= half + 1
      }
    }
    return start
  }
}

extension Sequence where Element: Hashable {
  /// The elements, each where it is first.
  package func unique() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// The first two elements with the same key.
  package func repeated<Key: Hashable>(by key: (Element) -> Key) -> (Element, Element)? {
    var seen: [Key: Element] = [:]
    for element in self {
      if let first = seen.updateValue(element, forKey: key(element)) { return (first, element) }
    }
    return nil
  }
}
