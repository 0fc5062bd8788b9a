extension Note {
  /// `also 'a', 'b' and 3 more files`, for files that a finding is about besides the first; nil if
  /// there are none.
  init?(onOtherFiles names: some Collection<String>) {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(5)
    let rest = names.count - shown.count
    self.init(
      "also " + shown.joined(separator: ", ")
        + (rest > 0 ? " and \(counted(rest, "more file"))" : ""))
  }
}
