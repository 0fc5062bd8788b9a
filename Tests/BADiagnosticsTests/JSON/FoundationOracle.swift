import BADiagnostics
import Foundation

/// A JSON value without positions, which both parsers can produce.
indirect enum PlainValue: Equatable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string([UInt8])
  case array([PlainValue])
  case object([String: PlainValue])

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var members: [String: PlainValue] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(PlainValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [PlainValue] = []
      while !container.isAtEnd { elements.append(try container.decode(PlainValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .string(Array(try container.decode(String.self).utf8))
      }
    }
  }

  /// The value without what Foundation discards: positions, the order of keys, and all but the last
  /// of duplicate keys.
  init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let number): self = .number(Self.double(number))
    case .string(let text): self = .string(Array(text.utf8))
    case .array(let elements): self = .array(elements.map { PlainValue($0) })
    case .rows(let count, let row): self = .array((0..<count).map { PlainValue(row($0)) })
    case .object(let members):
      self = .object(
        Dictionary(members.map { ($0.key, PlainValue($0.value)) }) { _, last in last })
    }
  }

  private static func double(_ number: JSONNumber) -> Double {
    if let text = number.plainText { return Double(text) ?? .nan }
    if number.text.hasSuffix("NaN") { return .nan }
    return number.text.hasPrefix("-") ? -.infinity : .infinity
  }

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// NaN equals NaN here.
  static func == (left: PlainValue, right: PlainValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b || a.isNaN && b.isNaN
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

/// `bytes` parsed by Foundation; nil if it rejects them. A line feed is appended, because
/// Foundation reads beyond a number to find its end, and sometimes traps if there is none.
func foundationValue(_ bytes: [UInt8], json5: Bool) -> PlainValue? {
  let decoder = JSONDecoder()
  decoder.allowsJSON5 = json5
  return try? decoder.decode(PlainValue.self, from: Data(bytes + [0x0A]))
}
