import BAPackCore
import Foundation
import Testing

/// The peak memory of this process so far, in bytes.
private func peakMemory() -> Int {
  var usage = rusage()
  #if canImport(Darwin)
    _ = unsafe getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    _ = unsafe getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  #endif
}

/// A selection of 100,000 files and their layout take less than 400 bytes per entry at the peak,
/// measured in a separate process.
@Test func anEntryNeedsLessThan400Bytes() async {
  await #expect(processExitsWith: .success) {
    let source = SourceText(name: "Manifest.json", bytes: [])
    let location = SourceLocation(source, 0..<0)
    let manifest = Manifest(
      source: source, assetPackID: Located("a", at: location), downloadPolicy: .onDemand,
      platforms: [], selectors: [], embedded: Array("{}".utf8))
    let before = peakMemory()
    let folders = 200
    let files = (0..<100_000).map { index in
      let path = RelativePath(
        unchecked: Array(
          "Textures/level-\(1000 + index / 500)/tile-\(100_000 + index)-diffuse.png".utf8))
      return SelectedFile(
        destination: path, source: path, size: 1 << 19, isExecutable: false, version: 0,
        selector: 0)
    }
    let selection = Selection(root: ".", files: files)
    let layout = ArchiveLayout(selection, manifest: manifest, modified: .constant)
    let bytes = peakMemory() - before
    #expect(layout.entries.count == 100_000 + folders + 4)
    #expect(selection.files.count == 100_000)
    #expect(bytes / layout.entries.count < 400)
  }
}
