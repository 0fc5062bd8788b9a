#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wall-clock time, and a monotonic clock for measuring.
package enum Clock {
  /// Seconds since 1970. Corresponds to `time(2)`.
  package static var now: Int64 { Int64(time(nil)) }

  /// The monotonic time in nanoseconds. Corresponds to `clock_gettime(2)`.
  package static var steady: Int64 {
    var value = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &value)
    return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
  }

  /// Sleeps, at most until a signal arrives. Corresponds to `nanosleep(2)`.
  package static func sleep(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var value = timespec()
    value.tv_sec = time_t(nanoseconds / 1_000_000_000)
    value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    unsafe nanosleep(&value, nil)
  }

  /// Seconds since 1970 as an HTTP date: `Sat, 21 Nov 2026 14:40:43 GMT`. Corresponds to
  /// `gmtime_r(3)`.
  package static func httpDate(_ seconds: Int64) -> String {
    let parts = Parts(utc: seconds)
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][parts.weekday % 7]
    return "\(day), \(two(parts.day)) \(months[parts.month % 12]) \(parts.year) \(parts.clock) GMT"
  }

  /// The time in the format of ``httpDate(_:)``; nil if `text` is invalid.
  package static func seconds(httpDate text: String) -> Int64? {
    let fields = text.split(separator: " ")
    guard fields.count == 6, fields[5] == "GMT", let day = Int(fields[1]),
      let year = Int(fields[3]),
      let month = months.firstIndex(of: String(fields[2])), (1...31).contains(day),
      (1970...9999).contains(year)
    else { return nil }
    let time = fields[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    // Days since 1970 by the civil calendar, with years that begin in March.
    let shifted = month < 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let seconds = Int64(days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2])
    return httpDate(seconds) == text ? seconds : nil
  }

  /// Seconds since 1970 as the local time of day: `14:40:43`. Corresponds to `localtime_r(3)`.
  package static func timeOfDay(_ seconds: Int64) -> String { Parts(local: seconds).clock }

  /// Seconds since 1970 in the format of RFC 3339, in UTC: `2026-11-21T14:40:43Z`.
  package static func timestamp(_ seconds: Int64) -> String {
    let parts = Parts(utc: seconds)
    return "\(parts.year)-\(two(parts.month + 1))-\(two(parts.day))T\(parts.clock)Z"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The components of a time.
  private struct Parts {
    let year, month, day, weekday: Int
    let clock: String

    init(utc seconds: Int64) {
      var value = time_t(seconds)
      var parts = unsafe tm()
      unsafe gmtime_r(&value, &parts)
      unsafe self.init(parts)
    }

    init(local seconds: Int64) {
      var value = time_t(seconds)
      var parts = unsafe tm()
      unsafe localtime_r(&value, &parts)
      unsafe self.init(parts)
    }

    private init(_ parts: tm) {
      year = unsafe Int(parts.tm_year) + 1900
      month = unsafe Int(parts.tm_mon)
      day = unsafe Int(parts.tm_mday)
      weekday = unsafe Int(parts.tm_wday)
      clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { two(Int($0)) }
        .joined(separator: ":")
    }
  }
}

private func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
