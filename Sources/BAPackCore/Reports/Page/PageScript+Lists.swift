/// The script of the page: lists of changes, files and duplicates.
let reportScriptOfLists = #"""
  /* What changed. */
  const pathColumn = { title: "File", key: (row) => row.path, class: "path", cell: (row) => shown(row.path) };
  const packColumn = { title: "Pack", class: "pack", key: (row) => packName(row.pack), cell: (row) => packName(row.pack) };
  if (data.changes) {
    const amount = (count) => count === undefined ? "\u2013" : bytes(count);
    const difference = (row) => (row.newSize || 0) - (row.oldSize || 0);
    const count = (row, change) => row.files.filter((file) => file.change === change).length;
    section("Changes", "Devices download a changed pack as a whole: " + bytes(data.changes.downloadSize) + " for players who have the old packs.", table([
      { title: "Pack", key: (row) => row.name, class: "path", cell: (row) => shown(row.name) },
      { title: "Change", key: (row) => row.change, cell: (row) => row.change },
      { title: "Before", key: (row) => row.oldSize || 0, class: "number", cell: (row) => amount(row.oldSize) },
      { title: "Now", key: (row) => row.newSize || 0, class: "number", cell: (row) => amount(row.newSize) },
      { title: "Difference", key: difference, class: "number", cell: (row) => difference(row) === 0 ? "\u2013" : element("span", { class: difference(row) > 0 ? "bad" : "good" }, signed(difference(row))) },
      { title: "Players download", key: (row) => row.downloadSize, class: "number", cell: (row) => bytes(row.downloadSize) },
      { title: "Files", class: "number", cell: (row) => "+" + whole.format(count(row, "added")) + " \u2212" + whole.format(count(row, "removed")) + " ~" + whole.format(count(row, "changed")) },
      { title: "Manifest", cell: (row) => row.hasSameManifest ? "same" : "differs" },
    ], data.changes.packs));
    const changed = data.changes.packs.flatMap((pack) => pack.files.map((file) => ({ name: pack.name, ...file })))
      .sort((a, b) => Math.max(b.newSize || 0, b.oldSize || 0) - Math.max(a.newSize || 0, a.oldSize || 0));
    if (changed.length) section("Changed files", null, table([
      pathColumn,
      { title: "Pack", class: "pack", key: (row) => row.name, cell: (row) => shown(row.name) },
      { title: "Change", key: (row) => row.change, cell: (row) => row.change },
      { title: "Before", key: (row) => row.oldSize || 0, class: "number", cell: (row) => amount(row.oldSize) },
      { title: "Now", key: (row) => row.newSize || 0, class: "number", cell: (row) => amount(row.newSize) },
    ], changed, { limit: 200 }));
  }

  /* Files. */
  const sizeColumns = [
    { title: "Size", key: (row) => row.size, class: "number", cell: (row) => bytes(row.size) },
    { title: "Compressed", key: (row) => row.compressed, class: "number", cell: (row) => bytes(row.compressed) },
    { title: "Ratio", key: (row) => row.compressed / Math.max(1, row.size), class: "number", cell: (row) => percent(row.compressed, row.size) },
  ];
  const largest = [...files].sort((a, b) => b.compressed - a.compressed || b.size - a.size || collator.compare(a.path, b.path)).slice(0, 200);
  section("Largest files", "By their share of the download.", table([pathColumn, ...sizeColumns, packColumn, { title: "Blocks", cell: (row) => row.blocks }], largest, { limit: 50 }));
  const worst = files.filter((file) => file.size >= 4096 && file.compressed >= 0.9 * file.size).sort((a, b) => b.size - a.size || collator.compare(a.path, b.path));
  if (worst.length) section("Hardly compressed", "Files that keep 90% of their size or more, the largest first: usually compressed already.", table([pathColumn, ...sizeColumns, packColumn], worst, { limit: 50 }));
  if (data.duplicates.length) section("Duplicates", "The same contents more than once: " + bytes(totals.wastedSize) + ", of the download " + bytes(totals.wastedDownload) + ".", table([
    { title: "Files", class: "path", cell: (row) => { const list = element("div"); for (const copy of row.copies) list.append(element("div", {}, shown(copy.path) + (data.packs.length > 1 ? " (" + packName(copy.pack) + ")" : ""))); return list; } },
    { title: "Size", key: (row) => row.size, class: "number", cell: (row) => bytes(row.size) },
    { title: "Copies", key: (row) => row.copies.length, class: "number", cell: (row) => whole.format(row.copies.length) },
    { title: "Wasted", key: (row) => row.wastedSize, class: "number", cell: (row) => bytes(row.wastedSize) },
    { title: "Of the download", key: (row) => row.wastedDownload, class: "number", cell: (row) => bytes(row.wastedDownload) },
  ], data.duplicates, { limit: 100 }));
  if (data.coverage) {
    const rows = [...data.coverage.files].sort((a, b) => b.size - a.size || collator.compare(a.path, b.path));
    section("In no pack", rows.length ? counted(rows.length, "file") + " in '" + shown(data.coverage.folder) + "', " + bytes(data.coverage.size) + "." : "Every file in '" + shown(data.coverage.folder) + "' is in a pack.",
      rows.length ? table([pathColumn, { title: "Size", key: (row) => row.size, class: "number", cell: (row) => bytes(row.size) }], rows, { limit: 200 }) : []);
  }
  """#
