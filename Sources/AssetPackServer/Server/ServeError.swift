/// Why something can't be served, such as a pack, a certificate or a port.
package struct ServeError: Error, Sendable, CustomStringConvertible {
  /// A sentence for each problem.
  package let problems: [String]
  /// Whether a new authority would help.
  package let isOfAuthority: Bool

  package init(_ problems: [String]) {
    self.problems = problems
    isOfAuthority = false
  }

  package init(_ problem: String, isOfAuthority: Bool = false) {
    problems = [problem]
    self.isOfAuthority = isOfAuthority
  }

  package var description: String { problems.joined(separator: "; ") }
}

extension Error {
  /// The problems of a ``ServeError``, or the description of any other error.
  var problems: [String] { (self as? ServeError)?.problems ?? ["\(self)"] }
}
