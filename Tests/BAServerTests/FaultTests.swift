import BAPackCore
import BAServer
import Testing

@Suite struct FaultCommandTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func linesAreUnderstood() throws {
    #expect(try FaultCommand("") == nil)
    #expect(try FaultCommand("throttle 200K") == .set(.throttle, nil, 200_000))
    #expect(
      try FaultCommand("throttle Harbour=1.5M") == .set(.throttle, bytes("Harbour"), 1_500_000))
    #expect(try FaultCommand("delay a=b=500ms") == .set(.delay, bytes("a=b"), 500))
    #expect(try FaultCommand("delay 0.25s") == .set(.delay, nil, 250))
    #expect(try FaultCommand("cut-after 0") == .set(.cutAfter, nil, 0))
    #expect(try FaultCommand("fail Harbour=503") == .set(.fail, bytes("Harbour"), 503))
    #expect(try FaultCommand("wrong-size Harbour") == .set(.wrongSize, bytes("Harbour"), 1))
    #expect(try FaultCommand("wrong-size *") == .set(.wrongSize, nil, 1))
    #expect(try FaultCommand("off") == .clear(nil, nil))
    #expect(try FaultCommand("off fail") == .clear(.fail, nil))
    #expect(try FaultCommand("off Harbour") == .clear(nil, bytes("Harbour")))
    #expect(try FaultCommand("off fail Harbour") == .clear(.fail, bytes("Harbour")))
    #expect(try FaultCommand("throttle off") == .clear(.throttle, nil))
    #expect(try FaultCommand(" quit \r") == .quit)
  }

  @Test(
    arguments: [
      "fly", "throttle", "throttle 0", "throttle 1Q", "throttle -1", "throttle 1e9", "throttle 1 2",
      "delay 5", "delay 2h", "delay 4000s", "fail 200", "fail abc", "fail +500", "throttle +5",
      "delay +5s", "cut-after +5", "fail 600", "wrong-size",
      "cut-after", "cut-after x", "quit now", "off a b c",
    ])
  func othersAreRefused(_ line: String) {
    #expect(throws: PackagingError.self) { try FaultCommand(line) }
  }

  @Test func aTypoIsExplained() {
    #expect {
      try FaultCommand("trottle 200K")
    } throws: {
      "\($0)" == "'trottle' is not a command; did you mean 'throttle'?"
    }
  }

  @Test func aPackOverridesAll() {
    var faults = Faults()
    faults.set(.throttle, nil, to: 10)
    faults.set(.throttle, bytes("a"), to: 20)
    #expect(faults.value(.throttle, "a") == 20)
    #expect(faults.value(.throttle, "b") == 10)
    #expect(faults.value(.fail, "a") == nil)
    #expect(faults.lines == ["throttle all packs: 10 B/s", "throttle 'a': 20 B/s"])
    faults.clear(nil, bytes("a"))
    #expect(faults.value(.throttle, "a") == 10)
    faults.clear(.throttle, nil)
    #expect(faults == Faults())
  }
}
