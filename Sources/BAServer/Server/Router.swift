import BAPackCore

struct Router: Sendable {
  let state: ServerState
  let hosts: HostCheck
  /// Nil if everyone who reaches the server may read the packs.
  let credentials: Credentials?

  func respond(to request: HTTPRequest) -> HTTPResponse {
    if let refusal = hosts.refusal(of: request) {
      if let host = request.host, refusal.status == 421 {
        state.report(.foreignHost(host, peer: request.peer))
      }
      return refusal
    }
    if let refusal = credentials?.refusal(of: request, state) { return refusal }
    guard let path = request.path else {
      return .text(400, "400: the target of the request is not a path")
    }
    let packs = Array("/assetpacks/".utf8)
    let isList = ["/", "/manifest", "/download-manifest.json"].contains {
      path.elementsEqual($0.utf8)
    }
    guard isList || path.starts(with: packs) && path.count > packs.count else {
      return .text(404, "404: nothing is here; '/manifest' lists the packs")
    }
    if let refusal = request.refusalOfMethod { return refusal }
    return isList ? manifest(for: request) : pack(Array(path.dropFirst(packs.count)), for: request)
  }

  private func manifest(for request: HTTPRequest) -> HTTPResponse {
    let (catalog, faults, host) = (state.catalogToList(), state.faults, request.host ?? "")
    // A device answers a challenge with the name and the password in the URL.
    let authority =
      (credentials == nil ? "" : Credentials.userinfo(of: request) + "@") + host
    let bytes: [UInt8]
    do {
      bytes = try catalog.manifest(for: request.platform, host: authority) { pack in
        faults.value(.wrongSize, pack.identifier) != nil
      }
    } catch {
      return .text(400, "400: the host '\(brief(host.utf8))' can't be in a URL: \(error)")
    }
    if let platform = request.platform {
      let listed = Set(catalog.packs(for: platform).map { Array($0.identifier.utf8) })
      let others = catalog.packs.filter { !listed.contains(Array($0.identifier.utf8)) }
      if !others.isEmpty {
        state.report(.leftOut(others, platform: brief(platform), peer: request.peer))
      }
    }
    return .fresh(200, "application/json", bytes)
  }

  private func pack(_ identifier: [UInt8], for request: HTTPRequest) -> HTTPResponse {
    let faults = state.faults
    let ending = Array(".aar".utf8)
    let stem =
      identifier.suffix(ending.count) == ending[...] ? identifier.dropLast(ending.count) : []
    guard
      let pack = state.pack(identifier, version: request.version)
        ?? state.pack(Array(stem), version: request.version)
    else { return unknown(identifier, for: request) }
    if let delay = faults.value(.delay, pack.identifier),
      !state.wait(until: Clock.steady + Int64(delay) * 1_000_000)
    {
      return .isAboutToStop
    }
    if let status = faults.value(.fail, pack.identifier) {
      return .text(Int(status), "\(status): the server is set to fail for this pack")
    }
    guard pack.isUnchanged else {
      state.report(.changedOnDisk(pack.path, identifier: pack.identifier))
      return .text(500, "500: the file of the pack changed after it was opened")
    }
    var headers: [(name: String, value: String)] = [
      ("Accept-Ranges", "bytes"), ("ETag", pack.tag), ("Cache-Control", "no-cache"),
      ("Last-Modified", Clock.httpDate(pack.file.modified)),
    ]
    let verdict = Conditions.verdict(request, tag: pack.tag, modified: pack.file.modified)
    func send(_ status: Int, _ range: Range<UInt64>) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: headers, body: .transfer(PackTransfer(pack, range, state)))
    }
    if verdict == .failed {
      return .text(412, "412: the pack is not the one that was asked for", headers: headers)
    }
    // This status has no body, but its length is still in the headers (RFC 9110, 8.6).
    if verdict == .notModified { return send(304, 0..<pack.size) }
    // RFC 9110, 14.2: ranges are defined for GET only.
    let header = verdict == .sendWhole || request.method == "HEAD" ? nil : request[.range]
    headers.append(("Content-Type", "application/octet-stream"))
    switch ByteRange(header, size: pack.size) {
    case .whole: return send(200, 0..<pack.size)
    case .part(let range):
      headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(pack.size)"))
      return send(206, range)
    case .unsatisfiable:
      return .text(
        416, "416: the pack has \(counted(pack.size, "byte"))",
        headers: [("Content-Range", "bytes */\(pack.size)"), ("ETag", pack.tag)])
    }
  }

  private func unknown(_ identifier: [UInt8], for request: HTTPRequest) -> HTTPResponse {
    let (catalog, name) = (state.catalog, brief(identifier))
    if catalog.pack(identifier) != nil {
      return .text(404, "404: this version of '\(name)' was replaced; '/manifest' lists the packs")
    }
    state.report(
      .unknownPack(
        name, similar: suggestion(for: name, among: catalog.packs.map(\.identifier)),
        peer: request.peer))
    return .text(404, "404: no pack is called '\(name)'; '/manifest' lists the packs")
  }
}
