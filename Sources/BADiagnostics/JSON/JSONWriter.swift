/// Writes values as plain JSON (RFC 8259) in UTF-8, deterministically. Escaped are quotes,
/// backslashes, and what could steer a terminal, or a CI system that reads its log.
package struct JSONWriter {
  package enum Layout: Sendable {
    /// No whitespace.
    case compact
    /// One element per line, indented by two spaces; ends with a line feed.
    case pretty
  }

  private var output: [UInt8] = []
  private let layout: Layout
  /// Receives the bytes in parts; if nil, they stay in ``output``.
  private let receive: (([UInt8]) -> Void)?

  /// The bytes of `value`. Numbers keep their text if it is plain JSON; infinities and NaN become
  /// `null`.
  package static func bytes(_ value: JSONValue, _ layout: Layout = .pretty) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.write(value, depth: 0)
    if layout == .pretty { writer.output.append(UInt8(ascii: "\n")) }
    return writer.output
  }

  package static func text(_ value: JSONValue, _ layout: Layout = .pretty) -> String {
    String(decoding: bytes(value, layout), as: UTF8.self)
  }

  /// Writes `value` like ``bytes(_:_:)``, and passes the bytes to `receive` in parts, to save
  /// memory.
  package static func write(
    _ value: JSONValue, _ layout: Layout = .pretty, to receive: ([UInt8]) throws -> Void
  ) throws {
    var failure: (any Error)?
    withoutActuallyEscaping(receive) { receive in
      var writer = JSONWriter(layout: layout) { part in
        guard failure == nil else { return }
        do { try receive(part) } catch { failure = error }
      }
      writer.write(value, depth: 0)
      if layout == .pretty { writer.output.append(UInt8(ascii: "\n")) }
      writer.flush()
    }
    if let failure { throw failure }
  }

  private init(layout: Layout, receive: (([UInt8]) -> Void)? = nil) {
    self.layout = layout
    self.receive = receive
  }

  private mutating func flush() {
    guard let receive else { return }
    receive(output)
    output.removeAll(keepingCapacity: true)
  }

  // Recursion is safe: parsed trees have a maximum depth, others are created in code.
  private mutating func write(_ value: JSONValue, depth: Int) {
    switch value.content {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .number(let number): put(number.plainText ?? "null")
    case .string(let text): writeString(text)
    case .array(let elements):
      writeList(elements, "[", "]", depth: depth) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .rows(let count, let row):
      writeList(0..<count, "[", "]", depth: depth) { writer, index in
        writer.write(row(index), depth: depth + 1)
      }
    case .object(let members):
      writeList(members, "{", "}", depth: depth) { writer, member in
        writer.writeString(member.key)
        writer.put(writer.layout == .pretty ? ": " : ":")
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func writeList<Elements: Collection>(
    _ elements: Elements, _ open: StaticString, _ close: StaticString, depth: Int,
    _ writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    put(open.description)
    for (index, element) in elements.enumerated() {
      if index > 0 { put(",") }
      breakLine(depth + 1)
      writeElement(&self, element)
      if output.count >= 1 << 16 { flush() }
    }
    if !elements.isEmpty { breakLine(depth) }
    put(close.description)
  }

  private mutating func breakLine(_ depth: Int) {
    guard layout == .pretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func writeString(_ text: String) {
    output.append(UInt8(ascii: "\""))
    var numberSigns = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": put("\\\"")
      case "\\": put("\\\\")
      case "\n": put("\\n")
      case "\r": put("\\r")
      case "\t": put("\\t")
      // GitHub's runner treats '##[' as a command wherever it is on a line.
      case "[" where numberSigns > 1: putEscape(scalar)
      case _ where scalar.canSteer: putEscape(scalar)
      default: output.append(contentsOf: scalar.utf8)
      }
      numberSigns = scalar == "#" ? numberSigns + 1 : 0
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func putEscape(_ scalar: Unicode.Scalar) {
    for unit in scalar.utf16 {
      put("\\u" + hexadecimal([UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]))
    }
  }

  private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByArrayLiteral
{
  package init(stringLiteral value: String) { self.init(.string(value)) }

  /// An object with its keys in the order given.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(elements.map { JSONMember($0.0, $0.1) }))
  }

  package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }

  package init(_ value: String) { self.init(.string(value)) }

  /// A whole number.
  package init(_ value: some BinaryInteger) { self.init(.number(JSONNumber(value))) }
}
