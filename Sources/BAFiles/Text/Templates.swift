/// A text that is part of the program, with words replaced by values, in this order: what comes from
/// outside is last.
package func filled(_ template: [UInt8], _ values: KeyValuePairs<String, String>) -> String {
  values.reduce(String(decoding: template, as: UTF8.self)) {
    $0.replacing($1.key, with: $1.value)
  }
}
