import CBAMicroHTTPD

package enum Clock {
  /// Seconds since 1970. Corresponds to `time(2)`.
  package static var now: Int64 { Int64(time(nil)) }

  /// The monotonic time in nanoseconds. Corresponds to `clock_gettime(2)`.
  package static var steady: Int64 {
    var value = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &value)
    return Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec)
  }

  private static let httpFormat = "%a, %d %b %Y %H:%M:%S GMT"

  /// Seconds since 1970 as an HTTP date: `Sat, 21 Nov 2026 14:40:43 GMT`.
  package static func httpDate(_ seconds: Int64) -> String { text(seconds, httpFormat) }

  /// The time in the format of ``httpDate(_:)``; nil if `text` is invalid. Corresponds to
  /// `timegm(3)`.
  package static func seconds(httpDate text: String) -> Int64? {
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    let fields = text.split { $0 == " " || $0 == ":" }
    let numbers = fields.map { CInt($0) ?? 0 }
    guard text.utf8.count == 29, fields.count == 8,
      let month = months.firstIndex(of: fields[2])
    else { return nil }
    var parts = unsafe tm()
    unsafe (parts.tm_mday, parts.tm_mon, parts.tm_year) = (
      numbers[1], CInt(month), numbers[3] &- 1900
    )
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[4], numbers[5], numbers[6])
    let seconds = unsafe Int64(timegm(&parts))
    // Only this form is valid, and days of the week have to be right.
    return httpDate(seconds) == text ? seconds : nil
  }

  /// Seconds since 1970 as the local time of day: `14:40:43`.
  package static func timeOfDay(_ seconds: Int64) -> String {
    text(seconds, "%H:%M:%S", isLocal: true)
  }

  /// Seconds since 1970 in the format of RFC 3339, in UTC: `2026-11-21T14:40:43Z`.
  package static func timestamp(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%dT%H:%M:%SZ") }

  /// Corresponds to `strftime(3)`. The process doesn't set a locale, so words are English.
  private static func text(_ seconds: Int64, _ format: String, isLocal: Bool = false) -> String {
    var value = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe isLocal ? localtime_r(&value, &parts) : gmtime_r(&value, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
