import BAFiles

/// Calls `body` once for each system call of that kind that it makes; `body` returns its error,
/// if any.
package func eachFailure(
  of call: SystemCall, _ error: Errno, _ body: (FailurePlan, String) throws -> Void
) throws {
  for number in 1...2000 {
    let plan = FailurePlan(call, number: number, error)
    try body(plan, "\(call) \(number): \(error)")
    if !plan.hasFailed { return }
  }
  throw EndlessCalls(call: call)
}

private struct EndlessCalls: Error {
  let call: SystemCall
}

extension TemporaryFolder {
  /// The files in the folder, with their contents.
  package func files() throws -> [String: [UInt8]] {
    try Dictionary(uniqueKeysWithValues: names().map { ($0, try contents($0)) })
  }
}
