import WinSDK

// The backend for Windows and the codec, tried on whatever answers its calls: Windows or wine.
//
//     checks.exe FOLDER PACK LEVEL     all checks, in an empty folder; each prints a line
//     checks.exe ROLE …                what a process does that the checks start

@main enum Checks {
  static func main() {
    Interruption.turnWriteSignalsIntoErrors()
    ProcessContext.allowManyOpenFiles()
    let words = ProcessContext.arguments
    switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
    case "echo"?:
      let standardInput = (try? FileDescriptor.standardInput.read(upTo: 100)) ?? []
      let names = ["A", "PATH"].map { ProcessContext.environment($0) ?? Array("-".utf8) }
      put(Array((words.dropFirst() + names + [standardInput]).joined(separator: [0x0A])))
    case "fail"?: ProcessContext.exit(3)
    case "flood"?:
      for _ in 0..<100 { put([UInt8](repeating: 0x78, count: 1000)) }
    case "wait"?: sleep(milliseconds: 60_000)
    case "write"?: write(BytePath(words[1]))
    case "lock"?: lock(BytePath(words[1]))
    case "stage"?: stage(BytePath(words[1]))
    default:
      guard words.count == 3 else { ProcessContext.exit(2) }
      let folder = BytePath(words[0])
      atomicOutput(folder.appending("output".utf8))
      descriptors(folder.appending("descriptors".utf8))
      locks(folder.appending("locks".utf8))
      folders(folder.appending("folders".utf8))
      names(folder.appending("names".utf8))
      threads()
      process()
      killedRuns(folder.appending("killed".utf8))
      pack(BytePath(words[1]), level: Int(String(decoding: words[2], as: UTF8.self)) ?? 5)
    }
  }
}

// MARK: Results

func put(_ bytes: [UInt8]) { _ = try? FileDescriptor.standardOutput.write(bytes) }
func put(_ text: String) { put(Array(text.utf8) + [0x0A]) }

/// Prints whether `body` is true; `needs` is what wine 8 is known to lack.
func check(_ name: String, needs: String? = nil, _ body: () throws(Errno) -> Bool) {
  var outcome = "wrong"
  do throws(Errno) { if try body() { outcome = "right" } } catch { outcome = "wrong: \(error)" }
  if outcome != "right", let needs { outcome = "lacking \(needs)" }
  put("\(name)\t\(outcome)")
}

/// The result of calls that fail with an error that names a file; only its code is looked at.
func plain<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(Errno) -> Result {
  do throws(SystemError) { return try body() } catch { throw error.code }
}

/// Unlike `&&`, this lets the type of an error be known.
func all(_ values: Bool...) -> Bool { !values.contains(false) }

