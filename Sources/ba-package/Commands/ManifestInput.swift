import BAPackCore
import CommandLine

/// A manifest that a command was given: read, decoded, and its files selected, as far as it goes.
struct ManifestInput {
  /// The manifest with the files it selects, unless its text says too little.
  let pack: CheckedPack?
  /// All that is wrong.
  let findings: [Finding]

  /// Reads `file`, or the standard input where that is `-`. Selectors start from `root` if given;
  /// nothing is selected where `selects` is false. The file at `output` is never selected. A text
  /// that can't be had is a finding too.
  init(
    _ file: FilePath, root: FilePath?, hosting: Hosting, selects: Bool = true,
    output: FilePath? = nil
  ) {
    let source: SourceText
    do throws(FileContentsError) {
      source = try Self.read(file)
    } catch {
      pack = nil
      findings = [Self.finding(error)]
      return
    }
    if Self.isPack(source.bytes) {
      pack = nil
      findings = [Self.packFinding(file)]
      return
    }
    let (manifest, findings) = ManifestDecoder.decode(source)
    guard let manifest else {
      pack = nil
      self.findings = findings
      return
    }
    var all = findings + manifest.storeFindings(hosting)
    var selection: Selection?
    // Where no selector could be read, that is said already.
    if selects, !manifest.selectors.isEmpty {
      let sourceRoot = SourceRoot(
        of: manifest, readFrom: file.isStandardStream ? nil : file, option: root)
      let (files, fileFindings) = Selection.resolve(manifest, in: sourceRoot, output: output)
      all += fileFindings + files.storeFindings(of: manifest, hosting)
      selection = files
    }
    pack = CheckedPack(manifest, selection)
    self.findings = all.inOrderOfText()
  }

  private static func read(_ file: FilePath) throws(FileContentsError) -> SourceText {
    let limit = JSONDocument.maximumSize
    guard file.isStandardStream else {
      return SourceText(name: file.bytes, bytes: try file.contents(limit: limit))
    }
    let bytes = try FileDescriptor.withStandardInput { (input) throws(FileContentsError) in
      try input.contents(of: FilePath("standard input".utf8), limit: limit)
    }
    return SourceText(name: "<stdin>", bytes: bytes)
  }

  private static func finding(_ error: FileContentsError) -> Finding {
    switch error {
    case .system:
      return Finding(.unreadableFile, error.description, at: nil)
    case .tooLarge(let file, _):
      // A pipe has given its beginning away.
      if (try? FileStatus.following(file))?.kind == .file,
        let start = try? FileDescriptor.reading(file).read(upTo: 12, of: file), isPack(start)
      {
        return packFinding(file)
      }
      return Finding(.manifestTooLarge, error.description, at: nil)
    }
  }

  /// Whether a text begins as the archive of a pack does.
  private static func isPack(_ bytes: [UInt8]) -> Bool {
    (try? ContainerKind(Array(bytes.prefix(12)))) != nil
  }

  private static func packFinding(_ file: FilePath) -> Finding {
    Finding(
      .syntax,
      "'\(file.shown)' is an asset pack and no manifest; 'verify', 'list' and 'info' read packs",
      at: nil)
  }
}

extension FilePath {
  /// Whether this is `-`, which stands for the standard input or output.
  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}
