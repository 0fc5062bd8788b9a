import BAPackCore

/// An error of App Store Connect or its API, with a description for people. Errors of files are
/// those of BAPackCore.
package struct StoreError: Error, CustomStringConvertible, Sendable {
  package let description: String
  /// Whether other packs may still be uploaded.
  package var isOfOnePack = false
  var isTemporary = false
  var retryAfter: Duration?
  /// The response, if the server refused a request.
  var refusal: Refusal?
  package var remarks: [StoreRemark] = []

  package init(_ description: String, isOfOnePack: Bool = false) {
    self.description = description
    self.isOfOnePack = isOfOnePack
  }

  /// A response that doesn't conform to the API's documentation.
  init(response request: String, _ reason: String) {
    self.init("\(request): unusable response: \(reason)")
  }

  init(_ refusal: Refusal) {
    self.init(refusal.description, isOfOnePack: [404, 409, 422].contains(refusal.status))
    self.refusal = refusal
    isTemporary = refusal.response.isTemporary
    retryAfter = refusal.response.retryAfter
  }
}

struct Refusal: Sendable {
  /// The method and the path, without the query.
  let request: String
  let response: HTTPResponse
  let document: JSONValue?
  let isIndividual: Bool

  var status: Int { response.status }

  /// The errors, each with its code for programs, `ENTITY_ERROR.ATTRIBUTE.INVALID`, and the part of
  /// the document or the parameter that caused it.
  var errors: [(code: String, detail: String, source: String?)] {
    (document?["errors"]?.array ?? []).prefix(20).map { error in
      let source = error["source"]
      return (
        error["code"]?.string ?? "?",
        error["detail"]?.string ?? error["title"]?.string ?? "no reason is given",
        source?["pointer"]?.string ?? source?["parameter"]?.string
      )
    }
  }

  var description: String {
    var text = "\(request): HTTP status \(status)"
    for error in errors {
      text += "\n  \(error.detail)" + (error.source.map { " (\($0))" } ?? "") + " [\(error.code)]"
    }
    return text + (hint.map { "\n  \($0)" } ?? "")
  }

  private var hint: String? {
    switch status {
    case 401:
      if let clockAhead = response.date.map({ secondsSince1970() - $0 }), abs(clockAhead) > 30 {
        return "this machine's clock is \(duration(abs(clockAhead))) "
          + "\(clockAhead > 0 ? "ahead of" : "behind") the server's, so that the token is not "
          + "valid: set the clock"
      }
      let owner = isIndividual ? "that it is an individual key" : "the issuer id"
      return
        "check that the key is not revoked, the key id, \(owner), and that they belong together"
    case 403:
      return "the key needs the role Admin, App Manager or Developer, and access to the app"
    case 429:
      let wait =
        response.retryAfter.map { " in \(grouped($0.components.seconds)) seconds" } ?? " later"
      return "too many requests in an hour for this key; try again\(wait)"
    default: return nil
    }
  }

  private func duration(_ seconds: Int) -> String {
    if seconds < 120 { return counted(seconds, "second") }
    return seconds < 7200 ? counted(seconds / 60, "minute") : counted(seconds / 3600, "hour")
  }
}
