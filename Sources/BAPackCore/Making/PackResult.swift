/// Why the packs of an app can't be made, apart from errors in their manifests.
package enum AppPackagingError: Error, Sendable {
  /// The manifests can't be listed.
  case manifests(InputFilesError)
  /// A single file can't be the output of several manifests.
  case oneOutput(BytePath, manifests: Int)
  /// Two manifests have the same output.
  case sameOutput(BytePath, BytePath, BytePath)
  /// The folder for the packs can't be created.
  case folder(SystemError)
}

extension AppPackagingError: CustomStringConvertible {
  /// The description, in one sentence without a final period.
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

/// The result for a manifest's pack.
package struct PackResult: Sendable {
  /// The manifest.
  package let manifest: BytePath
  /// The identifier of the pack; nil if it could not be read.
  package let identifier: String?
  /// The path of the pack, whether it was made or not.
  package let output: BytePath
  /// The number of selected files, and their size in bytes.
  package let files: Int
  package let size: UInt64
  /// The result.
  package let state: State

  /// Possible results.
  package enum State: Sendable {
    /// It was written in this time. It has a digest if digests were requested.
    case made(PackedCounts, PackDigest?, Duration)
    /// It has this size and was kept, because its bytes would be the same.
    case unchanged(PackDigest?, packedSize: UInt64)
    /// Its manifest or its files have errors, or clash with other packs.
    case invalid(errors: Int)
    /// It could not be written.
    case failed(PackagingError)
    /// It was skipped, because others failed.
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
