extension Sequence {
  /// The elements that a player of each language has: those without a language, whose tag is nil,
  /// alone at first, and then with those of one language. A language has the tag that comes first.
  package func forPlayers(
    _ language: (Element) -> String?
  ) -> [(language: String?, elements: [Element])] {
    var common: [Element] = []
    var localized = Groups<Language, (tag: String, element: Element)>()
    for element in self {
      if let tag = language(element) {
        localized.add((tag, element), Language(tag))
      } else {
        common.append(element)
      }
    }
    return [(nil, common)]
      + localized.all.map { ($0.elements[0].tag, common + $0.elements.map(\.element)) }
  }

  /// The sum of the elements' sizes.
  package func size(_ size: (Element) -> UInt64) -> UInt64 {
    reduce(0) { saturatingSum($0, size($1)) }
  }
}
