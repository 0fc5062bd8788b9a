extension RandomAccessCollection {
  /// The index of the first element that belongs to the second part, of a collection whose elements
  /// are divided in two: `endIndex` where none does. Looks at as many elements as the count has bits.
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
