import BAFiles
import Foundation
import Testing

@Test func thereIsAtLeastOneProcessor() {
  #expect(Processors.available >= 1)
  #expect(Processors.available <= ProcessInfo.processInfo.processorCount)
}

#if os(Linux)
  @Test(arguments: [
    ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000", 2), ("1 100000", 1),
    ("400000 100000\n", 4), ("400001 100000", 5), ("-1 100000", nil), ("0 100000", nil),
    ("100000 0", nil), ("100000", nil), ("", nil), ("9223372036854775807 1", Int.max),
  ])
  func roundsQuotasUp(text: String, count: Int?) {
    #expect(processors(quotaAndPeriod: text) == count)
  }
#endif
