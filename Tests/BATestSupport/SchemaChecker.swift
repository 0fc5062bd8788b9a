import BADiagnostics

/// Checks values against a JSON Schema: the keywords of drafts 4 to 7 that the tests' schemas use.
/// An unknown keyword is a problem, so that none is ignored.
package struct SchemaChecker {
  private let root: JSONValue
  /// Whether objects may have keys that the schema neither lists nor excludes.
  private let allowsOtherKeys: Bool

  package init(_ schema: JSONValue, allowsOtherKeys: Bool = true) {
    root = schema
    self.allowsOtherKeys = allowsOtherKeys
  }

  /// The problems of `value`, each with its path; empty if it is valid.
  package func problems(_ value: JSONValue) -> [String] { check(value, root, "$") }

  private func check(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
    if case .bool(let allowed) = schema.content {
      return allowed ? [] : ["\(path): not allowed"]
    }
    if let reference = schema["$ref"]?.string {
      guard let target = resolve(reference) else { return ["\(path): no \(reference)"] }
      return check(value, target, path)
    }
    let problems = (schema.object ?? []).flatMap { check(value, $0, schema, path) }
    guard !allowsOtherKeys, let known = schema["properties"], schema["additionalProperties"] == nil
    else { return problems }
    return problems
      + (value.object ?? []).filter { known[$0.key] == nil }.map { "\(path).\($0.key): not known" }
  }

  private func check(
    _ value: JSONValue, _ keyword: JSONMember, _ schema: JSONValue, _ path: String
  ) -> [String] {
    let rule = keyword.value
    switch keyword.key {
    case "$schema", "$id", "id", "title", "description", "markdownDescription", "default",
      "definitions", "format", "examples", "$comment", "defaultSnippets", "enumDescriptions":
      return []
    case "type":
      let types = rule.string.map { [$0] } ?? (rule.array ?? []).compactMap(\.string)
      return types.contains { isOf(value, $0) } ? [] : ["\(path): not \(types)"]
    case "properties":
      return (value.object ?? []).flatMap { member in
        rule[member.key].map { check(member.value, $0, "\(path).\(member.key)") } ?? []
      }
    case "additionalProperties":
      let known = schema["properties"]
      return (value.object ?? []).filter { known?[$0.key] == nil }
        .flatMap { check($0.value, rule, "\(path).\($0.key)") }
    case "required":
      guard value.object != nil else { return [] }
      return (rule.array ?? []).compactMap(\.string).filter { value[$0] == nil }
        .map { "\(path): lacks \($0)" }
    case "enum":
      return (rule.array ?? []).contains { plain($0) == plain(value) }
        ? [] : ["\(path): \(plain(value)) is not in the list"]
    case "items":
      return (value.array ?? []).enumerated()
        .flatMap { check($0.element, rule, "\(path)[\($0.offset)]") }
    case "minItems":
      return (value.array?.count).map { $0 < number(rule) ? ["\(path): too few"] : [] } ?? []
    case "maxItems":
      return (value.array?.count).map { $0 > number(rule) ? ["\(path): too many"] : [] } ?? []
    case "minProperties":
      return (value.object?.count).map { $0 < number(rule) ? ["\(path): too few keys"] : [] } ?? []
    case "maxProperties":
      return (value.object?.count).map { $0 > number(rule) ? ["\(path): too many keys"] : [] } ?? []
    case "minLength":
      return (value.string?.unicodeScalars.count)
        .map { $0 < number(rule) ? ["\(path): too short"] : [] } ?? []
    case "uniqueItems":
      let elements = (value.array ?? []).map(plain)
      return Set(elements).count == elements.count ? [] : ["\(path): repeated elements"]
    case "minimum", "maximum":
      guard case .number(let given) = value.content, let given = given.integer else { return [] }
      let isWithin = keyword.key == "minimum" ? given >= number(rule) : given <= number(rule)
      return isWithin ? [] : ["\(path): \(given) is beyond \(number(rule))"]
    case "pattern":
      guard let text = value.string, let pattern = rule.string else { return [] }
      guard let regex = try? Regex(pattern) else { return ["\(path): bad pattern \(pattern)"] }
      return text.contains(regex) ? [] : ["\(path): '\(text)' does not match \(pattern)"]
    case "anyOf", "oneOf":
      let results = (rule.array ?? []).map { check(value, $0, path) }
      let valid = results.count { $0.isEmpty }
      return valid == 1 || valid > 1 && keyword.key == "anyOf"
        ? [] : ["\(path): \(valid) of \(results.count) alternatives hold"]
    case "allOf":
      return (rule.array ?? []).flatMap { check(value, $0, path) }
    case "not":
      return check(value, rule, path).isEmpty ? ["\(path): not allowed"] : []
    case "dependencies":
      return (rule.object ?? []).filter { value[$0.key] != nil }
        .flatMap { check(value, $0.value, path) }
    default:
      return ["\(path): the keyword \(keyword.key) is not known"]
    }
  }

  private func isOf(_ value: JSONValue, _ type: String) -> Bool {
    switch (value.content, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"),
      (.array, "array"), (.object, "object"):
      true
    case (.number(let number), "integer"): number.integer != nil
    default: false
    }
  }

  private func resolve(_ reference: String) -> JSONValue? {
    guard reference.hasPrefix("#") else { return nil }
    return reference.dropFirst().split(separator: "/").reduce(root) { value, part in
      value?[String(part)]
    }
  }

  private func number(_ value: JSONValue) -> Int {
    if case .number(let number) = value.content { number.integer ?? 0 } else { 0 }
  }

  private func plain(_ value: JSONValue) -> String { JSONWriter.text(value, .compact) }
}
