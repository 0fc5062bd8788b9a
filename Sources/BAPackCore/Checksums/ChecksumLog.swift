/// What the checksums in a file show.
package struct ChecksumLog: Sendable {
  /// A checksum that is wrong, or a part that can't be followed.
  package struct Problem: Sendable {
    /// ``DamageReason/fileChecksum``, ``DamageReason/fileStructure`` or ``DamageReason/limit``.
    package let reason: DamageReason
    /// The byte of the file.
    package let offset: UInt64
    /// What is wrong, without a final period.
    package let message: String
  }

  /// At most ``maximumProblems``.
  package private(set) var problems: [Problem] = []
  /// The number of problems that are not in ``problems``.
  package private(set) var furtherProblems = 0
  /// Bytes that a checksum covers.
  package internal(set) var covered: UInt64 = 0

  /// The maximum number of problems that are kept of a file.
  package static let maximumProblems = 20

  /// A checksum that is not that of the bytes.
  mutating func mismatch(at offset: UInt64, _ message: String) {
    add(Problem(reason: .fileChecksum, offset: offset, message: message))
  }

  /// Bytes that break the format of the file.
  mutating func broken(at offset: UInt64, _ message: String) {
    add(Problem(reason: .fileStructure, offset: offset, message: message))
  }

  mutating func add(_ problem: Problem) {
    if problems.count < Self.maximumProblems {
      problems.append(problem)
    } else {
      furtherProblems += 1
    }
  }
}

/// Follows the structure of a file and checks the checksums in it. Memory is bounded, whatever the
/// file claims.
protocol ChecksumReader: Sendable {
  /// Reads all of `piece`.
  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog)
  /// The file ends at byte `position`.
  mutating func finish(at position: UInt64, _ log: inout ChecksumLog)
}
