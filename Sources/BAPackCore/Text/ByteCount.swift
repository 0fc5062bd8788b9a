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

/// A count with its noun in singular or plural: `1 file`, `12,345 files`.
package func counted(
  _ count: some BinaryInteger, _ noun: String, _ plural: String? = nil
) -> String {
  "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
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
