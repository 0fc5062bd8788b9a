/// What a client knows of a file, from an answer before, and how that changes the next one (RFC
/// 9110, 13.2.2).
package enum Conditions {
  /// What is to be answered.
  package enum Verdict: Equatable, Sendable {
    /// The file, or the part asked for.
    case send
    /// The whole file, although a part was asked for: the file is another than the client has.
    case sendWhole
    /// 304: the client has it.
    case notModified
    /// 412: the client asked for another one.
    case failed
  }

  /// Holds the headers of `request` against a file with this tag (with its quotes) and time of the
  /// last change, in seconds since 1970.
  package static func verdict(
    _ request: HTTPRequest, tag: String, modified: Int64
  ) -> Verdict {
    if let condition = request[.ifMatch] {
      if !matches(condition, tag, isWeak: false) { return .failed }
    } else if let date = request[.ifUnmodifiedSince].flatMap({ Clock.seconds(httpDate: $0) }) {
      if modified > date { return .failed }
    }
    if let condition = request[.ifNoneMatch] {
      if matches(condition, tag, isWeak: true) { return .notModified }
    } else if let date = request[.ifModifiedSince].flatMap({ Clock.seconds(httpDate: $0) }) {
      if modified <= date { return .notModified }
    }
    if let condition = request[.ifRange], request[.range] != nil {
      let isSame =
        condition.hasPrefix("\"")
        ? condition == tag : Clock.seconds(httpDate: condition) == modified
      if !isSame { return .sendWhole }
    }
    return .send
  }

  /// Whether a list of tags, or `*`, has `tag`. Our tags hold no commas.
  private static func matches(_ list: String, _ tag: String, isWeak: Bool) -> Bool {
    list.split(separator: ",").contains { element in
      var element = element.drop { $0 == " " || $0 == "\t" }
      while let last = element.last, last == " " || last == "\t" { element.removeLast() }
      if isWeak, element.hasPrefix("W/") { element = element.dropFirst(2) }
      return element == "*" || element == tag
    }
  }
}
