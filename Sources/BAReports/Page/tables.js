const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const collator = new Intl.Collator("en", { numeric: true });
const whole = new Intl.NumberFormat("en");
document.documentElement.classList.add("js");

function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}
function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0, value = count;
  while (value >= 999.95 && unit + 1 < units.length) { value /= 1000; unit += 1; }
  return (unit === 0 ? whole.format(value) : value.toFixed(1)) + " " + units[unit];
}
function percent(part, total) {
  const text = (100 * part / total).toFixed(1) + "%";
  return total <= 0 ? "\u2013" : part > 0 && text === "0.0%" ? "<0.1%" : text;
}
function counted(count, noun) { return whole.format(count) + " " + noun + (count === 1 ? "" : "s"); }
function sizeCell(size, most) {
  return element("td", most ? { class: "n bar", style: "--b:" + 100 * size / most + "%" } : { class: "n" }, bytes(size));
}

const languages = new Intl.DisplayNames("en", { type: "language" });
for (const node of document.querySelectorAll("[data-language]")) {
  try { node.textContent = languages.of(node.dataset.language); node.title = node.dataset.language; } catch { /* no tag */ }
}

/* Files of all packs in one list, and what the packs have besides. */
const files = [], overhead = [];
data.packs.forEach((pack, index) => {
  let rest = pack.download;
  for (let at = 0; at < pack.files.length; at += 4) {
    const [path, size, compressed, type] = pack.files.slice(at, at + 4);
    files.push({ pack: index, path, size, compressed, type });
    rest -= compressed;
  }
  overhead.push({ pack: index, path: data.overhead, size: 0, compressed: Math.max(0, rest), type: data.types.length - 1, isOverhead: true });
});
const total = (list, key) => list.reduce((sum, item) => sum + item[key], 0);

/* Headings sort: numbers first from the largest, texts from A. */
function sortable(table, sort) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const isNumber = heading.classList.contains("n");
    heading.replaceChildren(element("button", { type: "button", onclick: () => {
      const before = heading.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : isNumber;
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(column, isNumber, descending ? -1 : 1);
    } }, heading.textContent));
  });
}
for (const table of document.querySelectorAll("section:not(#map, #files) table")) {
  const body = table.tBodies[0], step = 50;
  let all = body.rows.length <= step + 10;
  const cut = () => [...body.rows].forEach((row, index) => { row.hidden = !all && index >= step; });
  sortable(table, (column, isNumber, sign) => {
    const key = (row) => isNumber ? Number(row.cells[column].dataset.v || 0) : row.cells[column].textContent;
    body.append(...[...body.rows].map((row) => [key(row), row])
      .sort(([a], [b]) => sign * (isNumber ? a - b : collator.compare(a, b))).map(([, row]) => row));
    cut();
  });
  if (!all) table.parentNode.after(element("button", { type: "button", onclick: (event) => { all = true; cut(); event.target.remove(); } }, "Show all " + whole.format(body.rows.length)));
  cut();
}
addEventListener("beforeprint", () => document.querySelectorAll("tbody tr[hidden]").forEach((row) => { row.hidden = false; }));

/* The table of files. The first ones are in the page; the others come with a search, a filter or an order. */
const fileTable = document.querySelector("#files table"), about = document.querySelector("#files > p");
document.querySelector("#files > p:last-child:not(:nth-child(2))")?.remove();
about.after(element("div", { class: "controls" },
  element("label", {}, "Search ", element("input", { type: "search", id: "search", placeholder: "part of a path", autocomplete: "off", spellcheck: "false" })),
  element("label", {}, element("input", { type: "checkbox", id: "hardly" }), " hardly compressed (at least 90% of 4 kB or more)")));
const more = element("button", { type: "button", hidden: "" });
byId("files").append(more);
let choice = { pack: "all", group: null, of: () => null }, limit = 50, found = files;
const ratio = (file) => file.size ? file.compressed / file.size : 0;
const fileKeys = [(file) => file.path, (file) => file.compressed, (file) => file.size, ratio, (file) => data.types[file.type], (file) => data.packs[file.pack].name];
let fileOrder = (a, b) => b.compressed - a.compressed || b.size - a.size;
function isChosen(file) {
  return (choice.pack === "all" || String(file.pack) === choice.pack) && (choice.group === null || choice.of(file) === choice.group);
}
function listFiles() {
  const words = byId("search").value.toLowerCase().split(" ").filter(Boolean);
  const isHardly = byId("hardly").checked;
  found = files.filter((file) => {
    if (!isChosen(file) || isHardly && (file.size < 4096 || file.compressed < 0.9 * file.size)) return false;
    const path = words.length ? file.path.toLowerCase() : "";
    return words.every((word) => path.includes(word));
  }).sort(fileOrder);
  fillFiles();
}
function fillFiles() {
  const shown = found.slice(0, limit);
  const most = shown.reduce((most, file) => Math.max(most, file.compressed), 0);
  fileTable.tBodies[0].replaceChildren(...shown.map((file) => {
    const row = element("tr", {}, element("th", { scope: "row" }, file.path), sizeCell(file.compressed, most), sizeCell(file.size), element("td", { class: "n" }, percent(file.compressed, file.size)), element("td", {}, data.types[file.type]));
    if (data.packs.length > 1) row.append(element("td", {}, data.packs[file.pack].name));
    return row;
  }));
  about.textContent = (found.length < files.length ? whole.format(found.length) + " of " : "") + counted(files.length, "file") + ", " + bytes(total(found, "compressed")) + " of the download" + (found.length > limit ? "; the first " + whole.format(limit) + " are shown." : ".");
  tellMore();
}
function tellMore() {
  more.hidden = found.length <= limit;
  more.textContent = "Show " + whole.format(Math.min(200, found.length - limit)) + " more";
}
sortable(fileTable, (column, isNumber, sign) => {
  const key = fileKeys[column];
  fileOrder = (a, b) => sign * (isNumber ? key(a) - key(b) : collator.compare(key(a), key(b)));
  listFiles();
});
byId("search").addEventListener("input", () => { limit = 50; listFiles(); });
byId("hardly").addEventListener("change", () => { limit = 50; listFiles(); });
more.addEventListener("click", () => {
  const next = limit;
  limit += 200;
  if (found === files) listFiles(); else fillFiles();
  fileTable.tBodies[0].rows[next].scrollIntoView({ block: "nearest" });
});
tellMore();
