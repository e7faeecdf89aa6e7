// What is it doing now? Only a page that a server keeps up to date knows.

const live = { ticks: [], state: "", text: "", trouble: "", paused: false, waiting: null, timer: 0, took: 0 };
const mostTicks = 600, shownTicks = 150;

// startLive listens to the server, if the page came from one.
function startLive() {
  if (!document.body.hasAttribute("data-live")) return;
  const source = new EventSource("events?page=" + document.body.dataset.page);
  const on = (name, take) => source.addEventListener(name, (e) => take(JSON.parse(e.data)));
  on("ticks", (ticks) => grow(ticks));
  on("tick", (tick) => grow([...live.ticks, tick].slice(-mostTicks)));
  on("page", (data) => { live.waiting = data; soon(); });
  on("trouble", (text) => trouble(text));
  on("end", () => {
    source.close();
    live.paused = false;
    trouble("");
    tell("ended", live.ticks.length ? "ended" : "");
    freshen(true);
    if (!report.scopes.length) render(); // it says no more that something may come
  });
  source.onerror = () => trouble("alloctop does not answer any more; trying again");
  byId("live").onclick = () => {
    live.paused = !live.paused;
    tell(live.state, live.text);
    if (!live.paused) freshen(true);
  };
  addEventListener("pointerup", () => { if (live.waiting) soon(); });
}

// grow keeps what was allocated over time.
function grow(ticks) {
  live.ticks = ticks;
  document.body.dataset.ticks = ticks.length;
  trouble("");
  soon();
}

// soon draws what is new, but leaves the browser more time than that takes.
function soon() {
  if (live.timer) return;
  live.timer = setTimeout(() => {
    live.timer = 0;
    const start = performance.now();
    freshen();
    live.took = performance.now() - start;
  }, Math.max(200, 4 * live.took));
}

// trouble says why there is nothing newer, or that there is again.
function trouble(text) {
  live.trouble = text;
  document.getElementById("live-trouble")?.remove();
  if (text) byId("headline").before(el("p", { className: "known note", id: "live-trouble", role: "alert" }, icon("warn"), el("span", {}, text)));
  if (text) tell("off", "no answer");
  else tell("on", "live");
}

// tell says how the page and the program are.
function tell(state, text) {
  Object.assign(live, { state, text });
  const b = byId("live");
  b.hidden = !text;
  b.className = "live " + (live.paused ? "" : state);
  b.disabled = state === "ended";
  b.textContent = live.paused ? "paused" : text;
  b.title = state === "off" ? live.trouble : state === "ended" ? "The program ended; the numbers are final" : live.paused ? "Go on" : "Hold the page as it is";
}

// freshen draws what is new, but not while the reader is at something that it
// would take away: a menu, a selection, a press of the mouse.
function freshen(now) {
  const busy = document.activeElement?.tagName === "SELECT" || !getSelection().isCollapsed || document.querySelector("#main :active");
  if (live.paused || (busy && now !== true)) return;
  if (live.waiting) {
    const before = report.scopes.find((s) => s.id === state.scope);
    report = decode(live.waiting);
    live.waiting = null;
    follow(before);
  } else {
    const v = makeView(report, readState(), colors);
    drawRates(v, palette());
  }
}

// waiting reports whether something may still come.
function waiting() {
  return document.body.hasAttribute("data-live") && live.state !== "ended";
}

// follow draws what is new, of the scope that was chosen. It has another name
// once it is known on how many processors it ran.
function follow(before) {
  const same = (s) => s.kind === before.kind && s.name === before.name && s.package === before.package && s.process.pid === before.process.pid;
  const now = before && !report.scopes.some((s) => s.id === before.id) && report.scopes.find(same);
  if (now) go({ scope: now.id }, true);
  else render();
}

// ratesOf returns the ticks of a scope's process since it began: what was
// allocated in each, in the measure of the view, a second.
function ratesOf(v) {
  const key = v.scope.process?.pid ? "process " + v.scope.process.pid : v.scope.id;
  const begin = live.ticks.findIndex((t) => t.scopes[key]);
  if (begin < 0) return [];
  return live.ticks.slice(Math.max(0, begin - 1)).slice(-shownTicks).map((t) => {
    const s = t.scopes[key];
    const rate = (rows) => (rows || []).map(([key, ...grew]) => [key, grew[v.m] / t.seconds]);
    return { time: t.time, sizes: rate(s?.sizes), lines: rate(s?.lines) };
  });
}

