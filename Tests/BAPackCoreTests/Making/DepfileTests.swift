import BAPackCore
import Testing

/// Depfiles, byte by byte. That ninja and make read them correctly is tested with the programs
/// themselves.
@Suite struct DepfileTests {
  private func text(_ inputs: [String], _ format: Depfile.Format) throws -> String {
    let rule = (
      output: BytePath("build/my pack.aar"), inputs: inputs.map { BytePath($0.utf8) }
    )
    return String(decoding: try Depfile([rule], format).bytes, as: UTF8.self)
  }

  @Test func inputsAreSortedAndNamedOnce() throws {
    #expect(try text(["b", "a", "b"], .ninja) == "build/my\\ pack.aar: \\\n  a \\\n  b\n")
    #expect(
      try text(["b", "a", "b"], .make)
        == "build/my\\ pack.aar: \\\n  a \\\n  b\n\na :\n\nb :\n")
  }

  @Test(arguments: [
    ("a b", "a\\ b"), ("a\\ b", "a\\\\\\ b"), ("#", "\\#"), ("\\#", "\\\\#"), ("$a", "$$a"),
    ("a:b", "a:b"), ("%=[]{}()~", "%=[]{}()~"), ("a\\b", "a\\b"), ("é", "é"),
  ]) func namesForNinja(_ name: String, _ expected: String) throws {
    #expect(try text([name], .ninja) == "build/my\\ pack.aar: \\\n  \(expected)\n")
  }

  @Test(arguments: [
    ("a b", "a\\ b", "a\\ b"), ("a\\ b", "a\\\\\\ b", "a\\\\\\ b"), ("#", "\\#", "\\#"),
    ("\\#", "\\\\\\#", "\\\\\\#"), ("$a", "$$a", "$$a"), ("a:b", "a\\:b", "a\\:b"),
    ("50%", "50%", "50\\%"), ("a|b", "a\\|b", "a|b"), ("*?[", "\\*\\?\\[", "\\*\\?\\["),
    ("]'\"&<>`^", "]'\"&<>`^", "]'\"&<>`^"),
  ]) func namesForMake(_ name: String, _ input: String, _ target: String) throws {
    #expect(
      try text([name], .make) == "build/my\\ pack.aar: \\\n  \(input)\n\n\(target) :\n")
  }

  @Test(
    arguments: [
      "*", "a?", "|", ";", "'", "\"", "&", "<", ">", "`", "^", "a:", "a\\", "a\\:b",
      "a\\$b", "\t", "\n", "\u{7F}",
    ])
  func namesThatNinjaCanNotRead(_ name: String) throws {
    #expect(
      try text(["fine", name], .ninja)
        == "build/my\\ pack.aar: \\\n  .ba-package-rebuilds-always \\\n  fine\n")
    #expect(throws: unreadable(name, by: "ninja")) {
      try Depfile([(BytePath(name.utf8), [])], .ninja)
    }
  }

  @Test(
    arguments: [
      ";", "a=b", "a\\", "a ", "~", "~root/a", "a (1)", "a\\%", "\t", "\n", "include",
      "define x", "-include", "else",
    ])
  func namesThatMakeCanNotRead(_ name: String) throws {
    #expect(try text([name], .make) == text([".ba-package-rebuilds-always"], .make))
    #expect(throws: unreadable(name, by: "make")) {
      try Depfile([(BytePath(name.utf8), [])], .make)
    }
  }
}

private func unreadable(_ name: String, by tool: String) -> PackagingError {
  PackagingError(
    "\(tool) can't read the name '\(BytePath(name.utf8))' from a depfile; rename it, or "
      + "build without one")
}
