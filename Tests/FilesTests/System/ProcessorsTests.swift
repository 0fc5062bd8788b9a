import Files
import Foundation
import Testing

@Test func thereIsAtLeastOneProcessor() {
  #expect(Processors.available >= 1)
  #expect(Processors.available <= ProcessInfo.processInfo.processorCount)
}

#if os(Linux)
  @Test(arguments: [
    ("0", 1), ("0-3", 4), ("\t0-3,8", 5), ("0-1,4-5,7\n", 5), ("63", 1), ("0-0", 1),
  ])
  func countsListsOfProcessors(list: String, count: Int) {
    #expect(processors(list: list) == count)
  }

  @Test(arguments: [
    "", "\n", "a", "3-1", "0-", "0-x", "1-2-3", "0-9223372036854775807", "99999999999999999999",
  ])
  func rejectsOtherLists(list: String) {
    // A list that ends with '-' is read without it.
    #expect(processors(list: list) == (list == "0-" ? 1 : nil))
  }

  @Test(arguments: [
    ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000", 2), ("1 100000", 1),
    ("400000 100000\n", 4), ("400001 100000", 5), ("-1 100000", nil), ("0 100000", nil),
    ("100000 0", nil), ("100000", nil), ("", nil), ("9223372036854775807 1", Int.max),
  ])
  func roundsQuotasUp(text: String, count: Int?) {
    #expect(processors(quotaAndPeriod: text) == count)
  }
#endif
