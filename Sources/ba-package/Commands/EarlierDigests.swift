import BACommandLine
import BAPackCore

/// The digests of manifests, both as printed, in a list that must be `made` in the same way.
func earlierDigests(in path: BytePath, made: String) throws -> [String: String] {
  var digests: [String: String] = [:]
  let text = try path.contents(limit: 64 << 20)
  for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .enumerated() where !line.isEmpty
  {
    if index == 0 {
      guard line.starts(with: "# ".utf8) else {
        throw PackagingError(
          "\(path):1: expected '# \(made)': how the digests were made, as 'digest' prints it")
      }
      let other = String(decoding: line.dropFirst(2), as: UTF8.self)
      guard other == made else {
        throw PackagingError(
          "\(path):1: these digests were made with '\(printable(other.utf8))', and now it is"
            + " '\(made)'; use the same options, or make the list again")
      }
      continue
    }
    let (digest, rest) = (line.prefix(64), line.dropFirst(64))
    guard digest.count == 64, digest.allSatisfy({ ASCII.hexadecimalValue($0) != nil }),
      rest.starts(with: "  ".utf8), rest.count > 2
    else {
      throw PackagingError(
        "\(path):\(index + 1): expected a digest, two spaces and the path of a manifest, as "
          + "'digest' prints them without --\(Digest.changedFrom.long)")
    }
    let manifest = String(decoding: rest.dropFirst(2), as: UTF8.self)
    guard digests.updateValue(String(decoding: digest, as: UTF8.self), forKey: manifest) == nil
    else { throw PackagingError("\(path):\(index + 1): a second digest of '\(manifest)'") }
  }
  return digests
}
