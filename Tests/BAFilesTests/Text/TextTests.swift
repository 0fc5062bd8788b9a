import BAFiles
import Testing

@Test(arguments: [
  ("", ""), ("a b.c", "a b.c"), ("é 🎮 日本", "é 🎮 日本"), ("a\nb\r\t", "a\\nb\\r\\t"),
  ("\\n", "\\\\n"), ("\u{0}\u{1B}[31m\u{7F}", "\\u{0}\\u{1B}[31m\\u{7F}"),
  ("\u{85}\u{9B}", "\\u{85}\\u{9B}"), ("abc\u{202E}fdp", "abc\\u{202E}fdp"),
  ("\u{200B}\u{FEFF}\u{2028}\u{2029}", "\\u{200B}\\u{FEFF}\\u{2028}\\u{2029}"),
  ("'\"", "'\""), ("e\u{301}", "e\u{301}"),
])
func printableTextCanNotHide(text: String, shown: String) {
  #expect(Array(printable(text.utf8).utf8) == Array(shown.utf8))
}

@Test(
  arguments: [
    ([0xFF], "\\xFF"), ([0x61, 0xC3], "a\\xC3"), ([0xC3, 0x28], "\\xC3("),
    ([0xE2, 0x82, 0x61], "\\xE2\\x82a"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
    ([0xC0, 0x80], "\\xC0\\x80"), ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"),
    ([0x80, 0xC3, 0xA9, 0x0F], "\\x80é\\u{F}"),
  ] as [([UInt8], String)])
func printableShowsBytesThatAreNoText(bytes: [UInt8], shown: String) {
  #expect(printable(bytes) == shown)
  #expect(printable(bytes[...]) == shown)
}

@Test(arguments: [
  (UInt64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
  (1_048_576, "1.0 MB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_500_000, "1.5 MB"),
  (999_950_000, "1.0 GB"), (200_000_000_000, "200.0 GB"), (1_000_000_000_000_000, "1.0 PB"),
  (.max, "18.4 EB"),
])
func bytesAreCountedInDecimalUnits(bytes: UInt64, text: String) {
  #expect(byteCount(bytes) == text)
}

@Test func numbersAreGrouped() {
  #expect(
    [0, 1, 999, 1000, 12_345, 123_456, 1_048_576, -1, -1000, -123_456].map { grouped($0) } == [
      "0", "1", "999", "1,000", "12,345", "123,456", "1,048,576", "-1", "-1,000", "-123,456",
    ])
  #expect(grouped(Int.min) == "-9,223,372,036,854,775,808")
  #expect(grouped(UInt64.max) == "18,446,744,073,709,551,615")
  #expect(counted(1, "file") == "1 file" && counted(0, "file") == "0 files")
  #expect(counted(12_345, "entry", "entries") == "12,345 entries")
  #expect(counted(1, "entry", "entries") == "1 entry")
}

@Test func hexadecimalDigitsComeInPairs() {
  #expect(hexadecimal([0, 9, 10, 255]) == "00090aff")
  #expect(hexadecimal([0x0A, 0xBC], uppercase: true) == "0ABC")
  #expect(hexadecimal([]) == "")
}

@Test(arguments: [
  ("onDemnad", "onDemand"), ("ondemand", "onDemand"), ("prefech", "prefetch"),
  ("essential2", "essential"), ("esential", "essential"), ("ios", "iOS"), ("IOS", "iOS"),
  ("x", nil), ("essence", nil), ("", nil), ("zz", nil), ("iO", "iOS"), ("demandOn", nil),
])
func suggestsWhatIsNear(word: String, near: String?) {
  #expect(nearest(to: word, among: ["onDemand", "prefetch", "essential", "iOS"]) == near)
}

@Test func suggestsTheNearestOfSeveral() {
  #expect(nearest(to: "stone", among: ["store", "stone", "stones", "shone"]) == "store")
  #expect(nearest(to: "stonse", among: ["store", "stones"]) == "stones")
  #expect(nearest(to: String(repeating: "a", count: 65), among: ["a"]) == nil)
  #expect(nearest(to: "a", among: []) == nil)
}

/// The first and last code point of each range, and their neighbors.
@Test(arguments: [
  (0x20, 1), (0x7E, 1), (0xAD, 1), (0x2FF, 1), (0x300, 0), (0x36F, 0), (0x370, 1),
  (0x488, 0), (0x200B, 0), (0x200D, 0), (0xFE0F, 0), (0xFEFF, 0), (0xE0101, 0),
  (0x10FF, 1), (0x1100, 2), (0x115F, 2), (0x1160, 0), (0x11FF, 0), (0x1200, 1),
  (0x231A, 2), (0x2328, 1), (0x2329, 2), (0x232A, 2), (0x232B, 1), (0x2600, 1), (0x26A1, 2),
  (0x2E7F, 1), (0x2E80, 2), (0x303E, 2), (0x303F, 1), (0x3040, 1), (0x3041, 2), (0x3400, 2),
  (0x4E00, 2), (0xA4CF, 2), (0xA4D0, 1), (0xA960, 2), (0xA97F, 2), (0xA980, 0), (0xABFF, 1),
  (0xAC00, 2), (0xD7A3, 2), (0xF8FF, 1), (0xF900, 2), (0xFAFF, 2), (0xFB00, 1), (0xFE10, 2),
  (0xFF00, 2), (0xFF60, 2), (0xFF61, 1), (0xFFE0, 2), (0xFFE6, 2), (0xFFE8, 1), (0x16FDF, 1),
  (0x17000, 2), (0x1B2FF, 2), (0x1B300, 1), (0x1F1E6, 2), (0x1F200, 2), (0x1F3AE, 2),
  (0x1F3FB, 2), (0x1F5A5, 1), (0x20000, 2), (0x3FFFD, 2), (0x3FFFE, 1), (0x10FFFD, 1),
])
func codePointsTakeColumns(value: UInt32, columns: Int) throws {
  #expect(displayWidth(try #require(Unicode.Scalar(value))) == columns)
}

@Test func partitioningIndexIsTheFirstOfTheSecondPart() {
  for count in 0...9 {
    for first in 0...count {
      #expect((0..<count).partitioningIndex { $0 >= first } == first)
    }
  }
  #expect([1, 1, 2][1...].partitioningIndex { $0 > 1 } == 2)
}
