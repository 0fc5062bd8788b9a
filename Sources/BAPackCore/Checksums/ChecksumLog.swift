/// The result of checking the checksums in a file.
package struct ChecksumLog: Sendable {
  /// A wrong checksum, or a part that can't be parsed.
  package struct Problem: Sendable {
    /// ``DamageReason/fileChecksum``, ``DamageReason/fileStructure`` or ``DamageReason/limit``.
    package let reason: DamageReason
    /// The offset in the file.
    package let offset: UInt64
    /// The description, without a final period.
    package let message: String
  }

  /// At most ``maximumProblems``.
  package private(set) var problems: [Problem] = []
  /// The number of problems that are not in ``problems``.
  package private(set) var furtherProblems = 0
  /// The number of bytes covered by checksums.
  package internal(set) var covered: UInt64 = 0

  /// The maximum number of problems kept per file.
  package static let maximumProblems = 20

  /// Adds a wrong checksum.
  mutating func mismatch(at offset: UInt64, _ message: String) {
    add(Problem(reason: .fileChecksum, offset: offset, message: message))
  }

  /// Adds bytes that violate the file format.
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

/// Parses a file's structure and checks the checksums in it. Memory is bounded, whatever the file
/// claims.
protocol ChecksumReader: Sendable {
  /// Reads all of `piece`.
  mutating func read(_ piece: inout ContentsPiece, _ log: inout ChecksumLog)
  /// The file ends at offset `position`.
  mutating func finish(at position: UInt64, _ log: inout ChecksumLog)
}
