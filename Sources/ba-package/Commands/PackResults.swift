import BACommandLine
import BAPackCore

extension PackResult {
  /// The state in a word, and what is known in it; why the pack was not made, unless another pack
  /// prevented it.
  private typealias Facts = (
    status: String, packedSize: UInt64?, digest: String?, time: Duration?, problem: String?
  )

  private var facts: Facts {
    switch state {
    case .made(let container, let digest, let time):
      ("made", container.packedSize, digest, time, nil)
    case .unchanged(let digest, let size): ("unchanged", size, digest, nil, nil)
    case .invalid(let errors):
      ("failed", nil, nil, nil, "\(counted(errors, "error")) in the manifest or its files")
    case .failed(let error): ("failed", nil, nil, nil, "\(error)")
    case .skipped, .cancelled: ("skipped", nil, nil, nil, nil)
    }
  }

  fileprivate var status: String { facts.status }
  fileprivate var packedSize: UInt64? { facts.packedSize }
  fileprivate var problem: String? { facts.problem }

  /// Whether the pack is at its output path.
  var isMade: Bool { packedSize != nil }
  var isNew: Bool { status == "made" }
  var isRefused: Bool { status == "failed" }

  fileprivate var cells: [String] {
    guard let packedSize else { return ["\(output)", status] }
    return [
      "\(output)", status, counted(files, "file"), byteCount(size), byteCount(packedSize),
      percentage(packedSize, of: size) ?? "",
    ]
  }

  fileprivate var json: JSONValue {
    let (status, packedSize, digest, time, problem) = facts
    return .object([
      "manifest": JSONName(manifest.bytes),
      "assetPackID": identifier,
      "output": JSONName(output.bytes),
      "status": status,
      "error": problem,
      "files": files,
      "size": size,
      "packedSize": packedSize,
      "digest": digest,
      "seconds": time.map(\.json),
    ])
  }
}

extension [PackResult] {
  var json: JSONValue { .object(["schemaVersion": 1, "packs": listJSON]) }

  var listJSON: JSONValue { JSONValue(.array(map(\.json))) }

  func plan(keepsGoing: Bool) -> [String] {
    let isStopped = !keepsGoing && contains(where: \.isRefused)
    let words = [
      "skipped": isStopped ? "skip" : "make", "unchanged": "keep", "failed": "refuse",
    ]
    return aligned(
      map {
        ["\($0.output)", words[$0.status] ?? "", counted($0.files, "file"), byteCount($0.size)]
      },
      numbers: 2..<4)
  }

  /// The errors of packs that could not be written; one for all that exist already.
  var errors: [String] {
    var existing: [BytePath] = []
    var errors: [String] = []
    for case .failed(let error) in map(\.state) {
      switch error.underlying {
      // It affects all packs, and is reported last.
      case is Interrupted: break
      case PackagingError.outputExists(let path): existing.append(path)
      default: errors.append(words(for: error))
      }
    }
    guard let first = existing.first else { return errors }
    let shown =
      existing.count == 1 ? "'\(first)' already exists" : "\(existing.count) packs already exist"
    return errors + [
      "\(shown); --\(Package.ifChanged.long) updates what changed, --\(Package.force.long) replaces all"
    ]
  }

  /// The results for the packs as Markdown: a table, and the errors.
  var markdown: String {
    let rows = map { result in
      [Markdown.code(result.output.bytes)] + result.cells.dropFirst()
        + [String](repeating: "", count: 6 - result.cells.count)
    }
    let errors = compactMap { result in
      result.problem.map { "- \(Markdown.code(result.manifest.bytes)): \(Markdown.plain($0))\n" }
    }
    return "### Asset packs\n\n"
      + Markdown.table(
        ["Pack", "Result"], numbers: ["Files", "Size", "Compressed", "Ratio"], rows)
      + "\n\(sum)\n" + (errors.isEmpty ? "" : "\n" + errors.joined()) + "\n"
  }

  /// The results for the packs: a line for a single pack, a table for several.
  var summary: [String] {
    count == 1
      ? map { "\($0.output): \($0.status == "unchanged" ? "unchanged; " : "")\(totals)" }
      : aligned(map(\.cells), numbers: 2..<6) + [sum]
  }

  /// For example `3 packs: 2 made, 1 failed; 25 files, 4.1 MB in, 3.0 MB out (73.1%)`.
  private var sum: String {
    let states = ["made", "unchanged", "failed", "skipped"].map { status in
      (status: status, count: count { $0.status == status })
    }.filter { $0.count > 0 }
    let packs = counted(count, "pack")
    let text =
      states.count == 1
      ? "\(packs) \(states[0].status)"
      : "\(packs): " + states.map { "\($0.count) \($0.status)" }.joined(separator: ", ")
    return contains(where: \.isMade) ? "\(text); \(totals)" : text
  }

  private var totals: String {
    let made = filter(\.isMade)
    let size = made.reduce(0) { $0 + $1.size }
    let packed = made.reduce(0) { $0 + ($1.packedSize ?? 0) }
    let ratio = percentage(packed, of: size).map { " (\($0))" } ?? ""
    return "\(counted(made.reduce(0) { $0 + $1.files }, "file")), \(byteCount(size)) in, "
      + "\(byteCount(packed)) out\(ratio)"
  }
}

extension Duration {
  fileprivate var json: JSONValue {
    let (seconds, fraction) = components
    let digits = String(fraction / 1_000_000_000_000_000 + 1000).dropFirst()
    return JSONValue(.number(JSONNumber(text: "\(seconds).\(digits)")))
  }
}
