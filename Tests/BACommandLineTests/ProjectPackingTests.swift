import BAPackCore
import Foundation
import Testing

/// The library and the program make the same packs of a project file, whatever it states.
@Test func theLibraryPackagesAsTheProgramDoes() throws {
  let folder = try ScratchFolder()
  func path(_ name: String) -> BytePath {
    BytePath(folder.url.appending(path: name).path(percentEncoded: false).utf8)
  }
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }
  try write("text", (0..<9000).map { "line \($0 * 7919 % 1000)\n" }.joined())
  try write(
    "m.json",
    """
    {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [],
    "fileSelectors": [{"file": "text"}]}
    """)
  var packs: [String: Set<String>] = [:]
  for hosting in [nil, "apple", "self"] {
    for compression in [nil, "zlib", "lzfse", "store"] {
      for level in [nil, "1", "9"] {
        let members =
          hosting.map { ["\"hosting\": \"\($0)\""] } ?? []
        let text =
          (members + (compression.map { ["\"compression\": \"\($0)\""] } ?? [])
          + (level.map { ["\"compressionLevel\": \($0)"] } ?? [])).joined(separator: ", ")
        try write(".ba-package.json", "{\(text)}")
        let outcome = try runShell(
          "unset BA_PACKAGE_COMPRESSION; ba-package -q m.json --root . -o program.aar -f",
          in: folder.url)
        var options = ManifestCheck.Options(Project.find(for: [path("m.json")]))
        options.root = path(".")
        var builder = try AssetPackBuilder(
          reading: [path("m.json")], to: .file(path("library.aar")), options)
        builder.replacesOutput = true
        let state = try builder.build()[0].state
        guard case .made = state else {
          #expect(outcome.status == 1, "\(text): \(state)")
          #expect(compression == "store" && level != nil)
          continue
        }
        #expect(outcome.status == 0, "\(text): \(outcome.errors.text)")
        let pack = try Data(contentsOf: folder.url.appending(path: "library.aar"))
        #expect(
          try Data(contentsOf: folder.url.appending(path: "program.aar")) == pack, "\(text)")
        packs["\(pack.prefix(4).text) \(pack.count)", default: []].insert(text)
      }
    }
  }
  // zlib and LZFSE at three levels each, and stored.
  #expect(packs.count == 7, "\(packs.mapValues(\.count))")
}
