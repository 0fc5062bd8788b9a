import AppStoreConnect
import BAPackCore
import CommandLine

extension UploadResult {
  /// The store's remarks on the pack.
  var remarks: [StoreRemark] {
    if case .failed(let error) = outcome, !error.remarks.isEmpty { return error.remarks }
    return version?.remarks ?? []
  }

  /// A word for programs.
  var outcomeName: String {
    switch outcome {
    case .unchanged: "unchanged"
    case .uploaded: "uploaded"
    case .rejected: "rejected"
    case .timedOut: "timedOut"
    case .failed: "failed"
    }
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
    case .rejected(let isNew):
      return isNew
        ? "\(name): rejected by the store"
        : "\(name): unchanged since the store rejected it;"
          + " --force-new-version uploads it again"
    case .timedOut:
      return "\(name): uploaded \(byteCount(pack.size)); the store is still processing it"
    case .failed: return nil
    }
  }

  /// For `--format json`.
  var json: JSONValue {
    var members = pack.members
    members.append(JSONMember("outcome", JSONValue(outcomeName)))
    if let packID { members.append(JSONMember("packID", JSONValue(packID))) }
    if let version {
      members += [
        JSONMember("version", JSONValue(version.number)),
        JSONMember("versionID", JSONValue(version.id)),
        JSONMember("state", JSONValue(version.state.rawValue)),
      ]
    }
    members.append(JSONMember("sentBytes", JSONValue(sentBytes)))
    if !remarks.isEmpty {
      members.append(JSONMember("findings", JSONValue(.array(remarks.map(\.json)))))
    }
    if case .failed(let error) = outcome {
      members.append(JSONMember("error", JSONValue("\(error)")))
    }
    return JSONValue(.object(members))
  }
}

extension [UploadResult] {
  /// The exit status for these results: that of the worst one.
  var exitCode: ExitCode {
    var code = ExitCode.success
    for result in self {
      switch result.outcome {
      case .unchanged, .uploaded: break
      case .rejected: if code != .failure { code = .rejected }
      case .failed(let error):
        if error.remarks.isEmpty { code = .failure } else if code != .failure { code = .rejected }
      case .timedOut: if code == .success { code = .timedOut }
      }
    }
    return code
  }
}

extension LocalPack {
  /// The pack's part of a JSON object.
  var members: [JSONMember] {
    JSONName(path.bytes).members(forKey: "pack") + [
      JSONMember("assetPackID", JSONValue(identifier)), JSONMember("size", JSONValue(size)),
      JSONMember("sha256", JSONValue(sha256)),
    ]
  }
}

extension StoreRemark {
  /// `error: text [ITMS-91133]`.
  var line: String {
    let word = severity == .info ? "note" : severity.rawValue
    return "\(word): \(text) [\(code)]"
  }

  var json: JSONValue {
    [
      "severity": JSONValue(severity.rawValue), "code": JSONValue(code), "message": JSONValue(text),
    ]
  }
}

extension [UploadPlan] {
  /// `3 new packs with permanent names, 82.4 kB, version 1 each`, and other lines.
  var summary: String {
    let new = filter(\.isOfNewPack)
    let changed = filter { $0.sends && !$0.isOfNewPack }
    let size = { (plans: [UploadPlan]) in byteCount(plans.reduce(0) { $0 + $1.pack.size }) }
    var text = ""
    if !new.isEmpty {
      text += "\(counted(new.count, "new pack")) with permanent name\(new.count == 1 ? "" : "s"),"
        + " \(size(new)), version 1\(new.count == 1 ? "" : " each")\n"
    }
    if !changed.isEmpty { text += "\(counted(changed.count, "changed pack")), \(size(changed))\n" }
    let others = count - new.count - changed.count
    return text + (others == 0 ? "" : "\(counted(others, "pack")) with nothing to send\n")
  }
}

extension UploadPlan {
  var json: JSONValue {
    var members = pack.members
    if let warning = pack.warning { members.append(JSONMember("warning", JSONValue(warning))) }
    members.append(JSONMember("requests", JSONValue(.array(requests.map(\.json)))))
    return JSONValue(.object(members))
  }
}

extension PlannedRequest {
  var json: JSONValue { ["request": JSONValue(line), "body": body] }
}
