import BAPackCore

package struct Resource: Sendable {
  package let id: String
  package let attributes: JSONValue
  private let relationships: JSONValue?

  /// Nil if `value` isn't a resource object.
  package init?(_ value: JSONValue) {
    guard value["type"]?.string != nil, let id = value["id"]?.string, !id.isEmpty else {
      return nil
    }
    self.id = id
    attributes = value["attributes"] ?? JSONValue(.object([]))
    relationships = value["relationships"]
  }

  package func related(_ name: String) -> String? { relationships?[name]?["data"]?["id"]?.string }

  package subscript(name: String) -> JSONValue? { attributes[name] }
}

package struct ResourceRequest: Sendable {
  private let type: String
  private let id: String?
  package let document: JSONValue

  /// A request for a new resource, or for the one with this `id`; IDs that the server has yet to
  /// assign are in angle brackets.
  init(
    _ type: String, id: String? = nil, attributes: JSONValue? = nil,
    related: KeyValuePairs<String, (type: String, id: String)> = [:]
  ) {
    self.type = type
    self.id = id
    let links = related.map { name, link in
      JSONMember(name, .object(["data": JSONValue.object(["type": link.type, "id": link.id])]))
    }
    document = .object([
      "data": JSONValue.object([
        "type": type, "id": id, "attributes": attributes,
        "relationships": links.isEmpty ? nil : JSONValue(.object(links)),
      ])
    ])
  }

  var path: String { "/v1/\(type)" + (id.map { "/" + percentEncoded($0) } ?? "") }

  /// For example `POST /v1/backgroundAssetVersions`.
  package var line: String {
    id.map { "PATCH /v1/\(type)/\($0)" } ?? "POST /v1/\(type)"
  }
}
