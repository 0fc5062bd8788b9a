/// A readable number of bytes in decimal units, as the App Store uses them: `999 B`, `1.5 MB`.
package func byteCount(_ bytes: UInt64) -> String {
  let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
  guard bytes >= 1000 else { return "\(bytes) B" }
  var unit = 0
  var scale: UInt64 = 1000
  while unit + 1 < units.count, bytes / scale >= 1000 {
    scale *= 1000
    unit += 1
  }
  // In tenths, rounded half up; 999.95 of one unit is 1.0 of the next.
  let (quotient, remainder) = bytes.quotientAndRemainder(dividingBy: scale)
  var tenths = quotient * 10 + (remainder / (scale / 100) + 5) / 10
  if tenths >= 10_000, unit + 1 < units.count {
    tenths = 10
    unit += 1
  }
  return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}

/// The same, with all digits if `other` would be shown alike.
package func byteCount(_ bytes: UInt64, besides other: UInt64) -> String {
  byteCount(bytes) == byteCount(other) ? "\(grouped(bytes)) bytes" : byteCount(bytes)
}

/// The number of bytes that a text such as `200 MB`, `200M` or `1.5 GiB` means; nil if it isn't
/// valid. Units are kB, MB, GB and TB, also without the B (decimal), and KiB, MiB, GiB and TiB, in any
/// case; the default is bytes.
package func byteCount(reading text: String) -> UInt64? {
  let decimal: [String: UInt64] = [
    "k": 1000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000,
  ]
  let binary: [String: UInt64] = ["kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40]
  return quantity(text) { unit in
    if unit.isEmpty || unit == "b" { return 1 }
    return binary[unit] ?? decimal[unit.last == "b" ? String(unit.dropLast()) : unit]
  }
}

/// The number of milliseconds that a text such as `500ms`, `1.5 s` or `2min` means; nil if it isn't
/// valid. Units are ms, s, min and h.
package func milliseconds(reading text: String) -> UInt64? {
  quantity(text) { ["ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000][$0] }
}

/// A decimal number with at most three digits after the point, times its unit, rounded down.
private func quantity(_ text: String, _ scale: (String) -> UInt64?) -> UInt64? {
  let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
  let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
  guard let whole = parts.first.flatMap({ UInt64($0) }), parts.count <= 2,
    let scale = scale(text[digits.endIndex...].drop { $0 == " " }.lowercased())
  else { return nil }
  var (sum, overflow) = whole.multipliedReportingOverflow(by: scale)
  if parts.count == 2 {
    let fraction = parts[1]
    guard fraction.count <= 3, let thousandths = UInt64(fraction) else {
      return nil
    }
    let parts = [1, 10, 100, 1000] as [UInt64]
    // Below 2^50: the largest unit is 2^40.
    let rest = scale * thousandths / parts[fraction.count]
    let added = sum.addingReportingOverflow(rest)
    (sum, overflow) = (added.partialValue, overflow || added.overflow)
  }
  return overflow ? nil : sum
}

/// `part` relative to `whole` in percent, rounded: `45.2%`; nil if that isn't meaningful.
package func percentage(_ part: UInt64, of whole: UInt64) -> String? {
  guard whole > 0, part / 10 < whole else { return nil }
  let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: 1000))
  let tenths = quotient + (remainder >= whole - remainder ? 1 : 0)
  return "\(tenths / 10).\(tenths % 10)%"
}

/// A count with its noun in singular or plural: `1 file`, `12,345 files`.
package func counted(
  _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// `a, b or c`, with `word` before the last.
package func listed(_ names: some Collection<String>, _ word: String) -> String {
  let last = names.reversed().first ?? ""
  return names.count > 1
    ? names.dropLast().joined(separator: ", ") + " \(word) \(last)" : last
}

/// An integer with commas between groups of three digits: `1,048,576`.
package func grouped(_ number: some BinaryInteger) -> String {
  var text = ""
  let digits = String(number.magnitude)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
    text.append(digit)
  }
  return (number.signum() < 0 ? "-" : "") + text
}
