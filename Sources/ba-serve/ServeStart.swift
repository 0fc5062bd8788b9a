import BAPackCore
import BAServer
import CBAQREncode

/// The text shown when the server has started.
struct ServeStart {
  let catalog: Catalog
  /// The hosts of the override URLs for devices, with their ports, the best first.
  let hosts: [String]
  let areLocal: Bool
  let credentials: Credentials?
  /// The page that installs the authority; nil if there is none.
  let page: String?
  /// Nil for a certificate from elsewhere.
  let authority: Authority?
  let isOnTerminal: Bool
  let takesCommands: Bool

  var text: String {
    var lines = ["Serving \(counted(catalog.packs.count, "pack")):"]
    lines += packLines(catalog)
    lines.append("")
    let user = credentials.map { $0.shownUserinfo + "@" } ?? ""
    for (index, host) in hosts.enumerated() {
      lines.append((index == 0 ? "URL override  " : "              ") + "https://" + user + host)
    }
    if let credentials, !credentials.isMade {
      lines.append("              PASSWORD stands for that in BA_SERVE_PASSWORD, percent-encoded.")
    }
    if areLocal {
      lines.append("              Only this machine reaches it; for devices, use another --host.")
    }
    if let page { lines.append("Setup page    " + page) }
    if let authority {
      lines.append(
        "Authority     \(authority.certificate.commonName)"
          + (authority.isNew ? " (new: no device trusts it yet)" : ""))
      lines.append("  SHA-256     \(authority.fingerprint)")
      lines.append("              Compare it with what a device shows before you trust it there.")
    }
    if isOnTerminal, !areLocal, let page, let code = codeLines(page) {
      lines.append("")
      lines += code
    }
    lines.append("")
    if takesCommands { lines.append("Type 'help' for faults, Control-C to stop.") }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    .object([
      "event": "start", "time": Clock.timestamp(Clock.now), "urls": hosts.map { "https://" + $0 },
      "setupPage": page,
      "authority": authority?.path.description, "authoritySHA256": authority?.fingerprint,
      "assetPacks": JSONValue(
        .array(
          catalog.packs.map { pack in
            .object([
              "id": pack.identifier, "version": pack.version, "downloadSize": pack.size,
              "language": pack.language, "path": pack.path.description,
            ])
          })),
    ])
  }
}

/// A line for each pack, in columns.
func packLines(_ catalog: Catalog) -> [String] {
  let rows = catalog.packs.map { pack in
    [
      printable(pack.identifier.utf8), "version \(pack.version)", byteCount(pack.size),
      (pack.platforms.isEmpty ? "all platforms" : pack.platforms.shown)
        + (pack.language.map { "; \($0)" } ?? ""),
      pack.path.description,
    ]
  }
  return aligned(rows).map { "  " + $0 }
}

/// The rows of modules of a QR code (ISO/IEC 18004) with its quiet zone, true for dark ones. Nil if the
/// text is too long.
private func modules(_ text: String) -> [[Bool]]? {
  guard let code = unsafe QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
    return nil
  }
  defer { unsafe QRcode_free(code) }
  let (size, quiet) = (unsafe Int(code.pointee.width), 4)
  return (-quiet..<size + quiet).map { row in
    (-quiet..<size + quiet).map { column in
      guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
      // SAFETY: the library returns a byte for each module, row by row; its lowest bit is the color.
      return unsafe code.pointee.data[row * size + column] & 1 == 1
    }
  }
}

/// A QR code as SVG, black on what is behind it.
func codePicture(_ text: String) -> String? {
  guard let rows = modules(text) else { return nil }
  let dark = rows.enumerated().map { row, cells in
    cells.indices.filter { cells[$0] }.map { "M\($0) \(row)h1v1h-1z" }.joined()
  }.joined()
  return """
    <svg viewBox="0 0 \(rows.count) \(rows.count)" role="img" aria-label="QR code of this page's \
    address" shape-rendering="crispEdges"><path d="\(dark)"/></svg>
    """
}

/// The lines of a QR code for a terminal, two rows of modules per line: black on white, whatever the
/// terminal's colors.
private func codeLines(_ text: String) -> [String]? {
  guard let rows = modules(text) else { return nil }
  return stride(from: 0, to: rows.count, by: 2).map { row in
    let below = row + 1 < rows.count ? rows[row + 1] : rows[row].map { _ in false }
    let line = zip(rows[row], below).map { pair in
      switch pair {
      case (true, true): "█"
      case (true, false): "▀"
      case (false, true): "▄"
      case (false, false): " "
      }
    }.joined()
    return "\u{1B}[30;107m\(line)\u{1B}[0m"
  }
}
