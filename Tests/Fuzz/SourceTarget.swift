import BAImporters
import BAPackCore

/// Finds the strings in mutations of sources in each language, also in those of another one.
struct SourceTarget: FuzzTarget {
  private let corpus = [
    #"""
    import BackgroundAssets /* a /* b */ "c" */
    func load(_ n: Int) async throws {
      let pack = try await manager.assetPack(withID: "a"), data = #"x"y"#
      try manager.url(for: FilePath("b/\(name(n, "c")).txt")); f(["d"], g: { h("e") })
      let text = """
        "x" \(n)
        """  // url(for: "y")
    }
    """#,
    #"""
    using Apple.BackgroundAssets; // GetAssetPack("x")
    class A { const char q = '"', r = '\''; void B() { AssetPackManager.OpenFile(@"C:\", "a");
      C($"{d["e"]}", $@"f""g", """ "h" """, i: "\u0041"); } }
    """#,
    #"""
    extends Node # AssetPackManager
    func _ready():
    	packs.ensure_local_availability(&"a"); var t = """ 'b' """
    	packs.url_for("c/%s" % 'd')
    """#,
  ].map { Array($0.utf8) }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let languages = SourceStrings.Language.allCases
    let found = SourceStrings(
      in: SourceText(name: "a", bytes: text), languages[random.below(languages.count)]
    ).arguments
    // A range out of bounds traps.
    for argument in found { _ = text[argument.range] }
    return found.isEmpty ? "nothing found" : "found"
  }
}
