import BAPackCore

extension AppReport {
  /// Passes the report, in parts, to a receiver as a self-contained HTML page that includes style,
  /// script and data. All but the map can be read without a script.
  package func writePage(to receive: ([UInt8]) throws -> Void) throws {
    let facts = PageFacts(self)
    try receive(Array(head.utf8))
    for section in alerts { try receive(Array(section.html.utf8)) }
    // The map of many packs is too fine to begin with.
    let isLarge = packs.count > 40
    if isLarge { try receive(Array(packSection.html.utf8)) }
    try receive(Array(map(facts).utf8))
    for section in sections(facts, hasPacks: !isLarge) { try receive(Array(section.html.utf8)) }
    try receive(Array("</main>\n<script type=\"application/json\" id=\"data\">".utf8))
    // What ends a script or begins a comment in HTML begins with '<', which in JSON occurs only in
    // strings.
    let less = UInt8(ascii: "<")
    try JSONWriter.write(scriptData(facts), .compact) { part in
      let pieces = part.split(separator: less, omittingEmptySubsequences: false)
      try receive(Array(pieces.joined(separator: Array(#"\u003c"#.utf8))))
    }
    try receive(
      Array(
        """
        </script>
        <script>
        "use strict";
        (() => {
        \(resource(PackageResources.tables_js))
        \(resource(PackageResources.treemap_js))
        })();
        </script>
        </body>
        </html>

        """.utf8))
  }

  private var head: String {
    let since = origin.map { escapedXML($0.description) }.joined(separator: ", ")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \(reportPageMark)
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <title>\(escapedXML(title))</title>
      <style>
      \(resource(PackageResources.style_css))</style>
      </head>
      <body>
      <main>
      <h1>\(escapedXML(title))</h1>
      <p class="quiet">By ba-package \(toolVersion)\(changes == nil ? "" : ", with changes since \(since)")\(measured.map { "; packs are measured with \(escapedXML($0))" } ?? "")</p>
      <dl class="totals">
      \(totals.map { "<div><dt>\($0)</dt><dd>\($1)<small>\($2)</small></dd></div>\n" }.joined())</dl>

      """
  }

  /// The titles, values and details of the totals, in HTML.
  private var totals: [(String, String, String)] {
    var totals: [(String, String, String)] = []
    func add(_ title: String, _ value: String, _ detail: String = "") {
      totals.append((title, value, detail))
    }
    let checks = [("Check", "findings", findings), ("Old builds", "losses", losses)]
    for (title, id, findings) in checks.filter({ $2.hasErrors }) + checks.filter({ !$2.hasErrors })
    where !findings.isEmpty {
      let style = findings.hasErrors ? " class=\"bad\"" : ""
      let count =
        findings.allSatisfy { $0.severity == .note }
        ? counted(findings.count, "note") : findings.summary
      add(title, "<a\(style) href=\"#\(id)\">\(count)</a>")
    }
    if let changes {
      let changed = changes.count { !$0.isEmpty }
      add(
        "Players download", upTo + byteCount(updateSize),
        changed == 0
          ? "nothing changed" : "<a href=\"#changes\">\(counted(changed, "changed pack"))</a>")
    }
    let largest = largestDownload.player
    let language: Words? = largest.language.map { "in \(language: $0)" }
    let player = [
      language?.html, largest.platforms.isEmpty ? nil : "on " + escapedXML(largest.platforms.shown),
    ].compactMap(\.self).joined(separator: " ")
    add(
      isOfOnePlayer ? "Download" : "Download for one player", upTo + byteCount(downloadSize),
      (percentage(downloadSize, of: size).map { "\($0) of \(byteCount(size))" } ?? "")
        + (player.isEmpty ? "" : ", <a href=\"#players\">\(player)</a>"))
    let waits = installationSize > 0
    add(
      "An install waits for",
      waits
        ? upTo + byteCount(installationSize) : unknownPolicies > 0 ? "not known" : "no pack",
      !waits || rates.isEmpty
        ? ""
        : escapedXML("\(duration(installationSize, rates[0])) at \(grouped(rates[0])) Mbit/s"))
    add("Packs", grouped(packs.count))
    add("Files", grouped(fileCount))
    if wastedSize > 0 {
      add(
        "Duplicates", byteCount(wastedDownload),
        "<a href=\"#duplicates\">\(counted(duplicates.count, "file")) more than once</a>")
    }
    let over = packs.count { $0.size > $0.manifest.flatMap(sizeBudgets.limit) ?? .max }
    if over > 0 {
      add("Over budget", "<a class=\"bad\" href=\"#packs\">\(counted(over, "pack"))</a>")
    }
    return totals
  }

  private func map(_ facts: PageFacts) -> String {
    let total = packs.downloadSize
    let top = facts.top.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let table = Table(
      "Folders and files at the top of the packs, by compressed size", top,
      [
        .text("Name", foot: .text("All")) { .text($0.key) },
        .number("Size", foot: .size(total)) { .size($0.value, of: top.first?.value) },
        .number("Share", foot: .text("")) { .ratio($0.value, of: total) },
      ])
    let legend = facts.types.enumerated().filter { $1 > 0 }.sorted { $0.element > $1.element }
      .map { type, size in
        "<li><span style=\"--c:var(--t\(type))\"></span>\(PageFacts.titles[type]) "
          + "\(byteCount(size)), \(shareText(size, of: total) ?? "")</li>\n"
      }
    let sum =
      total == downloadSize
      ? "" : "All packs together have \(byteCount(total)), more than one player downloads. "
    return """
      <section id="map">
      <h2 id="map-title">Contents of the packs</h2>
      <noscript><p>The map, search and sorting need JavaScript; everything else is below.</p></noscript>
      <p class="quiet js">\(sum)Area is size. Click a folder to open it, or a type to see only that. With the keyboard: arrow keys choose, Enter opens, Escape goes back.</p>
      <div class="controls js">
      <label>Pack <select id="pack-choice"></select></label>
      <label>Area <select id="size-choice"><option value="compressed">compressed size</option><option value="size">size</option></select></label>
      <label>Color <select id="color-choice"><option value="type">type</option><option value="pack">pack</option><option value="policy">download policy</option></select></label>
      </div>
      <ul class="legend" id="legend">
      \(legend.joined())</ul>
      <nav class="crumbs js" id="crumbs" aria-label="Folder"></nav>
      <div class="columns">
      <div class="canvas js">
      <canvas id="canvas" tabindex="0" role="application" aria-labelledby="map-title" aria-describedby="said"></canvas>
      <div class="tip" id="tip" hidden></div>
      </div>
      <div class="hidden" id="said" aria-live="polite"></div>
      \(table.html)</div>
      </section>

      """
  }

  /// The data that the script needs for the map and the table of files: of each file four elements,
  /// its path, size, compressed size and type.
  private func scriptData(_ facts: PageFacts) -> JSONValue {
    .object([
      "types": PageFacts.titles,
      "overhead": PageFacts.overhead,
      "packs": packs.enumerated().map { index, pack in
        let first = facts.firstFiles[index]
        return JSONValue.object([
          "name": pack.name,
          "policy": pack.manifest?.downloadPolicy.text ?? "",
          "download": pack.downloadSize,
          "files": JSONValue(
            .rows(pack.storedFiles.count * 4) { element in
              let file = facts.files[first + element / 4]
              switch element % 4 {
              case 0: return JSONValue(printable(pack.entries[file.number].shownPath))
              case 1: return JSONValue(file.size)
              case 2: return JSONValue(file.share)
              default: return JSONValue(file.type)
              }
            }),
        ])
      },
    ])
  }
}

/// The text of a file beside this one.
private func resource(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }

/// Sizes that several parts of the page show.
struct PageFacts {
  struct File {
    let pack: Int
    let number: Int
    let size: UInt64
    let share: UInt64
    let type: Int
  }

  /// The name of the parts of a pack besides files.
  static let overhead = "headers and manifests"
  static let titles = FileType.allCases.map(\.title) + ["Headers and manifests"]

  private(set) var files: [File] = []
  /// The index of the first file of each pack.
  private(set) var firstFiles: [Int] = []
  /// The compressed sizes of the types.
  private(set) var types = [UInt64](repeating: 0, count: titles.count)
  /// The compressed sizes of the folders, with a final slash, and files at the top of the packs.
  private(set) var top: [String: UInt64] = [:]

  init(_ report: AppReport) {
    for (index, pack) in report.packs.enumerated() {
      firstFiles.append(files.count)
      var rest = pack.downloadSize
      var folders: [ArraySlice<UInt8>: UInt64] = [:]
      for file in pack.storedFiles {
        let path = file.shownPath
        let share = pack.share(of: file)
        let type = FileType.of(RelativePath(unchecked: path), size: file.size).rawValue
        files.append(
          File(pack: index, number: file.number, size: file.size, share: share, type: type))
        types[type] += share
        rest -= min(rest, share)
        let end = path.firstIndex(of: ASCII.slash).map { $0 + 1 } ?? path.endIndex
        folders[path[..<end], default: 0] += share
      }
      types[Self.titles.count - 1] += rest
      for (name, size) in folders { top[printable(name), default: 0] += size }
      top[Self.overhead, default: 0] += rest
    }
  }
}
