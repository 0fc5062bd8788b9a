// What the embedded standard library lacks, as far as the sources use it.

enum ContinuousClock {
  struct Instant: Comparable {
    var nanoseconds: Int64

    static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    static func + (a: Instant, time: Duration) -> Instant {
      let (seconds, rest) = time.components
      return Instant(nanoseconds: a.nanoseconds + seconds * 1_000_000_000 + rest / 1_000_000_000)
    }
  }

  static var now: Instant { Instant(nanoseconds: systemTime()) }
}

extension String {
  func replacing(_ old: String, with new: String) -> String {
    let old = Array(old.utf8)
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let first = rest.first {
      if rest.starts(with: old) {
        result += new.utf8
        rest = rest.dropFirst(old.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
