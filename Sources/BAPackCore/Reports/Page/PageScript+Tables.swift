/// The script of the page: the data, tables, and the list of packs.
let reportScriptOfTables = #"""
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const collator = new Intl.Collator("en", { numeric: true });

  function element(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
    }
    for (const child of children) if (child !== null && child !== undefined) node.append(child);
    return node;
  }

  const whole = new Intl.NumberFormat("en");
  function bytes(count) {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0, value = count;
    while (Math.abs(value) >= 999.95 && unit + 1 < units.length) { value /= 1000; unit += 1; }
    return (unit === 0 ? whole.format(value) : value.toFixed(1)) + " " + units[unit];
  }
  /* Names may hold characters that move or reverse what is around them. */
  function shown(name) {
    return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => "\\u{" + character.codePointAt(0).toString(16).toUpperCase() + "}");
  }
  function signed(count) { return (count > 0 ? "+" : count < 0 ? "\u2212" : "") + bytes(Math.abs(count)); }
  function percent(part, total) { return total > 0 ? (100 * part / total).toFixed(1) + "%" : "\u2013"; }
  function duration(seconds) {
    const left = Math.ceil(seconds);
    if (left < 60) return left + " s";
    if (left < 3600) return Math.floor(left / 60) + " min " + (left % 60) + " s";
    return Math.floor(left / 3600) + " h " + Math.floor(left % 3600 / 60) + " min";
  }
  function downloadTime(count, rate) { return duration(count * 8 / (rate * 1e6)); }
  function rateName(rate) { return whole.format(rate) + " Mbit/s"; }
  function counted(count, noun) { return whole.format(count) + " " + noun + (count === 1 ? "" : "s"); }

  /* Files of all packs in one list. */
  const blockWords = { stored: "stored", compressed: "compressed", both: "some stored, some compressed", none: "none" };
  const files = [];
  data.packs.forEach((pack, index) => {
    pack.name = shown(pack.assetPackID || pack.file.slice(pack.file.lastIndexOf("/") + 1));
    for (const file of pack.files) {
      files.push({ pack: index, path: file.path, size: file.size, compressed: file.compressedSize, blocks: blockWords[file.blocks] });
    }
  });
  const total = (list, key) => list.reduce((sum, item) => sum + item[key], 0);

  /* Types by extension. */
  const types = {
    image: ["Images", "png jpg jpeg gif webp heic avif bmp tga tif tiff psd dds ktx ktx2 astc pvr exr hdr svg ico xcf"],
    audio: ["Audio", "wav mp3 m4a aac ogg oga opus flac caf aif aiff mid midi bank wem"],
    video: ["Video", "mp4 mov m4v webm mkv avi ogv bk2"],
    model: ["Models and scenes", "usd usda usdc usdz gltf glb fbx obj dae blend reality scn abc ply stl b3d spm mesh pmd psa"],
    data: ["Text and data", "json xml plist csv tsv txt md yaml yml ini cfg toml strings stringsdict po mo db sqlite bin dat tmx lvl map"],
    code: ["Code and shaders", "metal metallib glsl frag vert hlsl shader lua js py nut wasm mlmodel mlpackage"],
    archive: ["Archives and fonts", "zip pak aar gz xz zst 7z tar ttf otf woff woff2"],
    other: ["Other", ""],
  };
  const typeOf = new Map();
  for (const [name, [, list]] of Object.entries(types)) for (const word of list.split(" ")) if (word && !typeOf.has(word)) typeOf.set(word, name);
  function type(path) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    return (dot > 0 && typeOf.get(name.slice(dot + 1).toLowerCase())) || "other";
  }

  /* Tables. */
  function table(columns, rows, options = {}) {
    const body = element("tbody");
    const limit = options.limit || rows.length;
    const fill = (list) => {
      body.replaceChildren(...list.slice(0, limit).map((row) => element("tr", {}, ...columns.map((column) => {
        const cell = element("td", { class: column.class || null });
        const content = column.cell(row);
        cell.append(content === null || content === undefined ? "" : content);
        return cell;
      }))));
    };
    const headings = columns.map((column) => {
      if (!column.key) return element("th", { class: column.class || null, scope: "col" }, column.title);
      const heading = element("th", { class: column.class || null, scope: "col" });
      heading.append(element("button", { type: "button", onclick: () => {
        const descending = heading.getAttribute("aria-sort") !== "descending";
        for (const other of headings) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const sorted = [...rows].sort((a, b) => {
          const [left, right] = [column.key(a), column.key(b)];
          return typeof left === "number" ? left - right : collator.compare(left, right);
        });
        fill(descending ? sorted.reverse() : sorted);
      } }, column.title));
      return heading;
    });
    fill(rows);
    const node = element("table", {}, element("thead", {}, element("tr", {}, ...headings)), body);
    if (options.foot) node.append(element("tfoot", {}, element("tr", {}, ...options.foot.map((text, index) => element("td", { class: columns[index].class || null }, text)))));
    const parts = [element("div", { class: "scroll" }, node)];
    if (rows.length > limit) parts.push(element("p", { class: "quiet" }, "The first " + whole.format(limit) + " of " + whole.format(rows.length) + "."));
    return parts;
  }
  function section(title, text, ...content) {
    byId("tables").append(element("section", {}, element("h2", {}, title), text ? element("p", { class: "quiet" }, text) : null, ...content.flat()));
  }
  const packName = (index) => data.packs[index].name;

  /* Head. */
  byId("origin").textContent = "By ba-package " + data.tool.version + (data.changes ? ", with changes since " + data.changes.since.map(shown).join(", ") : "") + ".";
  const totals = data.totals;
  for (const [name, value] of [
    ["Packs", whole.format(totals.packs)],
    ["Files", whole.format(totals.files)],
    ["Size of the files", bytes(totals.size)],
    ["To download", bytes(totals.downloadSize) + (totals.size ? " (" + percent(totals.downloadSize, totals.size) + ")" : "")],
    ["An install waits for", bytes(totals.installationSize)],
    ["Wasted by duplicates", bytes(totals.wastedSize)],
  ]) byId("totals").append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));

  /* Packs. */
  const policyText = (pack) => (pack.downloadPolicy || "\u2013") + (pack.installationEventTypes && pack.installationEventTypes.length ? " (" + pack.installationEventTypes.join(", ") + ")" : "");
  const packColumns = [
    { title: "Pack", key: (pack) => pack.name, class: "path", cell: (pack) => pack.name },
    { title: "Policy", key: policyText, cell: policyText },
    { title: "Platforms", cell: (pack) => !pack.platforms ? "\u2013" : pack.platforms.length ? pack.platforms.join(", ") : "all" },
    { title: "Language", key: (pack) => pack.language || "", cell: (pack) => shown(pack.language || "\u2013") },
    { title: "Files", key: (pack) => pack.files.length, class: "number", cell: (pack) => whole.format(pack.files.length) },
    { title: "Size", key: (pack) => pack.size, class: "number", cell: (pack) => bytes(pack.size) },
    { title: "Download", key: (pack) => pack.downloadSize, class: "number", cell: (pack) => bytes(pack.downloadSize) },
    { title: "Ratio", key: (pack) => pack.downloadSize / Math.max(1, pack.size), class: "number", cell: (pack) => percent(pack.downloadSize, pack.size) },
    ...data.rates.map((rate) => ({
      title: "At " + rateName(rate), class: "number", cell: (pack) => downloadTime(pack.downloadSize, rate),
    })),
  ];
  const foot = ["All packs", "", "", "", whole.format(totals.files), bytes(totals.size), bytes(totals.downloadSize), percent(totals.downloadSize, totals.size), ...data.rates.map((rate) => downloadTime(totals.downloadSize, rate))];
  const waits = totals.installationSize > 0
    ? "Installing the app waits for the packs that are essential on first installation: " + bytes(totals.installationSize) + ", " + data.rates.map((rate) => downloadTime(totals.installationSize, rate) + " at " + rateName(rate)).join(", ") + "."
    : "Installing the app waits for no pack.";
  byId("packs").append(element("h2", {}, "Packs"), element("p", { class: "quiet" }, waits), ...table(packColumns, data.packs, { foot }));
  """#
