// The report as the page asks of it: scopes, sites, lines, size classes, paths.

const measures = ["objects", "bytes", "requested"];

// steps are the coarse size classes, by their upper bounds in bytes.
const steps = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768];

// decode makes objects of the columns that the page came with.
function decode(raw) {
  const text = (i) => raw.strings[i] || "";
  const files = new Map((raw.files || []).map((f) => [f.file, f]));
  return { ...raw, scopes: raw.scopes.map((s) => decodeScope(s, text, files)) };
}

function decodeScope(s, text, files) {
  const c = s.sites;
  const scope = {
    ...s,
    totals: s.totals,
    tree: s.tree && { ...s.tree, text },
    sites: c.place.map((_, i) => ({
      index: i, place: text(c.place[i]), line: c.line[i], file: text(c.file[i]), source: files.get(c.file[i]),
      at: c.line[i] ? text(c.place[i]) + ":" + c.line[i] : text(c.place[i]),
      function: text(c.function[i]), pkg: text(c.package[i]),
      short: shortFunction(text(c.function[i]), text(c.package[i])),
      user: c.userPlace[i] ? text(c.userPlace[i]) + ":" + c.userLine[i] : "", userFunction: text(c.userFunction[i]),
      userLines: c.userLines[i], cause: text(c.cause[i]), reason: text(c.reason[i]),
      amounts: c.amounts[i],
      sizes: chunks(c.sizes[i], 4).map(([k, ...v]) => ({ class: k, amounts: v })),
      types: chunks(c.types[i] || [], 2).map(([name, n]) => ({ name: name < 0 ? null : text(name), objects: n })),
    })),
  };
  joinLines(scope);
  for (const site of scope.sites) site.words = words(site);
  return scope;
}

function chunks(flat, n) {
  const list = [];
  for (let i = 0; i < flat.length; i += n) list.push(flat.slice(i, i + n));
  return list;
}

function shortFunction(name, pkg) {
  return pkg && name.startsWith(pkg + ".") ? name.slice(pkg.length + 1) : name;
}

// shortCall is the name of a function without the path to its package.
function shortCall(name) {
  const end = name.search(/[([]/);
  return lastElement(name, end < 0 ? name.length : end);
}

// lastElement is the end of an import path, or of a name that begins with one
// that ends before end. Of a major version, "excelize/v2", it is two elements.
function lastElement(name, end = name.length) {
  const slash = name.lastIndexOf("/", end);
  const version = /^v\d+(\.|$)/.test(name.slice(slash + 1, end));
  return name.slice((version && slash > 0 ? name.lastIndexOf("/", slash - 1) : slash) + 1);
}

// words is what a search looks through.
function words(site) {
  return [site.at, site.function, site.cause, site.user, ...site.types.map((t) => t.name || "")].join("\n").toLowerCase();
}

// joinLines puts the sites of one line together, whatever they allocate there.
function joinLines(scope) {
  const lines = new Map();
  const taken = new Set();
  for (const site of scope.sites) {
    const key = site.file ? site.file + "\n" + site.line : site.function;
    let line = lines.get(key);
    if (!line) {
      let id = site.at;
      for (let n = 2; taken.has(id); n++) id = site.at + "~" + n;
      taken.add(id);
      line = { id, at: site.at, place: site.place, file: site.file, number: site.line, source: site.source, sites: [], amounts: [0, 0, 0] };
      lines.set(key, line);
    }
    line.sites.push(site);
    site.amounts.forEach((v, m) => { line.amounts[m] += v; });
    site.lineOf = line;
  }
  scope.lineList = [...lines.values()];
  scope.lineById = new Map(scope.lineList.map((l) => [l.id, l]));
}

// binsOf returns the size classes of a scope as they are to be shown, coarse or
// each, and for each of the scope's classes which of them it is in. Coarse ones
// are shown from the first to the last in use, also those in between.
function binsOf(scope, each) {
  const bounds = scope.bounds.map((b) => (b === null ? Infinity : b));
  if (each) {
    const bins = bounds.map((b) => ({ low: b, high: b, label: b === Infinity ? ">32K" : shortBound(b), name: b === Infinity ? "above 32 KiB" : "up to " + bound(b) }));
    return { bins, of: bounds.map((_, i) => i) };
  }
  const all = [...steps, Infinity];
  const at = bounds.map((b) => all.findIndex((s) => b <= s));
  const from = Math.min(...at), to = Math.max(...at);
  const bins = [];
  for (let i = from; i <= to && at.length; i++) {
    const low = (i ? all[i - 1] : 0) + 1, high = all[i];
    bins.push({ low, high, label: rangeLabel(low, high), name: high === Infinity ? "above 32 KiB" : `${low === 1 ? "1" : count(low)} to ${count(high)} bytes` });
  }
  return { bins, of: at.map((i) => i - from) };
}

function shortBound(b) {
  return b >= 1024 && b % 1024 === 0 ? b / 1024 + "K" : String(b);
}

function rangeLabel(low, high) {
  if (high === Infinity) return ">32K";
  return high <= 1024 ? `${low}–${high === 1024 ? "1K" : high}` : `${(low - 1) / 1024}–${high / 1024}K`;
}

// what says what a site allocates, in the order that a reader asks.
function what(site) {
  return [site.cause, typeText(site), site.file ? "in " + site.short : ""].filter(Boolean);
}

// typeText names the type that a site allocates most of.
function typeText(site) {
  const named = site.types.filter((t) => t.name);
  if (!named.length || 2 * named[0].objects <= site.amounts[0]) return "";
  const more = named.length > 1 ? ` and ${many(named.length - 1, "other type", "other types")}` : "";
  return typeName(site, named[0].name) + more;
}

// typeName spells a type. Where the runtime is told of the element of a slice
// only, it is a slice.
function typeName(site, name) {
  const element = ["make slice", "slice growth", "slice moved to the heap", "new array"].includes(site.cause);
  return (element ? "[]" : "") + name;
}

// sizeText says how large the objects of a site are.
function sizeText(scope, site) {
  const bounds = site.sizes.filter((s) => s.amounts[0]).map((s) => scope.bounds[s.class]);
  if (!bounds.length) return "";
  const [low, high] = [bounds[0], bounds[bounds.length - 1]];
  const [objects, , requested] = site.amounts;
  if (bounds.length === 1 && objects && requested % objects === 0) return bound(requested / objects);
  if (high === null) return bounds.length === 1 ? "> 32 KiB" : "≥ " + bound(low);
  if (bounds.length === 1) return "≤ " + bound(high);
  const [n, unit] = bound(low).split(" ");
  return (bound(high).endsWith(" " + unit) ? n : bound(low)) + "–" + bound(high);
}
