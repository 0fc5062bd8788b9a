/* The tree of a selection of files. What packs have besides is one entry, unless colors are those of packs. */
function tree(list) {
  const root = { name: "", path: "", size: 0, compressed: 0, count: 0, folders: new Map(), files: [], parent: null };
  for (const file of list) {
    const parts = file.path.split("/");
    let folder = root;
    for (let index = 0; ; index += 1) {
      folder.size += file.size; folder.compressed += file.compressed; folder.count += file.isOverhead ? 0 : 1;
      if (index === parts.length - 1) break;
      let next = folder.folders.get(parts[index]);
      if (!next) {
        next = { name: parts[index], path: parts.slice(0, index + 1).join("/"), size: 0, compressed: 0, count: 0, folders: new Map(), files: [], parent: folder };
        folder.folders.set(parts[index], next);
      }
      folder = next;
    }
    const node = { name: parts[parts.length - 1], path: file.path, size: file.size, compressed: file.compressed, file };
    if (file.isOverhead && way !== "type") node.name = node.path += " of " + data.packs[file.pack].name;
    else if (file.isOverhead && root.rest) { root.rest.compressed += file.compressed; continue; }
    else if (file.isOverhead) root.rest = node;
    folder.files.push(node);
  }
  gather(root);
  return root;
}

/* Gathers many folders whose names begin alike, up to a hyphen, in one that only the map has. */
function gather(folder) {
  folder.folders.forEach(gather);
  if (folder.folders.size <= 100) return;
  const sets = Map.groupBy(folder.folders.values(), (child) => child.name.slice(0, child.name.indexOf("-") + 1));
  for (const [start, members] of sets) {
    if (!start || members.length < 2) continue;
    const sum = (key) => members.reduce((value, member) => value + member[key], 0);
    const name = start + "*", path = (folder.path && folder.path + "/") + name;
    const set = { name, path, size: sum("size"), compressed: sum("compressed"), count: sum("count"), folders: new Map(), files: [], parent: folder, isSet: true };
    for (const member of members) {
      folder.folders.delete(member.name);
      set.folders.set(member.name, member);
      member.parent = set;
    }
    folder.folders.set(name, set);
  }
}
function inside(folder, name) {
  return folder.folders.get(name) ?? [...folder.folders.values()].find((set) => set.isSet && set.folders.has(name))?.folders.get(name);
}

/* The treemap. */
const canvas = byId("canvas"), context = canvas.getContext("2d"), tip = byId("tip");
let area = "compressed", way = "type", top = null, here = null, cells = [], children = [], chosen = -1;

function squarify(items, x, y, width, height, place) {
  const sum = items.reduce((value, item) => value + item.weight, 0);
  if (sum <= 0 || width <= 0 || height <= 0) return;
  const scale = width * height / sum;
  let start = 0;
  while (start < items.length) {
    const side = Math.min(width, height);
    let row = 0, largest = 0, smallest = Infinity, end = start, worst = Infinity;
    while (end < items.length) {
      const weight = items[end].weight * scale;
      const nextRow = row + weight, nextLargest = Math.max(largest, weight), nextSmallest = Math.min(smallest, weight);
      const ratio = Math.max(side * side * nextLargest / (nextRow * nextRow), nextRow * nextRow / (side * side * nextSmallest));
      if (ratio > worst) break;
      row = nextRow; largest = nextLargest; smallest = nextSmallest; worst = ratio; end += 1;
    }
    const thickness = row / side;
    let offset = 0;
    for (let index = start; index < end; index += 1) {
      const length = items[index].weight * scale / thickness;
      if (width >= height) place(items[index], x, y + offset, thickness, length);
      else place(items[index], x + offset, y, length, thickness);
      offset += length;
    }
    if (width >= height) { x += thickness; width -= thickness; } else { y += thickness; height -= thickness; }
    start = end;
  }
}

function contents(folder) {
  const items = [...folder.folders.values(), ...folder.files].map((node) => ({ node, weight: node[area] }));
  return items.filter((item) => item.weight > 0).sort((a, b) => b.weight - a.weight || collator.compare(a.node.name, b.node.name));
}
function styleValue(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }

