extension AppReport {
  /// Passes the report, in parts, to a receiver as a self-contained HTML page that includes style,
  /// script and data.
  package func writePage<Failure>(
    to receive: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try receive(Array((head + reportStyle + body).utf8))
    // What ends a script or begins a comment in HTML begins with '<', which in JSON occurs only in
    // strings.
    let less = UInt8(ascii: "<")
    try JSONWriter.write(json(includingHashes: false), .compact) { part throws(Failure) in
      let pieces = part.split(separator: less, omittingEmptySubsequences: false)
      try receive(Array(pieces.joined(separator: Array(#"\u003c"#.utf8))))
    }
    let script = [reportScriptOfTables, reportScriptOfTreemap, reportScriptOfLists]
      .joined(separator: "\n\n")
    try receive(
      Array("</script>\n<script>\n\"use strict\";\n(() => {\n\(script)\n})();\n".utf8)
        + Array("</script>\n</body>\n</html>\n".utf8))
  }
}

private let head = """
  <!doctype html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  \(reportPageMark)
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
  <title>Asset packs</title>
  <style>

  """

private let body = """

  </style>
  </head>
  <body>
  <h1>Asset packs</h1>
  <p class="quiet" id="origin"></p>
  <dl class="totals" id="totals"></dl>
  <section id="packs"></section>
  <section id="map-section">
  <h2 id="map-title">What the packs contain</h2>
  <p class="quiet">Area is size. Click a folder to open it. With the keyboard: arrow keys choose, Enter opens, Escape goes back.</p>
  <div class="controls">
  <label>Pack <select id="pack-choice"></select></label>
  <label>Area <select id="size-choice"><option value="compressed">compressed size</option><option value="size">size</option></select></label>
  </div>
  <nav class="crumbs" id="crumbs" aria-label="Folder"></nav>
  <div class="map">
  <canvas id="canvas" tabindex="0" role="application" aria-labelledby="map-title" aria-describedby="said"></canvas>
  <div class="tip" id="tip" hidden></div>
  </div>
  <div class="hidden" id="said" aria-live="polite"></div>
  <ul class="legend" id="legend"></ul>
  </section>
  <div id="tables"></div>
  <noscript><p>This page shows its data with JavaScript, which is turned off. It loads nothing from a network.</p></noscript>
  <script type="application/json" id="data">
  """
