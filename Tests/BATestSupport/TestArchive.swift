import BAArchive

/// Archives for tests, in blocks of a given size that are deflated if that makes them smaller.
package struct TestArchive {
  package var stream: [UInt8]

  package init(stream: [UInt8] = []) { self.stream = stream }

  /// Adds an entry; the rest of its fields are those of packs.
  package mutating func add(_ type: Unicode.Scalar, _ path: String, _ contents: [UInt8]? = nil) {
    var fields: [EntryField] = [
      .integer("TYP", UInt64(type.value)), .string("PAT", Array(path.utf8)),
      .integer("MOD", type == "D" ? 0o755 : 0o644), .time("MTM", .constant),
    ]
    if let contents { fields.append(.blob("DAT", size: UInt64(contents.count))) }
    stream += encodeHeader(fields) + (contents ?? [])
  }

  /// A pack with these files in Contents, an entry for each directory, and a manifest.
  package static func pack(_ files: [(String, [UInt8])], id: String = "Test") -> TestArchive {
    var archive = TestArchive()
    archive.add("D", "")
    archive.add("D", "Contents")
    var folders: Set<String> = []
    let sorted = files.map { (RelativePath(unchecked: Array($0.0.utf8)), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    for (path, contents) in sorted {
      let parts = path.split(separator: "/")
      for count in 1..<max(1, parts.count) {
        let folder = parts.prefix(count).joined(separator: "/")
        if folders.insert(folder).inserted { archive.add("D", "Contents/\(folder)") }
      }
      archive.add("F", "Contents/\(path)", contents)
    }
    archive.add("F", "Manifest.json", manifest(id))
    return archive
  }

  package static func manifest(_ id: String) -> [UInt8] {
    Array(
      """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "fileSelectors": \
      [{"directory": "Data"}], "platforms": ["iOS"]}
      """.utf8)
  }

  /// The container.
  package func container(blockSize: Int) -> [UInt8] {
    var bytes = Array("pbzz".utf8) + bigEndian(blockSize)
    let deflater = try? Deflater(level: 5, probe: nil)
    for start in stride(from: 0, to: stream.count, by: blockSize) {
      let raw = Array(stream[start..<min(start + blockSize, stream.count)])
      var output = [UInt8](repeating: 0, count: raw.count)
      let count = unsafe raw.withUnsafeBytes { raw in
        unsafe output.withUnsafeMutableBytes { output in
          unsafe deflater?.encode(
            raw, into: UnsafeMutableRawBufferPointer(rebasing: output.dropLast()))
        }
      }
      let payload = count.map { Array(output.prefix($0)) } ?? raw
      bytes += bigEndian(raw.count) + bigEndian(payload.count) + payload
    }
    return bytes
  }

  /// The file offsets of the headers of the blocks in `container`.
  package static func blocks(_ container: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var offset = 12
    while offset + 16 <= container.count {
      starts.append(offset)
      offset += 16 + container[offset + 8..<offset + 16].reduce(0) { $0 << 8 | Int($1) }
    }
    return starts
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}

extension TemporaryFolder {
  /// Writes a small pack with these files; returns its path.
  package func writePack(
    _ name: String, _ files: [(String, [UInt8])], id: String, blockSize: Int = 64
  ) throws -> BytePath {
    try write("\(name).aar", TestArchive.pack(files, id: id).container(blockSize: blockSize))
  }
}
