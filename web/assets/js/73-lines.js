// Which lines?

const columns = {
  value: { head: (v) => unitName(v), of: (v, r) => r.sum, first: -1, n: true },
  share: { head: () => "share", of: (v, r) => r.sum, first: -1, n: true },
  size: { head: () => "size", of: (v, r) => r.site.amounts[2] / Math.max(1, r.site.amounts[0]), first: -1, n: true, wide: true },
  at: { head: (v) => (v.report.by === "user" ? "line of your own code" : "line that allocates"), of: (v, r) => r.site.at, first: 1 },
  cause: { head: () => "cause", of: (v, r) => r.site.cause, first: 1, wide: true },
  type: { head: () => "type", of: (v, r) => typeText(r.site), first: 1, wide: true },
};

const firstRows = 12, moreRows = 100;

function drawLines(v, p) {
  if (!show("lines", v.scope.totals[0] > 0)) return;
  const rows = lineRows(v);
  const all = rows.sites.reduce((n, r) => n + r.sum, 0) + rows.rest;
  const chosen = v.narrowed ? `${value(v, all)} of ${value(v, v.total)}` : value(v, v.total);
  const lines = new Set(rows.sites.map((r) => r.site.lineOf)).size + rows.restSites;
  byId("lines-sub").textContent = `${many(lines, "line", "lines")}, ${chosen} ${v.m === 0 ? unitName(v) : v.per ? "per " + v.scope.unit[0] : ""}`.trim();
  drawPickers(v);
  rank(v, rows.sites, all);
  fill(byId("lines-table"), lineTable(v, p, rows, all));
}

// lineRows returns the sites that pass the filters, but the one on lines, and
// what passes beside.
function lineRows(v) {
  const sums = sumBy(v, ["line"], (site) => site);
  const rest = sums.get(null) || 0;
  sums.delete(null);
  const sites = [...sums].filter(([, sum]) => sum > 0 || v.m > 0).map(([site, sum]) => ({ site, sum }));
  const restSites = namesSites(v, ["line"]) || !v.scope.rest ? 0 : v.scope.rest.sites;
  return { sites, rest, restSites };
}

// rank numbers the rows by what they sum to, and adds that up; then sorts them
// as the reader wants them.
function rank(v, rows, all) {
  rows.sort((a, b) => b.sum - a.sum || a.site.index - b.site.index);
  let running = 0;
  rows.forEach((r, i) => {
    running += r.sum;
    Object.assign(r, { rank: i + 1, running, all });
  });
  const [key, direction] = v.state.sort.split(".");
  if (!Object.hasOwn(columns, key) || !["1", "-1"].includes(direction) || v.state.sort === "value.-1") return;
  const column = columns[key];
  const by = (r) => column.of(v, r);
  rows.sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    const order = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return order * Number(direction) || a.rank - b.rank;
  });
}

function lineTable(v, p, rows, all) {
  const most = Math.max(firstRows, Math.min(1e5, Number(v.state.rows) || 0));
  const shown = rows.sites.slice(0, most);
  const left = rows.sites.slice(most);
  const body = shown.map((r) => lineRow(v, p, r));
  const leftSum = left.reduce((n, r) => n + r.sum, 0);
  if (left.length) body.push(restRow(v, `… and ${count(left.length)} more`, leftSum, all));
  if (rows.restSites) body.push(restRow(v, `… and ${many(rows.restSites, "more row", "more rows")}, each too small to be in this page`, rows.rest, all));
  if (!body.length) body.push(el("tr", {}, el("td", { colspan: 8, className: "empty" }, "No line passes the filters. ", el("button", { type: "button", className: "link", onclick: clearFilters }, "Show all"))));
  return [
    el("div", { className: "table-scroll" }, el("table", { className: ["data lines", v.scope.sites.some((s) => s.cause) || "no-cause", v.scope.sites.some(typeText) || "no-type"].filter((c) => c !== true).join(" ") }, lineHead(v), el("tbody", {}, body))),
    left.length > 0 && el("p", {}, el("button", { type: "button", className: "more", onclick: () => go({ rows: String(most + moreRows) }, true) }, `Show ${count(Math.min(moreRows, left.length))} more`)),
  ];
}

