// The page as a whole.

let report = decode(JSON.parse(byId("data").textContent));
const colors = new LineColors();

// render draws everything as the address has it.
function render() {
  const back = keepFocus();
  draw();
  back();
}

// keepFocus returns what puts the keyboard back to where it is, on the element
// that took the place of the one it is on.
function keepFocus() {
  const had = document.activeElement;
  const place = had?.closest("[id]");
  if (!place || place === had) return () => {};
  const all = () => [...byId(place.id).querySelectorAll("button, input, select, summary, [tabindex]")];
  const at = all().indexOf(had), line = had.dataset.line;
  return () => {
    if (had.isConnected) return;
    const now = all();
    const same = now[at]?.dataset.line === line ? now[at] : now.find((e) => e.dataset.line === line);
    (same || now[at] || now[now.length - 1])?.focus({ preventScroll: true });
  };
}

function draw() {
  state = readState();
  const v = makeView(report, state, colors);
  const p = palette();
  drawControls(v);
  drawChips(v);
  drawScopes(v);
  drawHeadline(v, p);
  for (const part of [drawRates, drawSizes, drawLines, drawLine, drawHeat, drawTree, drawFlame, drawCost, drawWall]) {
    try {
      part(v, p);
    } catch (e) {
      reportError(e); // the other parts of the page are worth seeing
    }
  }
  drawAbout(v);
}

// drawControls draws the measure, for the whole page.
function drawControls(v) {
  segmented(byId("measure"), [["objects", "Allocations"], ["bytes", "Memory"], ["requested", "Requested"]], measures[v.m], (m) => go({ m }));
  const none = !v.scope.records;
  segmented(byId("per"), [["1", "per " + cutRight(v.scope.unit[0], 14), none, none ? "Nobody said how many records there were: see --per" : ""], ["0", "in all"]], v.per ? "1" : "0", (per) => go({ per }));
}

// drawChips names the filters, each with a way to drop it.
function drawChips(v) {
  const names = {
    size: () => sizeName(v.size), line: () => v.line.at, fn: (s) => s, pkg: (s) => s, cause: (s) => s,
    under: (s) => "calls through " + underName(v.scope, s), q: (s) => `“${s}”`,
  };
  const set = filters.filter((k) => state[k] && !(k === "line" && !v.line) && !(k === "size" && !v.size) && !(k === "under" && !v.ends));
  const at = byId("chips");
  at.hidden = !set.length;
  if (!set.length) return;
  const sum = [...sumBy(v, [], () => 0).values()][0] || 0;
  fill(at, el("span", { className: "chips-sum" }, el("b", {}, percent(sum, v.total)), ` of ${unitName(v)}:`),
    set.map((k) => el("button", { type: "button", className: "chip", title: "Drop this filter", "data-filter": k, onclick: () => go({ [k]: "" }) }, cutLeft(names[k](state[k]), 60), icon("close"))),
    el("button", { type: "button", className: "link", onclick: clearFilters }, "Show all"));
  say(`${percent(sum, v.total)} of ${unitName(v)} pass ${many(set.length, "filter", "filters")}`);
}

function drawAbout(v) {
  const r = v.report;
  const how = r.engine === "exact" ? "Exact: every allocation was counted, by alloctop's hook in the Go runtime." : "Not exact: counted by the runtime's own heap profile, which misses most tiny objects.";
  const link = (href, text) => el("a", { className: "link", href }, text);
  const served = document.body.hasAttribute("data-live") && [
    link("report.json", "report.json"), " · ", link("profile.pb.gz", "profile.pb.gz"),
    document.body.hasAttribute("data-pprof") && [" · ", link("pprof/", "the pages of pprof")],
  ];
  fill(byId("about"), el("p", {}, how, r.go && ` ${r.go}.`, v.scope.process.pid ? ` Process ${v.scope.process.pid}.` : ""),
    served && el("p", {}, served),
    r.command.length > 0 && el("p", {}, el("code", {}, r.command.join(" "))),
    el("p", { className: "muted" }, "Made by alloctop. Memory is what the allocator takes, in slots of its size classes; requested is what the program asked for. Charts are drawn by Apache ECharts (Apache License 2.0)."));
}

// keys are the shortcuts of the page.
function keys(e) {
  const typing = e.target.closest?.("input, select, textarea");
  if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !byId("lines").hidden) {
    e.preventDefault();
    byId("lines-search").focus();
  } else if (e.key === "Escape") {
    if (typing && e.target.value) return;
    const last = filters.filter((k) => state[k]).pop();
    if (last) go({ [last]: "" });
  }
}

function start() {
  applyTheme(false);
  dark.addEventListener("change", () => { applyTheme(false); render(); });
  addEventListener("hashchange", render);
  addEventListener("keydown", keys);
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
  byId("skip").onclick = () => byId("main").focus();
  byId("scope-button").onclick = () => {
    const open = document.body.classList.toggle("choosing");
    byId("scope-button").setAttribute("aria-expanded", String(open));
  };
  render();
  startLive();
  performance.mark("ready");
  document.documentElement.dataset.ready = "";
}

// printing draws the page for paper: light, and as wide as a sheet.
function printing(on) {
  document.body.classList.toggle("paper", on);
  applyTheme(on);
  render();
  for (const chart of plots.values()) chart.getZr().flush(); // no frame comes before the print
}

start();