/* What the colors mean: for each way, the group of a file, and the names of the groups. */
const policies = [...new Set(data.packs.map((pack) => pack.policy))];
const groups = {
  type: [(file) => file.type, data.types],
  pack: [(file) => file.pack, data.packs.map((pack) => pack.name)],
  policy: [(file) => policies.indexOf(data.packs[file.pack].policy), policies.map((policy) => policy || "unknown")],
};
function colors() {
  if (way === "type") return data.types.map((_, index) => styleValue("t" + index));
  return groups[way][1].map((_, index) => "hsl(" + (212 + index * 137.508) % 360 + " 40% " + (34 + index % 3 * 4) + "%)");
}
function legend() {
  const [of, names] = groups[way], sums = names.map(() => 0);
  const list = [...files, ...overhead].filter((file) => choice.pack === "all" || String(file.pack) === choice.pack);
  for (const file of list) sums[of(file)] += file[area];
  const color = colors(), all = total(list, area);
  const order = names.map((_, index) => index).filter((index) => sums[index] > 0).sort((a, b) => sums[b] - sums[a]);
  byId("legend").replaceChildren(...order.map((index) => element("li", {}, element("button", { type: "button", "aria-pressed": choice.group === index, onclick: () => {
    choice.group = choice.group === index ? null : index;
    limit = 50;
    show();
    listFiles();
    byId("legend").querySelectorAll("button")[order.indexOf(index)].focus();
  } }, element("span", { style: "--c:" + color[index] }), names[index] + " ", element("b", {}, bytes(sums[index])), " " + percent(sums[index], all)))));
}
const label = 17;
function layout(folder, x, y, width, height, depth, cell) {
  squarify(contents(folder), x, y, width, height, (item, left, upper, wide, high) => {
    const child = { node: item.node, x: left, y: upper, width: wide, height: high, depth, parent: cell, index: -1 };
    if (depth === 0) { child.index = children.length; children.push(child); } else child.index = cell.index;
    cells.push(child);
    if (!item.node.folders) return;
    const titled = wide > 46 && high > 34;
    const inset = wide > 12 && high > 12 ? 1 : 0;
    child.titled = titled;
    const innerHeight = high - (titled ? label : inset) - inset;
    if (wide > 4 && high > 4) layout(item.node, left + inset, upper + (titled ? label : inset), wide - 2 * inset, innerHeight, depth + 1, child);
    else child.tiny = true;
  });
}
function clip(text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + "\u2026").width <= width) low = middle; else high = middle - 1;
  }
  return low > 1 ? text.slice(0, low) + "\u2026" : "";
}
function draw() {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const [panel, line, edge, text, accent] = ["panel", "line", "edge", "text", "accent"].map(styleValue);
  const color = colors(), of = groups[way][0];
  context.fillStyle = panel; context.fillRect(0, 0, width, height);
  cells = []; children = [];
  layout(here, 0, 0, width, height, 0, null);
  context.font = "12px system-ui, sans-serif"; context.textBaseline = "middle";
  for (const cell of cells) {
    const folder = Boolean(cell.node.folders);
    context.fillStyle = folder && !cell.tiny ? (cell.depth % 2 ? panel : line) : color[of(main(cell.node))];
    context.fillRect(cell.x, cell.y, cell.width, cell.height);
    if (cell.width > 8 && cell.height > 8) { context.strokeStyle = edge; context.lineWidth = 1; context.strokeRect(cell.x + 0.5, cell.y + 0.5, cell.width - 1, cell.height - 1); }
    if (folder && cell.titled) {
      context.fillStyle = text;
      context.fillText(clip(cell.node.name + "  " + bytes(cell.node[area]), cell.width - 8), cell.x + 4, cell.y + label / 2);
    } else if (!folder && cell.width > 46 && cell.height > 18) {
      context.fillStyle = "#ffffff";
      context.fillText(clip(cell.node.name, cell.width - 8), cell.x + 4, cell.y + 10);
    }
  }
  if (!cells.length) { context.fillStyle = text; context.fillText("Nothing here has a size.", 12, 20); }
  if (chosen >= 0 && children[chosen]) {
    const cell = children[chosen];
    context.strokeStyle = accent; context.lineWidth = 3;
    context.strokeRect(cell.x + 1.5, cell.y + 1.5, Math.max(1, cell.width - 3), Math.max(1, cell.height - 3));
  }
}
function describe(node) {
  const share = percent(node[area], here[area]);
  if (node.folders) return (node.path ? node.path + "/: " : "All files: ") + counted(node.count, "file") + ", " + bytes(node.size) + ", compressed " + bytes(node.compressed) + ", " + share;
  if (node.file.isOverhead) return node.path + ": " + bytes(node.compressed) + ", " + share;
  return node.path + ": " + bytes(node.size) + ", compressed " + bytes(node.compressed) + " (" + percent(node.compressed, node.size) + "), " + data.types[node.file.type] + (data.packs.length > 1 ? ", pack " + data.packs[node.file.pack].name : "");
}
function showTip(node, x, y) {
  tip.textContent = describe(node);
  tip.hidden = false;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  tip.style.left = Math.max(0, Math.min(x + 14, width - tip.offsetWidth - 4)) + "px";
  tip.style.top = Math.max(0, y + 18 + tip.offsetHeight > height ? y - tip.offsetHeight - 8 : y + 18) + "px";
}
function cellAt(x, y) {
  let found = null;
  for (const cell of cells) if (x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height) found = cell;
  return found;
}
function open(folder) {
  here = folder; chosen = -1; tip.hidden = true;
  const path = [];
  for (let node = folder; node; node = node.parent) path.unshift(node);
  byId("crumbs").replaceChildren(...path.flatMap((node, index) => [
    index ? " / " : "",
    node === folder ? element("strong", {}, node.name || "All files") : element("button", { type: "button", onclick: () => { open(node); canvas.focus(); } }, node.name || "All files"),
  ]), element("span", { class: "quiet" }, "  " + counted(folder.count, "file") + ", " + bytes(folder.size) + ", compressed " + bytes(folder.compressed)));
  list();
  draw();
}
/* The same folder as a list. */
function list() {
  const items = contents(here), limit = 300;
  const row = ({ node, weight }, index) => element("tr", {},
    element("th", { scope: "row" }, element("button", { type: "button", onclick: () => {
      if (node.folders) { open(node); byId("crumbs").querySelector("button").focus(); } else choose(index);
    } }, node.name + (node.folders ? "/" : ""))),
    sizeCell(weight, items[0].weight), element("td", { class: "n" }, percent(weight, here[area])));
  const rows = items.slice(0, limit).map(row);
  if (items.length > limit) rows.push(element("tr", {}, element("td", { colspan: 3 }, whole.format(items.length - limit) + " more")));
  const table = document.querySelector("#map table");
  table.tBodies[0].replaceChildren(...rows);
  table.caption.textContent = (here.path ? "Contents of " + here.path : "Folders and files at the top") + ", by " + (area === "size" ? "size" : "compressed size");
  table.tFoot.rows[0].cells[1].textContent = bytes(here[area]);
}
function choose(index) {
  chosen = Math.max(0, Math.min(children.length - 1, index));
  draw();
  const cell = children[chosen];
  if (!cell) return;
  showTip(cell.node, cell.x + Math.min(cell.width / 2, 40), cell.y + Math.min(cell.height / 2, 20));
  byId("said").textContent = describe(cell.node);
}
/* The largest file of a folder gives it its color where it is too small for more. */
function main(node) {
  while (node.folders) node = contents(node)[0].node;
  return node.file;
}
/* The neighbour whose middle is nearest in that direction. */
function neighbour(dx, dy) {
  if (chosen < 0) return 0;
  const from = children[chosen];
  const middle = (cell) => [cell.x + cell.width / 2, cell.y + cell.height / 2];
  const [x, y] = middle(from);
  let best = chosen, least = Infinity;
  children.forEach((cell, index) => {
    const [cx, cy] = middle(cell);
    const along = (cx - x) * dx + (cy - y) * dy;
    if (index === chosen || along <= 0.5) return;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (along + 2 * aside < least) { least = along + 2 * aside; best = index; }
  });
  return best;
}
canvas.addEventListener("mousemove", (event) => {
  const cell = cellAt(event.offsetX, event.offsetY);
  if (cell) showTip(cell.node, event.offsetX, event.offsetY); else tip.hidden = true;
});
canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
canvas.addEventListener("click", (event) => {
  let cell = cellAt(event.offsetX, event.offsetY);
  while (cell && cell.parent) cell = cell.parent;
  if (cell && cell.node.folders) open(cell.node); else if (cell) choose(cell.index);
});
canvas.addEventListener("keydown", (event) => {
  const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  if (moves[event.key]) choose(neighbour(...moves[event.key]));
  else if (event.key === "Home") choose(0);
  else if (event.key === "End") choose(children.length - 1);
  else if ((event.key === "Enter" || event.key === " ") && chosen >= 0 && children[chosen].node.folders) { open(children[chosen].node); choose(0); }
  else if ((event.key === "Escape" || event.key === "Backspace") && here.parent) {
    const left = here; open(here.parent);
    choose(children.findIndex((cell) => cell.node === left));
  } else return;
  event.preventDefault();
});
canvas.addEventListener("focus", () => { if (chosen < 0) byId("said").textContent = describe(here); });
canvas.addEventListener("blur", () => { tip.hidden = true; });
/* The map, list and legend of the chosen files, in the folder that was open, if there still is one. */
function show() {
  choice.of = groups[way][0];
  top = tree([...files, ...overhead].filter(isChosen));
  let folder = top;
  for (const part of here && here.path ? here.path.split("/") : []) folder = folder && inside(folder, part);
  legend();
  open(folder || top);
}
function choosing(id, change) {
  byId(id).addEventListener("change", (event) => { change(event.target.value); show(); });
}
byId("pack-choice").append(element("option", { value: "all" }, "all packs"), ...data.packs.map((pack, index) => element("option", { value: index }, pack.name)));
choosing("pack-choice", (value) => { choice.pack = value; limit = 50; listFiles(); });
choosing("size-choice", (value) => { area = value; });
choosing("color-choice", (value) => { way = value; if (choice.group !== null) { choice.group = null; listFiles(); } });
if (!files.some((file) => file.compressed > 0)) { area = "size"; byId("size-choice").value = "size"; }
window.addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
matchMedia("print").addEventListener("change", draw);
show();
