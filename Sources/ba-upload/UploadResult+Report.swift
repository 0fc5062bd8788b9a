import BACommandLine
import BAPackCore
import BAUpload

extension UploadResult {
  var remarks: [StoreRemark] {
    if let error, !error.remarks.isEmpty { return error.remarks }
    return version?.remarks ?? []
  }

  /// The pack's line in the summary; nil if there is only an error.
  var line: String? {
    guard let version else { return nil }
    let name = "\(pack.path): \(pack.identifier) version \(version.number)"
    let state = version.state == .complete ? ", ready for internal testing" : ""
    switch outcome {
    case .unchanged: return "\(name): unchanged\(state)"
    case .uploaded:
      return "\(name): uploaded \(byteCount(pack.size))"
        + (state.isEmpty ? "; the store is processing it" : state)
    case .rejected:
      return wasRejected
        ? "\(name): unchanged since the store rejected it; --force-new-version uploads it again"
        : "\(name): rejected by the store"
    case .timedOut:
      return "\(name): uploaded \(byteCount(pack.size)); the store is still processing it"
    case .failed: return nil
    }
  }

  var json: JSONValue {
    .object([
      "pack": pack.path.jsonName, "assetPackID": pack.identifier, "size": pack.size,
      "sha256": pack.sha256, "outcome": outcome.rawValue, "packID": packID,
      "version": version?.number,
      "versionID": version?.id, "state": version?.state.rawValue, "sentBytes": sentBytes,
      "findings": remarks.isEmpty ? nil : remarks.map(\.json), "error": error?.description,
    ])
  }
}

extension [UploadResult] {
  /// The exit status for these results: that of the worst one.
  var exitCode: ExitCode {
    if contains(where: { $0.error?.remarks.isEmpty == true }) { return .failure }
    if contains(where: { $0.outcome == .rejected || $0.error != nil }) { return .rejected }
    return contains { $0.outcome == .timedOut } ? .unfinished : .success
  }
}

extension StoreRemark {
  /// `error: text [ITMS-91133]`.
  var line: String {
    let word = severity == .info ? "note" : severity.rawValue
    return "\(word): \(text) [\(code)]"
  }

  var json: JSONValue {
    .object(["severity": severity.rawValue, "code": code, "message": text])
  }
}

extension [PackUpload] {
  /// `3 new packs with permanent names, 82.4 kB, version 1 each`, and other lines.
  var summary: String {
    let new = filter(\.isOfNewPack)
    let changed = filter { $0.sends && !$0.isOfNewPack }
    let size = { (uploads: [PackUpload]) in byteCount(uploads.reduce(0) { $0 + $1.pack.size }) }
    var text = ""
    if !new.isEmpty {
      text +=
        "\(counted(new.count, "new pack")) with permanent name\(new.count == 1 ? "" : "s"),"
        + " \(size(new)), version 1\(new.count == 1 ? "" : " each")\n"
    }
    if !changed.isEmpty { text += "\(counted(changed.count, "changed pack")), \(size(changed))\n" }
    let others = count - new.count - changed.count
    return text + (others == 0 ? "" : "\(counted(others, "pack")) with nothing to send\n")
  }
}

extension PackUpload {
  var json: JSONValue {
    .object([
      "pack": pack.path.jsonName, "assetPackID": pack.identifier, "size": pack.size,
      "sha256": pack.sha256, "warning": pack.warning, "requests": requests.map(\.json),
    ])
  }
}

extension ResourceRequest {
  var json: JSONValue { .object(["request": line, "body": document]) }
}

extension [UploadResult] {
  /// Appends a table to the file in `GITHUB_STEP_SUMMARY`, which GitHub Actions shows on the page of
  /// a run.
  func appendToStepSummary(app: String) throws {
    guard let file = stepSummary else { return }
    var text = "### Asset packs of app \(Markdown.plain(app))\n\n"
    text += Markdown.table(
      ["Asset pack", "Result"], numbers: ["Version", "Size"],
      map { result in
        [
          Markdown.plain(result.pack.identifier), result.outcome.rawValue,
          result.version?.number ?? "", byteCount(result.pack.size),
        ]
      })
    for result in self {
      for remark in result.remarks {
        text += "\n- \(Markdown.plain(result.pack.identifier)): \(Markdown.plain(remark.line))"
      }
    }
    try file.append(text + "\n")
  }
}

/// The file in `GITHUB_STEP_SUMMARY`, if it is set.
var stepSummary: BytePath? {
  ProcessContext.environment("GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : BytePath($0) }
}
