import BAFiles
import BATestSupport
import Testing

/// Files are written with a different failing system call each time, until all have failed once.
/// Only old or complete new files are left.
@Suite struct FailurePlanTests {
  static let errors: [Errno] = [.inputOutput, .noSpace]
  static let old = Array("old".utf8)

  let out: TemporaryFolder

  init() throws { out = try TemporaryFolder() }

  /// The names in `out`, in which files that can't be removed may be left.
  private func expectNames(_ names: [String], _ call: SystemCall, _ context: String) throws {
    if call != .remove { #expect(try out.names() == names, "\(context)") }
  }

  /// The output of `template -o` and `convert -o`.
  @Test(arguments: SystemCall.allCases, [false, true])
  func writingOneFile(call: SystemCall, replaces: Bool) throws {
    let path = out.path("T.json")
    let new = [UInt8](repeating: 7, count: 3000)
    for error in Self.errors {
      try eachFailure(of: call, error) { failure, context in
        for name in try out.names() { try out.remove(name) }
        if replaces { try out.write("T.json", Self.old) }
        var isDone = true
        do {
          try failure.run {
            _ = try FileStatus.following(path.folder)
            let output = try AtomicOutput(path, replacing: replaces)
            try output.write(new)
            _ = try output.publish()
          }
        } catch let error as SystemError {
          isDone = error.operation == .syncFolder
        }
        let expected = isDone ? new : replaces ? Self.old : nil
        #expect(try out.files()["T.json"] == expected, "\(context)")
        try expectNames(expected == nil ? [] : ["T.json"], call, context)
      }
    }
  }

  /// The output of `template --from` and of converting a project: all of it or nothing, and the
  /// error states if something could not be undone.
  @Test(arguments: SystemCall.allCases, [false, true])
  func writingSeveralFiles(call: SystemCall, replaces: Bool) throws {
    let names = ["a.json", "b.json", "c.json"]
    let new = Dictionary(uniqueKeysWithValues: names.map { ($0, Array($0.utf8)) })
    let before = replaces ? ["b.json": Self.old, "c.json": Self.old] : [:]
    for error in Self.errors {
      try eachFailure(of: call, error) { failure, context in
        for name in try out.names() { try out.remove(name) }
        for (name, bytes) in before { try out.write(name, bytes) }
        let group = FileGroup(
          names.map { (path: out.path($0), bytes: new[$0] ?? [], replaces: replaces) })
        var expected = new
        do {
          try failure.run { try group.write() }
        } catch {
          expected = before
          let written = try #require((error as? SystemError)?.written, "\(error)")
          for path in written {
            let name = String(decoding: path.name, as: UTF8.self)
            expected[name] = new[name]
          }
          #expect(written.isEmpty || call == .remove, "\(context)")
        }
        var files = try out.files()
        if call == .remove { files = files.filter { !$0.key.hasSuffix(".tmp") } }
        #expect(files == expected, "\(context)")
      }
    }
  }

  /// A file appears at the third of several names during the run: nothing is written, and that file
  /// stays.
  @Test func aFileThatAppearsStopsAllOfAGroup() throws {
    try out.write("c.json", Self.old)
    let group = FileGroup(
      ["a.json", "b.json", "c.json"].map { (path: out.path($0), bytes: [1], replaces: false) })
    let error = #expect(throws: SystemError.self) { try group.write() }
    #expect(try out.files() == ["c.json": Self.old])
    #expect(
      error?.description == "can't create '\(out.path)/c.json': file exists; nothing was written")
  }
}