/// The error of `body`; nil if it has none.
func failure(_ body: () throws(Errno) -> Void) -> Errno? {
  do throws(Errno) { try body() } catch { return error }
  return nil
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

extension BytePath {
  func contains(_ text: String) throws(Errno) -> Bool {
    try plain { () throws(SystemError) in try contents(limit: 1 << 20) } == utf8(text)
  }

  func list() throws(Errno) -> [String] {
    try plain { () throws(SystemError) in try names() }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func make(_ text: String) throws(Errno) {
    let file = try FileDescriptor.creating(self)
    try file.write(utf8(text))
    try file.close()
  }

  func makeEmptyFolder() -> BytePath {
    if (try? makeFolder()) != true { put("the folder '\(self)'\twrong: can't be made") }
    return self
  }

  func output(_ text: String, replacing: Bool) throws(Errno) {
    try plain { () throws(SystemError) in
      try AtomicOutput.write(utf8(text), to: self, replacing: replacing)
    }
  }
}

// MARK: Outputs

func atomicOutput(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  let a = folder.appending("a".utf8)
  check("an output appears when it is complete") { () throws(Errno) in
    let before = try plain { () throws(SystemError) in
      let output = try AtomicOutput(a, replacing: false)
      try output.write(utf8("one"))
      let before = try FileStatus.ifPresent(a) == nil
      try output.publish()
      return before
    }
    return try all(
      before,
      a.contains("one"),
      folder.list() == ["a"])
  }
  check("an output replaces nothing unless it is told to") { () throws(Errno) in
    try all(
      failure { () throws(Errno) in try a.output("two", replacing: false) } == .fileExists,
      a.contains("one"),
      folder.list() == ["a"])
  }
  check("an output replaces a file") { () throws(Errno) in
    try a.output("three", replacing: true)
    return try all(
      a.contains("three"),
      folder.list() == ["a"])
  }
  check("a file that is open can be replaced", needs: "renames as in POSIX") { () throws(Errno) in
    let old = try FileDescriptor.reading(a)
    try a.output("four", replacing: true)
    return try all(
      a.contains("four"),
      old.read(10, at: 0) == utf8("three"))
  }
  check("an abandoned output leaves nothing") { () throws(Errno) in
    let b = folder.appending("b".utf8)
    try plain { () throws(SystemError) in
      let output = try AtomicOutput(b, replacing: false)
      try output.write(utf8("x"))
    }
    return try folder.list() == ["a"]
  }
  check("a folder isn't replaced") { () throws(Errno) in
    let b = folder.appending("b".utf8).makeEmptyFolder()
    let isRefused = failure { () throws(Errno) in try b.output("x", replacing: true) } != nil
    try plain { () throws(SystemError) in BytePath.removeEmptyFolders([b]) }
    return try all(
      isRefused,
      folder.list() == ["a"])
  }
  check("a missing folder is an error") { () throws(Errno) in
    let inside = folder.appending("no/c".utf8)
    return failure { () throws(Errno) in try inside.output("x", replacing: false) } == .noSuchFile
  }
  check("an output is written in any order, and read") { () throws(Errno) in
    let b = folder.appending("b".utf8)
    let read = try plain { () throws(SystemError) in
      let output = try AtomicOutput(b, replacing: false, inAnyOrder: true)
      try utf8("xyz").withRawSpan { span throws(SystemError) in try output.write(span, at: 3) }
      try utf8("abc").withRawSpan { span throws(SystemError) in try output.write(span, at: 0) }
      let read = try unsafe [UInt8](upTo: 4) { buffer throws(SystemError) in
        unsafe try output.read(into: buffer, at: 2)
      }
      try output.publish()
      return read
    }
    return try all(
      read == utf8("cxyz"),
      b.contains("abcxyz"))
  }
  check("an output waits without a descriptor, and is resumed") { () throws(Errno) in
    let c = folder.appending("c".utf8)
    let waiting = try plain { () throws(SystemError) in
      let output = try AtomicOutput(c, replacing: false)
      try output.write(utf8("later"))
      let name = try output.suspend()
      let waiting = try folder.names().count
      try AtomicOutput(c, replacing: false, suspended: name).publish()
      return waiting
    }
    return try all(
      waiting == 3,
      c.contains("later"),
      folder.list() == ["a", "b", "c"])
  }
  check("a file is replaced if it still is what it was") { () throws(Errno) in
    let b = folder.appending("b".utf8)
    let result = failure { () throws(Errno) in
      try plain { () throws(SystemError) in
        let output = try AtomicOutput(b, replacing: true)
        try output.write(utf8("new"))
        try output.publish(inPlaceOf: utf8("other"))
      }
    }
    let isKept = try b.contains("abcxyz")
    try plain { () throws(SystemError) in
      let output = try AtomicOutput(b, replacing: true)
      try output.write(utf8("new"))
      try output.publish(inPlaceOf: utf8("abcxyz"))
    }
    return try all(
      result == .changed,
      isKept,
      b.contains("new"))
  }
  check("what is appended begins a line") { () throws(Errno) in
    let log = folder.appending("log".utf8)
    try plain { () throws(SystemError) in
      for line in ["one\n", "two", "three\n"] { try log.append(line) }
    }
    return try log.contains("one\ntwo\nthree\n")
  }
  for replaces in [false, true] {
    check("each call fails in turn, \(replaces ? "replacing" : "creating") a file") {
      () throws(Errno) in
      try everyCallFails(folder.appending("fail".utf8), replaces: replaces)
    }
  }
}

/// Whether only the old file or the new one is left, whichever call of an output fails.
func everyCallFails(_ path: BytePath, replaces: Bool) throws(Errno) -> Bool {
  var failures = 0
  for call in SystemCall.allCases {
    for number in 1...200 {
      if try plain({ () throws(SystemError) in try FileStatus.ifPresent(path) }) != nil {
        try unlink(path)
      }
      if replaces { try path.make("old") }
      let plan = FailurePlan(call, number: number, .inputOutput)
      var isDone = true
      plan.run {
        do throws(SystemError) {
          try AtomicOutput.write(utf8("new"), to: path, replacing: replaces)
        } catch { isDone = error.operation == .syncFolder }
      }
      let isThere = try plain { () throws(SystemError) in try FileStatus.ifPresent(path) } != nil
      guard isThere == (isDone || replaces),
        try isThere ? path.contains(isDone ? "new" : "old") : true
      else {
        put("\(call) \(number)")
        return false
      }
      if !plan.hasFailed { break }
      failures += 1
    }
  }
  // Files that couldn't be removed are removed as leftovers.
  _ = removeLeftovers(of: path)
  let left = try path.folder.list().filter { isTemporaryName(utf8($0)) }
  try unlink(path)
  // Among them: open, write, status, rename and sync, twice and more.
  return failures >= 10 && left.isEmpty
}

// MARK: Descriptors

func descriptors(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  let a = folder.appending("a".utf8)
  check("a file is read at offsets, up to its end") { () throws(Errno) in
    try a.make("0123456789")
    let file = try FileDescriptor.reading(a)
    return try all(
      file.read(4, at: 3) == utf8("3456"),
      file.read(9, at: 8) == utf8("89"),
      file.read(1, at: 10).isEmpty,
      FileDescriptor.reading(a).read(upTo: 100) == utf8("0123456789"))
  }
  check("a file that exists isn't created again") {
    failure { () throws(Errno) in try a.make("x") } == .fileExists
  }
  check("errors tell a missing file, a folder and a file") { () throws(Errno) in
    let missing = failure { () throws(Errno) in
      _ = try FileDescriptor.reading(folder.appending("no".utf8))
    }
    let below = failure { () throws(Errno) in
      _ = try FileDescriptor.directory(a)
    }
    let read = failure { () throws(Errno) in
      _ = try plain { () throws(SystemError) in try folder.contents(limit: 1) }
    }
    return missing == .noSuchFile && below == .notDirectory && read == .isDirectory
  }
  check("a file has a size, an identity and a time") { () throws(Errno) in
    let one = try FileDescriptor.reading(a)
    let two = try FileDescriptor.reading(a)
    let b = folder.appending("b".utf8)
    try b.make("x")
    let status = try one.status()
    let other = try FileDescriptor.reading(b).status()
    return try all(
      status.size == 10,
      status.kind == .file,
      status.identity == two.status().identity,
      status.identity != other.identity,
      abs(systemTime() - other.modified) < 60_000_000_000)
  }
  check("touching a file changes its version") { () throws(Errno) in
    let file = try FileDescriptor.reading(a)
    let before = try file.status().version
    sleep(milliseconds: 50)
    try file.touch()
    return try file.status().version != before
  }
  check("a duplicate outlives its descriptor") { () throws(Errno) in
    let file = try FileDescriptor.reading(a)
    let copy = try FileDescriptor.duplicating(file.rawValue)
    try file.close()
    return try copy.read(2, at: 0) == utf8("01")
  }
  check("a second name is the same file, and replaces none") { () throws(Errno) in
    let second = folder.appending("second".utf8)
    try link(a, to: second)
    let again = failure { () throws(Errno) in try link(a, to: folder.appending("b".utf8)) }
    return try all(
      FileDescriptor.reading(second).status().linkCount == 2,
      again == .fileExists)
  }
  check("two writers append to one file") { () throws(Errno) in
    let log = folder.appending("log".utf8)
    let one = try FileDescriptor.opening(workingDirectory, log.bytes, .appending)
    let two = try FileDescriptor.opening(workingDirectory, log.bytes, .appending)
    for _ in 0..<3 {
      try one.write(utf8("1"))
      try two.write(utf8("2"))
    }
    return try log.contains("121212")
  }
  check("the user owns what it creates") { () throws(Errno) in
    try FileDescriptor.reading(a).status().isOwnedByUserOrRoot
  }
  check("a file that is open can be removed, and its name used", needs: "removal as in POSIX") {
    () throws(Errno) in
    let file = try FileDescriptor.reading(a)
    try unlink(a)
    try a.make("new")
    return try all(
      file.read(1, at: 0) == utf8("0"),
      a.contains("new"))
  }
}

// MARK: Locks

func locks(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  let a = folder.appending("a".utf8)
  check("one descriptor has the lock of a file, which others read") { () throws(Errno) in
    try a.make("text")
    let one = try FileDescriptor.reading(a)
    let two = try FileDescriptor.reading(a)
    let first = one.lock(), second = two.lock()
    return try all(
      first == .taken,
      second == .held,
      two.read(4, at: 0) == utf8("text"))
  }
  check("a lock ends with its descriptor") { () throws(Errno) in
    try FileDescriptor.reading(a).lock() == .taken
  }
  check("one descriptor has the lock of a folder") { () throws(Errno) in
    let one = try FileDescriptor.directory(folder)
    let two = try FileDescriptor.directory(folder)
    var first: FileDescriptor?
    var second: FileDescriptor?
    let name = utf8(".ba-package")
    let taken = one.lockFolder(named: name, in: one.rawValue, &first)
    let held = two.lockFolder(named: name, in: two.rawValue, &second)
    return taken == .taken && held == .held
  }
  check("no lock file is left") { () throws(Errno) in try folder.list() == ["a"] }
  check("a folder's lock is waited for, and passed on") { () throws(Errno) in
    try plain { () throws(SystemError) in
      let lock = try FolderLock(folder) {}
      lock.release()
      try FolderLock(folder) {}.release()
    }
    return try folder.list() == ["a"]
  }
  check("a process has a lock until it is killed") { () throws(Errno) in
    let process = try started("lock", folder)
    let waiting = try FileDescriptor.reading(a).lock()
    systemKill(process)
    return try all(
      waiting == .held,
      FileDescriptor.reading(a).lock() == .taken,
      folder.list() == ["a"])
  }
}

/// Takes the locks of a folder and of the file in it until the process ends.
func lock(_ folder: BytePath) {
  guard let file = try? FileDescriptor.reading(folder.appending("a".utf8)), file.lock() == .taken,
    let lock = try? FolderLock(folder, waiting: {})
  else { return put("no lock") }
  put("ready")
  sleep(milliseconds: 60_000)
  lock.release()
}

// MARK: Folders

func folders(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  check("files are made and read below an open folder") { () throws(Errno) in
    let top = try FileDescriptor.directory(folder)
    guard try top.makeFolder(named: utf8("one")), try top.makeFolder(named: utf8("two")),
      try !top.makeFolder(named: utf8("one"))
    else { return false }
    let one = try top.folder(named: utf8("one"))
    let file = try one.creating(named: utf8("a"), executable: false)
    try file.write(utf8("a"))
    try file.close()
    guard let path = RelativePath(utf8("one/a")) else { return false }
    return try all(
      top.reading(path).read(9, at: 0) == utf8("a"),
      top.directory(.root).names().count == 2)
  }
  check("a file moves from one open folder to another, once") { () throws(Errno) in
    let top = try FileDescriptor.directory(folder)
    let one = try top.folder(named: utf8("one"))
    let two = try top.folder(named: utf8("two"))
    try one.move(utf8("a"), to: utf8("b"), in: two, .exclusive)
    try folder.appending("one/a".utf8).make("new")
    let again = failure { () throws(Errno) in
      try one.move(utf8("a"), to: utf8("b"), in: two, .exclusive)
    }
    let isKept = try folder.appending("two/b".utf8).contains("a")
    try one.move(utf8("a"), to: utf8("b"), in: two, .replacing)
    return try all(
      again == .fileExists,
      isKept,
      folder.appending("two/b".utf8).contains("new"),
      folder.appending("one".utf8).list().isEmpty)
  }
  check("nothing is exchanged, and the caller is told so") { () throws(Errno) in
    let top = try FileDescriptor.directory(folder)
    let error = failure { () throws(Errno) in
      try top.move(utf8("one"), to: utf8("two"), in: top, .exchanging)
    }
    return error?.isUnsupported == true
  }
  check("a folder that isn't empty isn't removed") { () throws(Errno) in
    let top = try FileDescriptor.directory(folder)
    let error = failure { () throws(Errno) in try top.remove(named: utf8("two"), isFolder: true) }
    try top.remove(named: utf8("one"), isFolder: true)
    return try all(
      error != nil,
      folder.list() == ["two"],
      folder.appending("two/b".utf8).contains("new"))
  }
  check("nothing above an open folder is reached") { () throws(Errno) in
    let two = try FileDescriptor.directory(folder.appending("two".utf8))
    let open = failure { () throws(Errno) in
      _ = try FileDescriptor.opening(two.rawValue, utf8(".."), .directory)
    }
    let make = failure { () throws(Errno) in
      _ = try two.creating(named: utf8("../x"), executable: false)
    }
    return try all(
      open != nil,
      make != nil,
      folder.list() == ["two"])
  }
  check("an open folder is the same folder after it was renamed") { () throws(Errno) in
    let top = try FileDescriptor.directory(folder)
    let two = try top.folder(named: utf8("two"))
    try top.move(utf8("two"), to: utf8("three"), in: top, .exclusive)
    return try all(
      two.names() == [utf8("b")],
      folder.list() == ["three"])
  }
  check("three thousand names are listed in order") { () throws(Errno) in
    let many = folder.appending("many".utf8).makeEmptyFolder()
    let top = try FileDescriptor.directory(many)
    let names = (0..<3000).map { "name\($0 * 7919 % 3000)" }
    for name in names { try top.creating(named: utf8(name), executable: false).close() }
    return try many.list() == names.sorted { utf8($0).lexicographicallyPrecedes(utf8($1)) }
  }
  check("folders are made with those above, and removed") { () throws(Errno) in
    let deep = folder.appending("x/y/z".utf8)
    let made = try plain { () throws(SystemError) in try deep.makeFolderPath() }
    BytePath.removeEmptyFolders(made)
    return try all(
      made.count == 3,
      !folder.list().contains("x"))
  }
}

// MARK: Names

func names(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  check("names in any script keep their bytes") { () throws(Errno) in
    let inside = folder.appending("script".utf8).makeEmptyFolder()
    let names = ["Grüße 🎉", "日本.bin", "о\u{308}", "..a", "-rf", "a b", "%PATH%"]
    for name in names { try inside.appending(name.utf8).make(name) }
    let found = try plain { () throws(SystemError) in try inside.names() }
    return try all(
      found == names.map(utf8).sorted { $0.lexicographicallyPrecedes($1) },
      inside.appending("日本.bin".utf8).contains("日本.bin"))
  }
  check("text of the system is UTF-8, and a surrogate without its partner three bytes") {
    let units: [UInt16] = [0x61, 0xD800, 0x62, 0xD83C, 0xDF89, 0xDC00, 0xE9, 0xFFFF, 0xDBFF]
    return wide(narrow(units)) == units
      && narrow(units.prefix(3)) == [0x61, 0xED, 0xA0, 0x80, 0x62] && wide(utf8("🎉é")).count == 3
  }
  check("a name may have such a surrogate", needs: "names that aren't Unicode") {
    () throws(Errno) in
    let inside = folder.appending("surrogate".utf8).makeEmptyFolder()
    let name: [UInt8] = [0x61, 0xED, 0xA0, 0x80, 0x62]
    try inside.appending(name).make("x")
    return try plain { () throws(SystemError) in try inside.names() } == [name]
  }
  check("case is ignored, as the volume does") { () throws(Errno) in
    try folder.appending("Case".utf8).make("x")
    return try folder.appending("cASE".utf8).contains("x")
  }
  check("names that Windows can't have are refused, and nothing is made") { () throws(Errno) in
    let inside = folder.appending("odd".utf8).makeEmptyFolder()
    let open = try FileDescriptor.directory(inside)
    for name in ["aux.txt", "CON", "com1 .log", "a:b", "a.", "a ", "a?", "a\u{1}", "..."] {
      let whole = failure { () throws(Errno) in try inside.appending(name.utf8).make("x") }
      let below = failure { () throws(Errno) in
        try open.creating(named: utf8(name), executable: false).close()
      }
      let missing = failure { () throws(Errno) in
        _ = try FileDescriptor.reading(inside.appending(name.utf8))
      }
      guard whole == .invalid, below == .invalid, missing == .noSuchFile else {
        put("\(name)")
        return false
      }
    }
    return try inside.list().isEmpty
  }
  check("paths of more than 260 characters are written, read and listed") { () throws(Errno) in
    var deep = folder
    for letter in "abcdef" { deep = deep.appending(String(repeating: letter, count: 100).utf8) }
    _ = try plain { () throws(SystemError) in try deep.makeFolderPath() }
    let file = deep.appending(String(repeating: "x", count: 250).utf8)
    try file.output("far", replacing: false)
    return try all(file.contains("far"), deep.list().count == 1)
  }
  check("such a path is resolved", needs: "the final path of long ones") { () throws(Errno) in
    var deep = folder
    for letter in "abcdef" { deep = deep.appending(String(repeating: letter, count: 100).utf8) }
    return try plain { () throws(SystemError) in try deep.resolved() }.bytes.count > 600
  }
  check("both slashes stand between folders") { () throws(Errno) in
    let inside = folder.appending("slash".utf8).makeEmptyFolder()
    try inside.appending("a".utf8).make("x")
    let other = BytePath(
      inside.bytes.map { $0 == ASCII.slash ? ASCII.backslash : $0 } + utf8(#"\a"#))
    return try all(
      other.contains("x"),
      other == inside.appending("a".utf8))
  }
  check("paths begin with a drive, a prefix or neither") { () throws(Errno) in
    try folder.appending("place".utf8).make("x")
    let whole = try plain { () throws(SystemError) in
      try folder.appending("place".utf8).resolved()
    }
    let prefixed = BytePath(#"\\?\"#.utf8 + whole.bytes)
    let drive = BytePath(whole.bytes.prefix(2) + utf8("place"))
    let relative = try plain { () throws(SystemError) in
      try folder.makeWorkingDirectory()
      return try whole.relative(to: ".")
    }
    return try all(
      whole.isAbsolute,
      whole.bytes[1] == UInt8(ascii: ":"),
      prefixed.contains("x"),
      BytePath("place").contains("x"),
      relative == "place",
      failure { () throws(Errno) in try drive.make("x") } == .invalid)
  }
  check("the folder for temporary files is there") { () throws(Errno) in
    try plain { () throws(SystemError) in
      let file = try TemporaryFile.nameless()
      try ProcessContext.temporaryFolder.attempt(.write, file.descriptor.write(utf8("x")))
      return try FileStatus.following(ProcessContext.temporaryFolder).kind == .directory
    }
  }
}

// MARK: Threads

func threads() {
  check("5,000 pieces on four threads come in order") {
    mapOnThreads(5000, share: 16, jobs: 4) { $0 * 3 } == (0..<5000).map { $0 * 3 }
  }
  check("threads wait for each other") {
    let turn = Monitor(0)
    onThreads(4) {
      for _ in 0..<100 {
        turn.withLock { $0 += 1 }
        turn.notifyAll()
      }
      turn.wait { $0 >= 100 ? () : nil }
    }
    return turn.withLock { $0 } == HelperThreads(3) {}.joined * 100 + 100
  }
  check("a plan of failures is that of its own thread") {
    let plan = FailurePlan(.allocate, number: 1, .outOfMemory)
    let inside = plan.run { (try? systemAllocate(8)) == nil }
    return inside && plan.hasFailed && Processors.available > 0
  }
  check("SHA-256 and MD5 are those of the standards") {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    return hexadecimal(SHA256.digest(of: utf8("abc"))) == digest
      && hexadecimal(MD5.digest(of: utf8("abc"))) == "900150983cd24fb0d6963f7d28e17f72"
  }
}

extension HelperThreads {
  /// The number of threads, once they have ended.
  var joined: Int {
    join()
    return count
  }
}

// MARK: Processes

/// The path of this program.
let program: [UInt8] = {
  var buffer = [UInt16](repeating: 0, count: 32_768)
  // SAFETY: the call writes at most as many units as it is told.
  let count = unsafe GetModuleFileNameW(nil, &buffer, DWORD(buffer.count))
  return narrow(buffer.prefix(Int(count)))
}()

/// Without these, wine and Windows can't start a program.
let environment = ["SystemRoot", "TEMP"].compactMap { name in
  ProcessContext.environment(name).map { utf8("\(name)=") + $0 }
}

/// Starts this program in a role, and waits until it says that it is ready.
func started(_ role: String, _ path: BytePath) throws(Errno) -> Int {
  let (process, output) = try systemSpawn(
    [program, utf8(role), path.bytes], environment, input: [])
  let pipe = FileDescriptor(rawValue: output)
  if try pipe.read(upTo: 6) != utf8("ready\n") { throw .failedCommand }
  return process
}

func process() {
  func output(_ words: [[UInt8]], _ variables: [[UInt8]] = [], _ input: [UInt8] = []) throws(Errno)
    -> [UInt8]?
  {
    try ChildProcess.output(
      of: [program] + words, environment + variables, within: .seconds(20), limit: 20_000,
      input: input)
  }
  check("a program gets its words, two variables and input") { () throws(Errno) in
    let words = ["a b", #"say "hi""#, #"C:\x\"#, #"\"\\"#, "", "日本", "%PATH%", "^&|<>"].map(utf8)
    let text = try output([utf8("echo")] + words, [utf8("A=ü é")], utf8("input"))
    let expected = words + [utf8("ü é"), utf8("-"), utf8("input")]
    return text == Array(expected.joined(separator: [0x0A]))
  }
  check("a program that fails has no output") { () throws(Errno) in
    try output([utf8("fail")]) == nil
  }
  check("a program that prints too much is stopped") {
    failure { () throws(Errno) in _ = try output([utf8("flood")]) } == .fileTooLarge
  }
  check("a program that takes too long is stopped") {
    failure { () throws(Errno) in
      _ = try ChildProcess.output(
        of: [program, utf8("wait")], environment, within: .milliseconds(300), limit: 10)
    } == .timedOut
  }
  check("a program that isn't there is an error") {
    failure { () throws(Errno) in
      _ = try ChildProcess.output(
        of: [program + utf8(".no")], environment, within: .seconds(1), limit: 10)
    } == .noSuchFile
  }
  check("programs are found in PATH") {
    ProcessContext.environment("BA_PACKAGE_NO_SUCH_VARIABLE") == nil
      && ProcessContext.paths(ofProgram: "git").allSatisfy { $0.suffix(8) == utf8("/git.exe")[...] }
      && !ProcessContext.paths(ofProgram: "git").isEmpty
  }
}

// MARK: Killed runs

func killedRuns(_ path: BytePath) {
  let folder = path.makeEmptyFolder()
  let a = folder.appending("a".utf8)
  check("an output of a process that lives isn't taken for a leftover") { () throws(Errno) in
    let process = try started("write", a)
    let removed = removeLeftovers(of: a)
    let left = try folder.list()
    systemKill(process)
    return removed.isEmpty && left.count == 1 && isTemporaryName(utf8(left[0]))
  }
  check("a killed run leaves a leftover, which the next one removes") { () throws(Errno) in
    let left = try folder.list()
    var removed: [BytePath] = []
    try plain { () throws(SystemError) in
      try AtomicOutput.write(utf8("new"), to: a, replacing: false) { removed.append($0) }
    }
    return try all(
      left.count == 1,
      removed == [folder.appending(left[0].utf8)],
      folder.list() == ["a"],
      a.contains("new"))
  }
  check("a file that is there survives a killed run") { () throws(Errno) in
    systemKill(try started("write", a))
    let isKept = try all(a.contains("new"), folder.list().count == 2)
    try a.output("newer", replacing: true)
    return try all(
      isKept,
      a.contains("newer"),
      folder.list() == ["a"])
  }
  check("a folder that a process fills isn't taken for a leftover") { () throws(Errno) in
    let b = folder.appending("b".utf8)
    let process = try started("stage", b)
    let removed = removeLeftovers(of: b)
    let left = try folder.list()
    systemKill(process)
    return removed.isEmpty && left.count == 3
  }
  check("a folder of a killed run is removed with all in it") { () throws(Errno) in
    let removed = removeLeftovers(of: folder.appending("b".utf8))
    return try all(
      removed.count == 1,
      folder.list() == ["a"])
  }
}

/// Writes half of a file, and waits to be killed.
func write(_ path: BytePath) {
  do throws(SystemError) {
    let output = try AtomicOutput(path, replacing: true)
    try output.write(utf8("half"))
    put("ready")
    sleep(milliseconds: 60_000)
    try output.publish()
  } catch { put("\(error.code)") }
}

/// Fills a folder with a temporary name, and waits to be killed.
func stage(_ path: BytePath) {
  do throws(Errno) {
    let parent = try FileDescriptor.directory(path.folder)
    let name = temporaryName(for: path.name)
    guard try parent.makeFolder(named: name) else { return put("no folder") }
    let folder = try parent.folder(named: name)
    var file: FileDescriptor?
    guard folder.lockFolder(named: name, in: parent.rawValue, &file) == .taken,
      try folder.makeFolder(named: utf8("deep"))
    else { return put("no lock") }
    try folder.folder(named: utf8("deep")).creating(named: utf8("x"), executable: false).close()
    put("ready")
    sleep(milliseconds: 60_000)
    if let file { try file.close() }
  } catch { put("\(error)") }
}

// MARK: Packs

/// Reads an LZFSE pack, prints its entries and the SHA-256 of their stream, and encodes its blocks
/// again.
func pack(_ path: BytePath, level: Int) {
  func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
  var stream: [UInt8] = []
  var (blocks, equal) = (0, 0)
  check("the blocks of a pack are decoded") { () throws(Errno) in
    let pack = try plain { () throws(SystemError) in try path.contents(limit: 1 << 26) }
    guard (try? ContainerKind(pack)) == .blocks(.lzfse, blockSize: 1 << 20) else { return false }
    var rest = pack.dropFirst(ContainerKind.headerSize)
    while rest.count >= 16 {
      let raw = integer(rest.prefix(8))
      let stored = integer(rest.dropFirst(8).prefix(8))
      let payload = Array(rest.dropFirst(16).prefix(stored))
      rest = rest.dropFirst(16 + stored)
      guard stored != raw else {
        stream += payload
        continue
      }
      do throws(LZFSE.Damage) {
        let block = try LZFSE.decode(payload.span.bytes, limit: raw)
        stream += block
        blocks += 1
        if try LZFSE.encode(block.span.bytes, level: level) == payload { equal += 1 }
      } catch { return false }
    }
    return rest.isEmpty && blocks > 0
  }
  put("sha256 \(hexadecimal(SHA256.digest(of: stream)))")
  check("they are encoded to the bytes that they had") { blocks > 0 && equal == blocks }
  check("the entries of a pack are read") {
    var parser = StreamParser(limits: ReadingLimits())
    var taken = 0
    do throws(ArchiveDamage) {
      while let event = try parser.next(stream.span.bytes, &taken) {
        guard case .entry(let entry) = event else { continue }
        put(utf8("entry \(entry.kind.letter) \(entry.size) ") + entry.archivePath + [0x0A])
      }
      return taken == stream.count && parser.position == UInt64(taken)
    } catch { return false }
  }
}
