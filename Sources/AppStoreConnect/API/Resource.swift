import BAPackCore

/// A resource of a JSON:API document.
package struct Resource: Sendable {
  package let type: String
  package let id: String
  package let attributes: JSONValue
  private let relationships: JSONValue?

  /// Nil if `value` isn't a resource object.
  package init?(_ value: JSONValue) {
    guard let type = value["type"]?.string, let id = value["id"]?.string, !id.isEmpty else {
      return nil
    }
    self.type = type
    self.id = id
    attributes = value["attributes"] ?? JSONValue(.object([]))
    relationships = value["relationships"]
  }

  /// The ID of the resource in a to-one relationship.
  package func related(_ name: String) -> String? { relationships?[name]?["data"]?["id"]?.string }

  package subscript(name: String) -> JSONValue? { attributes[name] }
}

extension JSONValue {
  /// A non-negative integer; nil for anything else.
  package var count: UInt64? {
    if case .number(let number) = content { number.plainText.flatMap { UInt64($0) } } else { nil }
  }

  /// A boolean; nil for anything else.
  package var flag: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// The document of a request: a resource with relationships.
  package static func document(
    _ type: String, id: String? = nil, attributes: [JSONMember] = [],
    related: [(name: String, type: String, id: String)] = []
  ) -> JSONValue {
    var members = [JSONMember("type", JSONValue(type))]
    if let id { members.append(JSONMember("id", JSONValue(id))) }
    if !attributes.isEmpty {
      members.append(JSONMember("attributes", JSONValue(.object(attributes))))
    }
    if !related.isEmpty {
      let links = related.map { name, type, id in
        JSONMember(name, ["data": ["type": JSONValue(type), "id": JSONValue(id)]])
      }
      members.append(JSONMember("relationships", JSONValue(.object(links))))
    }
    return ["data": JSONValue(.object(members))]
  }
}
