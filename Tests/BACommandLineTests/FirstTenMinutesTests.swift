import Foundation
import Testing

/// The code in the library's articles is one program, which is built as a separate package, so that it
/// sees only public declarations, and run on the sample game.
@Test(.enabled(if: isInstalled("swiftc"), missing("swiftc")))
func theFirstTenMinutesCompileAndRun() throws {
  let articles = ["FirstTenMinutes", "MakingPacksInCode", "ProgressAndCancelling"]
  let code = try articles.flatMap { name in
    try String(
      contentsOf: BuiltTool.sources.appending(
        path: "Sources/BAPackCore/BAPackCore.docc/\(name).md"), encoding: .utf8
    ).components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```\n")[0] }
  }
  #expect(code.count == 16)
  let folder = try ScratchFolder()
  try Data(code.joined(separator: "\n").utf8).write(to: folder.url.appending(path: "main.swift"))
  let script = """
    set --
    for map in "$SOURCES"/Sources/C*/module.modulemap; do set -- "$@" -I "${map%/*}"; done
    grep -E '/(BAArchive|BADiagnostics|BAFiles|BALZFSE|BAPackCore)[.]build/' "$BUILT/ba-package.product/Objects.LinkFileList" \
      > objects.txt && swiftc -swift-version 6 -I "$BUILT/Modules" "$@" main.swift @objects.txt \
      -lz -o first &&
    cp -R "$FIXTURES/SampleGame" game && cd game && ../first && ls Download.json Harbour/Credits.txt
    """
  let outcome = try runShell(
    script, in: folder.url,
    environment: ["BUILT": BuiltTool.folder.path(percentEncoded: false)])
  #expect(outcome.errors.text == "")
  #expect(outcome.status == 0)
  let output = outcome.output.text
  let packed = /build\/Harbour.aar: (\d+) bytes in, (\d+) out\n/
  #expect(
    output.hasPrefix(
      """
      lantern-keeper-harbour: 17 files, 44139 bytes
      1:4: unknown-key: write assetPackID

      """))
  #expect(output.firstMatch(of: packed) != nil)
  #expect(output.contains("\nCredits.txt: "))
  #expect(
    output.hasSuffix(
      """
       bytes and begins with Lantern Keeper
      23 files differ
      OK
      17 files extracted
      equal
      \(output.firstMatch(of: /\n(\d+) bytes\n/)?.1 ?? "") bytes
      64
      true
      \(output.firstMatch(of: /\n(\d+) of \1\n/)?.1 ?? "") of \
      \(output.firstMatch(of: /\n(\d+) of \1\n/)?.1 ?? "")
      1
      cancelled
      Download.json
      Harbour/Credits.txt

      """))
}