// lineHead is the head of the table, whose columns sort it.
function lineHead(v) {
  const [key, direction] = (v.state.sort || "value.-1").split(".");
  const head = (name) => {
    const c = columns[name];
    const sorted = key === name;
    const next = sorted ? -Number(direction) : c.first;
    return el("th", { scope: "col", className: [name, c.n && "n", c.wide && "wide"].filter(Boolean).join(" "), "aria-sort": sorted ? (direction === "1" ? "ascending" : "descending") : undefined },
      el("button", { type: "button", onclick: () => go({ sort: name === "value" && next === -1 ? "" : `${name}.${next}` }) }, c.head(v)));
  };
  return el("thead", {}, el("tr", {},
    el("th", { scope: "col", className: "n rank" }, "#"), head("value"), head("share"), el("th", { scope: "col", className: "n wide" }, "sum"), head("size"), head("at"), head("cause"), head("type")));
}

function lineRow(v, p, r) {
  const s = r.site;
  const color = lineColor(v, p, s.lineOf);
  const chosen = v.line === s.lineOf;
  const choose = () => toggle("line", s.lineOf.id);
  const row = el("tr", {
    className: v.line ? (chosen ? "chosen" : "dim") : "", "data-line": s.lineOf.id,
    onclick: (e) => { if (!e.target.closest("button") && !String(getSelection())) choose(); },
  },
  el("td", { className: "n rank" }, count(r.rank), swatch(v.colors.has(s.lineOf) ? color : "transparent")),
  el("td", { className: "n strong" }, value(v, r.sum)),
  el("td", { className: "n share" }, percent(r.sum, r.all), shareBar(r.all ? r.sum / r.all : 0, color)),
  el("td", { className: "n wide muted" }, percent(r.running, r.all)),
  el("td", { className: "n wide muted" }, sizeText(v.scope, s)),
  el("td", { className: "at" },
    el("button", { type: "button", className: "plain at-name", "aria-pressed": String(chosen), onclick: choose, title: s.at }, placeName(s, 38)),
    el("span", { className: "under" }, "in ", el("button", { type: "button", className: "plain", title: "Only this function", onclick: () => toggle("fn", s.function) }, s.short), userText(s)),
    el("span", { className: "under narrow" }, [s.cause, typeText(s), sizeText(v.scope, s)].filter(Boolean).join(" · "))),
  el("td", { className: "wide cause" }, s.cause && el("button", { type: "button", className: "plain", title: v.report.explain[s.cause] || "Only this cause", onclick: () => toggle("cause", s.cause) }, s.cause)),
  el("td", { className: "wide type", title: typeText(s) }, breakable(cutRight(typeText(s), 60))));
  return row;
}

// userText names the line of the user's own code that leads to a site.
function userText(s) {
  if (!s.user) return "";
  const others = s.userLines > 1 ? ` and ${many(s.userLines - 1, "other", "others")}` : "";
  return el("span", { className: "from", title: s.userFunction }, " from ", cutLeft(s.user, 36), others);
}

function restRow(v, text, sum, all) {
  return el("tr", { className: "rest" }, el("td", {}), el("td", { className: "n" }, value(v, sum)), el("td", { className: "n share" }, percent(sum, all), shareBar(all ? sum / all : 0)),
    el("td", { className: "wide" }), el("td", { className: "wide" }), el("td", { colspan: 3 }, text));
}

// drawPickers offers the packages and causes of the scope.
function drawPickers(v) {
  const search = byId("lines-search");
  if (search !== document.activeElement) search.value = v.state.q;
  search.oninput = () => go({ q: search.value }, true);
  pick(byId("lines-package"), "Every package", v.scope.sites.map((s) => s.pkg), v.state.pkg, (pkg) => go({ pkg }));
  pick(byId("lines-cause"), "Every cause", v.scope.sites.map((s) => s.cause), v.state.cause, (cause) => go({ cause }));
}

function pick(select, every, values, chosen, choose) {
  const options = [...new Set(values)].filter(Boolean).sort((a, b) => a.localeCompare(b, "en"));
  fill(select, el("option", { value: "" }, every), options.map((o) => el("option", { value: o }, o)));
  select.value = options.includes(chosen) ? chosen : "";
  select.hidden = options.length < 2;
  select.onchange = () => choose(select.value);
}
