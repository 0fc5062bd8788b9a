import BACommandLine
import Testing
import ba_package

@Suite struct ProgressLineTests {
  @Test func nothingIsShownInTheFirstHalfSecond() {
    var line = ProgressLine(total: 1000)
    #expect(line.line(done: 999, after: .milliseconds(499), width: 80) == nil)
    #expect(line.line(done: 999, after: .milliseconds(500), width: 80) != nil)
  }

  @Test func atMostTenUpdatesASecond() {
    var line = ProgressLine(total: 1000)
    let shown = (0..<2000).filter { time in
      line.line(done: 500, after: .milliseconds(time), width: 80) != nil
    }
    #expect(shown == Array(stride(from: 500, to: 2000, by: 100)))
  }

  @Test func logsGetALineEveryTenSeconds() {
    var line = ProgressLine(total: 1000, on: .log)
    let shown = (0..<40_000).filter { time in
      line.line(done: 500, after: .milliseconds(time), width: 80) != nil
    }
    #expect(shown == [10_000, 20_000, 30_000])
  }

  @Test(arguments: [
    (UInt64(0), "  0%  0 B of 8.0 GB  0 B/s"),
    (2_000_000_000, " 25%  2.0 GB of 8.0 GB  1.0 GB/s  6 s left"),
    (60_000_000, "  0%  60.0 MB of 8.0 GB  30.0 MB/s  4 min 25 s left"),
    (1_000_000, "  0%  1.0 MB of 8.0 GB  500.0 kB/s  4 h 26 min left"),
    (8_000_000_000, "100%  8.0 GB of 8.0 GB  4.0 GB/s  0 s left"),
    (9_000_000_000, "100%  8.0 GB of 8.0 GB  4.0 GB/s  0 s left"),
  ])
  func showsPercentBytesRateAndTime(_ done: UInt64, _ text: String) {
    var line = ProgressLine(total: 8_000_000_000)
    #expect(line.line(done: done, after: .seconds(2), width: 80) == text)
  }

  @Test func dropsPartsThatDoNotFit() {
    let texts = [42, 41, 29, 20, 3].map { width in
      var line = ProgressLine(total: 8_000_000_000)
      return line.line(done: 2_000_000_000, after: .seconds(2), width: width)
    }
    #expect(
      texts == [
        " 25%  2.0 GB of 8.0 GB  1.0 GB/s  6 s left", " 25%  2.0 GB of 8.0 GB  1.0 GB/s",
        " 25%  2.0 GB of 8.0 GB", " 25%", " 25%",
      ])
  }

  @Test func zeroBytesAreComplete() {
    var line = ProgressLine(total: 0)
    #expect(line.line(done: 0, after: .seconds(1), width: 80) == "100%  0 B of 0 B  0 B/s")
  }
}
