extension ArchiveTime: CustomStringConvertible {
  /// The time in UTC, to the second: `2001-01-01 00:00:00`.
  package var description: String {
    let (date, clock) = dateAndSecond
    return "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day)) "
      + "\(twoDigits(clock / 3600)):\(twoDigits(clock / 60 % 60)):\(twoDigits(clock % 60))"
  }

  /// The day in the Gregorian calendar, and the second of the day. Years start in March, so that
  /// the leap day comes last; 400 years have 146,097 days.
  private var dateAndSecond: (date: (year: String, month: Int64, day: Int64), second: Int64) {
    let second = ((seconds % 86400) + 86400) % 86400
    // No overflow: the divisor is 86,400.
    let days = (seconds - seconds % 86400) / 86400 - (seconds % 86400 < 0 ? 1 : 0) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    let digits = String(year.magnitude)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return (((year < 0 ? "-" : "") + padded, month >= 10 ? month - 9 : month + 3, day), second)
  }
}

private func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
