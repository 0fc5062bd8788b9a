import BAPackCore
import BATestSupport
import Testing

private let mend = " | fix the link, or exclude it with 'fileExclusion'"
private let copy =
  " | copy the target into the repository, or set the source root to a folder "
  + "above both"

/// Links are followed while they stay inside the root.
@Suite struct LinkTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("real/a", "real/deep/b")
  }

  @Test func linksInsideAreFollowedUnderTheirOwnPath() throws {
    try tree.link("L/file", to: "../real/a")
    try tree.link("L/folder", to: "../real")
    try tree.link("L/chain", to: "folder/deep/../a")
    try tree.link("L/absolute", to: "\(tree.path)/real/deep")
    let result = try Selecting("{directory: 'L'}", in: tree)
    #expect(result.findings == [])
    #expect(
      result.files == ["L/absolute/b", "L/chain", "L/file", "L/folder/a", "L/folder/deep/b"])
    #expect(result.selection.files.map(\.size) == [11, 6, 6, 6, 11])
    #expect(try Selecting("{file: 'L/folder/deep/b'}", in: tree).files == ["L/folder/deep/b"])
    #expect(try Selecting("{directory: 'L/folder'}", in: tree).files.count == 2)
    #expect(try Selecting("{filePattern: 'L/*/b'}", in: tree).files == ["L/absolute/b"])
  }

  @Test func danglingLinksAreErrorsThatNameTheTarget() throws {
    try tree.link("L/gone", to: "../nowhere")
    try tree.link("L/through", to: "../real/a/x")
    let finding = "'L/gone' links to '../nowhere', which does not exist" + mend
    #expect(
      try Selecting("{directory: 'L'}", in: tree).findings == [
        "dangling-link 'L': " + finding,
        "dangling-link 'L': 'L/through' links to '../real/a/x', which does not exist" + mend,
      ])
    #expect(
      try Selecting("{file: 'L/gone'}", in: tree).findings == ["dangling-link 'L/gone': " + finding]
    )
    #expect(try Selecting("{filePattern: 'L/*/x'}, {directory: 'real'}", in: tree).raw.count == 1)
  }

  /// The link to fix is named if it is not the last component of the path.
  @Test func aDanglingLinkInAParentIsNamed() throws {
    try tree.link("L", to: "nowhere")
    for selector in ["{file: 'L/x/y'}", "{directory: 'L/x/y'}"] {
      #expect(
        try Selecting(selector, in: tree).findings == [
          "dangling-link 'L/x/y': 'L' links to 'nowhere', which does not exist" + mend
        ])
    }
  }

  @Test func allLinksOfAChainAreNamed() throws {
    try tree.link("first", to: "real/second")
    try tree.link("real/second", to: "deep/third")
    try tree.link("real/deep/third", to: "nowhere")
    #expect(
      try Selecting("{file: 'first'}", in: tree).findings == [
        "dangling-link 'first': 'first' links to 'real/second', which links to 'deep/third', which "
          + "links to 'nowhere', which does not exist" + mend
      ])
  }

  @Test func loopsAreErrors() throws {
    try tree.link("x", to: "y")
    try tree.link("y", to: "x")
    try tree.link("self", to: "self")
    #expect(
      try Selecting("{directory: '.'}", in: tree).findings == [
        "link-loop '.': 'self' links to 'self', which leads back to it" + mend,
        "link-loop '.': 'x' links to 'y', which leads back to it" + mend,
        "link-loop '.': 'y' links to 'x', which leads back to it" + mend,
      ])
    #expect(
      try Selecting("{file: 'x/z'}", in: tree).findings == [
        "link-loop 'x/z': 'x' links to 'y', which leads back to it" + mend
      ])
  }

  @Test func aLinkToAFolderAboveIsALoop() throws {
    try tree.link("real/deep/up", to: "..")
    try tree.link("real/root", to: tree.path)
    let result = try Selecting("{directory: '.'}", in: tree)
    #expect(
      result.findings == [
        "link-loop '.': 'real/deep/up' links to '..', which leads back to it" + mend,
        "link-loop '.': 'real/root' links to 'ROOT', which leads back to it" + mend,
      ])
    #expect(result.files == ["real/a", "real/deep/b"])
  }

  /// Ten folders result in 1,024 paths to the last one: forty would result in more than can be
  /// walked.
  @Test func exponentialLinksAreAnError() throws {
    for step in 0..<30 {
      for name in ["a", "b"] { try tree.link("\(step)/\(name)", to: "../\(step + 1)") }
    }
    try tree.write("30/file")
    let result = try Selecting("{directory: '0'}", in: tree)
    #expect(result.raw.map(\.rule) == [.repeatedFolder])
    #expect(
      result.raw.first?.message.hasSuffix("' by more than 1,000 paths") == true,
      "\(result.findings)")
    #expect(result.files.count <= 1000)
    // It precedes all findings of the walk.
    try tree.link("30/gone", to: "nowhere")
    let rules = try Selecting("{directory: '0'}", in: tree).raw.map(\.rule)
    #expect(rules.count == 1000 && rules.first == .repeatedFolder)
    try tree.remove("30/gone")
    // Nine doublings are followed.
    let few = try Selecting("{directory: '21'}", in: tree)
    #expect(few.findings == [])
    #expect(few.files.count == 512)
  }

  @Test func nothingOutsideTheRootIsIncluded() throws {
    let outside = try TemporaryFolder()
    try outside.write("secret", "folder/secret")
    try tree.link("file", to: "\(outside.path)/secret")
    try tree.link("folder", to: outside.path)
    try tree.link("relative", to: "../../../../../../../../usr")
    let result = try Selecting("{directory: '.'}", in: tree)
    #expect(result.files == ["real/a", "real/deep/b"])
    #expect(
      result.findings.map { $0.replacing(outside.path, with: "OUT") } == [
        "link-outside-root '.': 'file' links to 'OUT/secret', outside the source root 'ROOT'"
          + copy,
        "link-outside-root '.': 'folder' links to 'OUT', outside the source root 'ROOT'" + copy,
        "link-outside-root '.': 'relative' links to '/usr', outside the source root 'ROOT'" + copy,
      ])
    for selector in ["{file: 'folder/secret'}", "{directory: 'folder/folder'}", "{file: 'file'}"] {
      let result = try Selecting(selector, in: tree)
      #expect(result.raw.map(\.rule) == [.linkOutsideRoot], "\(selector)")
      #expect(result.files == [])
    }
  }

  /// A folder whose name begins with the root's isn't inside it.
  @Test func aSiblingOfTheRootIsOutside() throws {
    try tree.makeFolder("root")
    try tree.write("root-2/a", "root/b")
    try tree.link("root/link", to: "../root-2")
    let manifest = try manifest("{directory: '.'}")
    let checked = Selection.resolve(
      manifest, in: SourceRoot(of: manifest, readFrom: nil, option: tree.path("root")))
    #expect(checked.findings.map(\.rule) == [.linkOutsideRoot])
    #expect(checked.value.files.map { "\($0.destination)" } == ["b"])
  }

  /// A root that is a link is the same as its target.
  @Test func theRootMayBeALink() throws {
    try tree.link("root", to: "real")
    try tree.link("real/inside", to: "deep/b")
    let manifest = try manifest("{directory: '.'}")
    let checked = Selection.resolve(
      manifest, in: SourceRoot(of: manifest, readFrom: nil, option: tree.path("root")))
    #expect(checked.findings.isEmpty)
    #expect(checked.value.files.map { "\($0.destination)" } == ["a", "deep/b", "inside"])
  }

  /// As in the sandbox of a build system: everything is a link to somewhere else.
  @Test func linksMayLeadAnywhereIfAsked() throws {
    try tree.write("store/a", "store/deep/b")
    try tree.link("root/a", to: "\(tree.path)/store/a")
    try tree.link("root/deep", to: "../store/deep")
    try tree.link("root/loop", to: ".")
    try tree.link("root/gone", to: "../store/gone")
    let manifest = try manifest("{directory: '.'}")
    let root = SourceRoot(of: manifest, readFrom: nil, option: tree.path("root"))
    let checked = Selection.resolve(manifest, in: root, SelectionPolicy(links: .follow))
    #expect(checked.findings.map(\.rule) == [.danglingLink, .linkLoop])
    #expect(checked.value.files.map { "\($0.destination)" } == ["a", "deep/b"])
    let inside = Selection.resolve(manifest, in: root)
    #expect(
      inside.findings.map(\.rule) == [.linkOutsideRoot, .linkOutsideRoot, .danglingLink, .linkLoop])
  }
}
