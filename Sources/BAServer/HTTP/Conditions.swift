import BAPackCore

/// Conditional requests: the version of a file that a client has decides the response
/// (RFC 9110, 13.2.2).
package enum Conditions {
  package enum Verdict: Equatable, Sendable {
    case send
    /// Send the whole file instead of the range: the client has a different version.
    case sendWhole
    case notModified
    case failed
  }

  /// Evaluates the headers of `request` for a file with this tag (including quotes) and
  /// modification time in seconds since 1970.
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
      // A date doesn't prove that the file is the same: two builds may have the same (13.1.5).
      if condition != tag { return .sendWhole }
    }
    return .send
  }

  /// Whether a list of tags, or `*`, matches `tag`. Our tags contain no commas.
  private static func matches(_ list: String, _ tag: String, isWeak: Bool) -> Bool {
    Array(list.utf8).split(separator: UInt8(ascii: ",")).contains { element in
      let element = String(decoding: ASCII.trimmed(element), as: UTF8.self)
      return element == "*" || element == tag || isWeak && element == "W/" + tag
    }
  }
}
