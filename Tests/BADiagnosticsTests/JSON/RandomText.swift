import BADiagnostics
import BATestSupport

/// Generates random JSON5 texts.
struct RandomText {
  var generator: SeededGenerator

  /// A well-formed text that uses JSON5's extensions.
  mutating func value(depth: Int = 0) -> String {
    space() + bare(depth) + space()
  }

  private mutating func bare(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &generator) {
    case 0: pick(["null", "true", "false"])
    case 1, 2: number()
    case 3: string()
    case 4: list("[", "]") { $0.value(depth: depth + 1) }
    default:
      list("{", "}") { random in
        random.space() + random.key() + random.space() + ":" + random.value(depth: depth + 1)
      }
    }
  }

  private mutating func list(
    _ open: String, _ close: String, _ element: (inout RandomText) -> String
  ) -> String {
    var elements: [String] = []
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { elements.append(element(&self)) }
    let comma = !elements.isEmpty && Bool.random(using: &generator) ? "," : ""
    return open + elements.joined(separator: ",") + comma + space() + close
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &generator)]
  }

  private mutating func number() -> String {
    pick([
      "0", "-1", "12.5", "1e3", "-2.5E-2", "0x1f", "-0XA", "+7", ".5", "5.", "-Infinity", "NaN",
      "123456789.125",
    ])
  }

  private mutating func key() -> String {
    Int.random(in: 0..<3, using: &generator) == 0
      ? pick(["a", "$b", "_c9", "file", "platforms"]) : string()
  }

  private mutating func string() -> String {
    let quote = pick(["\"", "'"])
    var text = ""
    for _ in 0..<Int.random(in: 0..<6, using: &generator) {
      text += pick([
        "a", "é", "日", "😀", "e\u{301}", "\\n", "\\\\", "\\\"", "\\'", "\\u00e9", "\\uD83D\\uDE00",
        "/",
        "//", "\\/", " ", "\\x41",
      ])
    }
    return quote + text + quote
  }

  private mutating func space() -> String {
    pick(["", "", "", " ", "\n", "\t", "// note\n", "/* note */"])
  }

  /// A few bytes changed, removed, inserted or moved.
  mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        bytes.insert(
          pick(Array("{}[]:,\"'\\/*u0x.+-eE\n\t \u{0}#;aN".utf8)),
          at: place)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 2: if place < bytes.count { bytes.remove(at: place) }
      case 3:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
      default:
        let end = min(bytes.count, place + Int.random(in: 0..<16, using: &generator))
        bytes.insert(
          contentsOf: Array(bytes[place..<end]),
          at: Int.random(in: 0...bytes.count, using: &generator))
      }
    }
    return bytes
  }
}