function drawRates(v, p) {
  const rates = ratesOf(v);
  if (!show("rates", rates.length > 1)) return;
  const total = (r) => r.sizes.reduce((n, [, x]) => n + x, 0);
  const last = rates[rates.length - 1];
  const peak = Math.max(...rates.map(total));
  const print = (n) => (v.m === 0 ? count(Math.round(n)) : bytes(n));
  const where = v.scope.kind === "process" ? "" : " in its whole process";
  const what = (v.m === 0 ? "allocations a second" : `of ${measureName(v)} a second`) + where;
  byId("rates-title").textContent = live.state === "ended" ? "What did it do over time?" : "What is it doing now?";
  const span = count(Math.round((last.time - rates[0].time) / 1000)) + " seconds";
  byId("rates-sub").textContent = live.state === "ended" ? `at most ${print(peak)} ${what}, in ${span}` : `${print(total(last))} ${what}; the most in the last ${span} were ${print(peak)}`;
  const lines = [...v.colors.keys()];
  fill(byId("rates-legend"), [...lines, null].map((l) => el("span", { className: "key" }, swatch(lineColor(v, p, l)), l ? cutLeft(l.at, 40) : "all other lines")));
  plot("rate-plot", "rate", () => rateOption(v, p, rates, lines, total)).again = () => drawRates(v, p);
  plot("rate-heat-plot", "rateHeat", () => rateHeatOption(v, p, rates)).again = () => drawRates(v, p);
  const words = `now ${print(total(last))} ${what}, at most ${print(peak)}`;
  describe("rate-plot", "Chart over time of the heaviest lines: " + words);
  describe("rate-heat-plot", "Heat map over time of size classes: " + words);
}

function clock(ms) {
  return new Date(ms).toLocaleTimeString("en-GB");
}

function rateOption(v, p, rates, lines, total) {
  const at = (r, line) => r.lines.filter(([name]) => name === line.at).reduce((n, [, x]) => n + x, 0);
  const named = (r) => lines.reduce((n, l) => n + at(r, l), 0);
  const series = [...lines, null].map((line) => ({
    name: line ? line.at : "all other lines", itemStyle: { color: lineColor(v, p, line) },
    data: rates.map((r) => [r.time, line ? at(r, line) : Math.max(0, total(r) - named(r))]),
  }));
  return {
    xAxis: { axisLabel: { formatter: clock, alignMinLabel: "left", alignMaxLabel: "right" }, splitNumber: 4, min: rates[0].time, max: rates[rates.length - 1].time },
    yAxis: { axisLabel: { formatter: (n) => briefValue(v, n) } },
    tooltip: {
      trigger: "axis",
      formatter: (points) => tip(clock(points[0].value[0]), "", points.filter((x) => x.value[1] > 0).map((x) => [x.color, cutLeft(x.seriesName, 44), briefValue(v, x.value[1])])),
    },
    series,
  };
}

function rateHeatOption(v, p, rates) {
  const binOf = (max) => v.bins.findIndex((b) => (max ?? Infinity) >= b.low && (max ?? Infinity) <= b.high);
  const cells = [];
  rates.forEach((r, x) => {
    const sums = new Map();
    for (const [max, n] of r.sizes) sums.set(binOf(max), (sums.get(binOf(max)) || 0) + n);
    for (const [y, n] of sums) if (y >= 0 && n > 0) cells.push([x, y, n]);
  });
  const top = Math.log10(Math.max(...cells.map((c) => c[2]), 1)), low = Math.max(0, top - 5);
  const data = cells.map(([x, y, n]) => ({ value: [x, y, n], itemStyle: { color: mix(p.heat, Math.max(0, Math.min(1, (Math.log10(n) - low) / (top - low || 1)))) } }));
  return {
    xAxis: { data: rates.map((r) => clock(r.time)), axisLabel: { alignMinLabel: "left", alignMaxLabel: "right" } },
    yAxis: { data: v.bins.map((b) => b.label), axisTick: { show: false } },
    tooltip: { formatter: ({ value: [x, y, n] }) => tip(v.bins[y].name, clock(rates[x].time), [["", "a second", briefValue(v, n)]]) },
    series: [{ data }],
  };
}
