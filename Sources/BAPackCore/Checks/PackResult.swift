/// Why the packs of an app can't be made, whatever their manifests say.
package enum AppPackagingError: Error, Sendable {
  /// The manifests can't be listed.
  case manifests(InputFilesError)
  /// This one file can't be the output of so many manifests.
  case oneOutput(BytePath, manifests: Int)
  /// Two manifests have the same output.
  case sameOutput(BytePath, BytePath, BytePath)
  /// The folder for the packs can't be made.
  case folder(SystemError)
}

extension AppPackagingError: CustomStringConvertible {
  /// What is wrong, in one sentence without a final period.
  package var description: String {
    switch self {
    case .manifests(let error): error.description
    case .oneOutput(let output, let count):
      "\(counted(count, "manifest")) can't be packaged to one file, '\(output)'"
    case .sameOutput(let output, let first, let second):
      "'\(first)' and '\(second)' would both be packaged to '\(output)'; rename one of them"
    case .folder(let error): error.description
    }
  }
}

/// What became of a manifest's pack.
package struct PackResult: Sendable {
  /// The manifest.
  package let manifest: BytePath
  /// The identifier of the pack; nil where the manifest has none that could be read.
  package let identifier: String?
  /// Where the pack is, or would be.
  package let output: BytePath
  /// How many files were selected, and their bytes.
  package let files: Int
  package let size: UInt64
  /// What became of it.
  package let state: State

  /// What can become of a pack.
  package enum State: Sendable {
    /// It was written, in this time; with a digest if digests were asked for.
    case made(PackedCounts, PackDigest?, Duration)
    /// It has this size and was not touched, because its bytes would be the same.
    case unchanged(PackDigest?, packedSize: UInt64)
    /// Its manifest or its files have errors, or clash with other packs.
    case invalid(errors: Int)
    /// It could not be written.
    case failed(PackagingError)
    /// It was not tried, because others failed.
    case skipped
  }
}

extension PackResult.State {
  init(_ outcome: PackBatch.Outcome) {
    switch outcome {
    case .made(let counts, let digest, let time): self = .made(counts, digest, time)
    case .unchanged(let digest, let size): self = .unchanged(digest, packedSize: size)
    case .failed(let error): self = .failed(error)
    case .skipped: self = .skipped
    }
  }
}
