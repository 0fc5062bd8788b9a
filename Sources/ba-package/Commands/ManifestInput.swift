import BAPackCore

/// A manifest that a command was given: read, decoded, and its files selected, as far as it goes.
struct ManifestInput {
  /// The manifest, unless its text says too little.
  let manifest: Manifest?
  /// The files it selects, unless there is no manifest.
  let selection: Selection?
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
      manifest = nil
      selection = nil
      findings = [Self.finding(error)]
      return
    }
    let (manifest, findings) = ManifestDecoder.decode(source)
    self.manifest = manifest
    guard let manifest else {
      selection = nil
      self.findings = findings
      return
    }
    let storeFindings = manifest.storeFindings(hosting)
    guard selects else {
      selection = nil
      self.findings = findings + storeFindings
      return
    }
    let sourceRoot = SourceRoot(
      of: manifest, readFrom: file.isStandardStream ? nil : file, option: root)
    let (selection, fileFindings) = Selection.resolve(manifest, in: sourceRoot, output: output)
    self.selection = selection
    self.findings = (findings + storeFindings + fileFindings)
      .filter { $0.rule.applies(to: hosting) }.inOrderOfText()
  }

  private static func read(_ file: FilePath) throws(FileContentsError) -> SourceText {
    let limit = JSONDocument.maximumSize
    guard file.isStandardStream else {
      return SourceText(name: file.description, bytes: try file.contents(limit: limit))
    }
    let result = FileDescriptor.withStandardInput { input in
      Result { () throws(FileContentsError) in
        try input.contents(of: FilePath("standard input".utf8), limit: limit)
      }
    }
    return SourceText(name: "<stdin>", bytes: try result.get())
  }

  private static func finding(_ error: FileContentsError) -> Finding {
    switch error {
    case .system(let error): Finding(.unreadableFile, error.description, at: nil)
    case .tooLarge(let path, let limit):
      Finding(
        .manifestTooLarge,
        "'\(path)' holds more than \(byteCount(UInt64(limit))), the most that is read of a manifest",
        at: nil)
    }
  }
}

extension FilePath {
  /// Whether this is `-`, which stands for the standard input or output.
  var isStandardStream: Bool { bytes == [UInt8(ascii: "-")] }
}
