// What does it cost?

function drawCost(v, p) {
  const c = v.scope.cost;
  if (!show("cost", Boolean(c))) return;
  const s = v.scope;
  byId("cost-sub").textContent = [
    c.uncounted ? "Timed in calls of their own, with the counter off" : v.report.engine === "exact" ? "The counting ran meanwhile: without alloctop, times are shorter" : "",
    runsText(s),
  ].filter(Boolean).join(". ");
  fill(byId("cost-facts"), el("dl", { className: "tiles" }, costFacts(s, c)),
    el("div", { className: "legend" }, costBars(p, c).map((b) => el("span", { className: "key" }, swatch(b.itemStyle.color), el("span", { className: "key-name" }, b.name)))));
  const chart = plot("cost-plot", "cost", () => costOption(p, c));
  chart.again = () => drawCost(v, p);
  describe("cost-plot", `Bar chart: time ${seconds(c.wall_seconds)}, CPU time ${seconds(c.cpu_seconds)}, of that garbage collection ${seconds(c.gc_cpu_seconds)}`);
}

// timeEach is what a record takes of a time, "" if that is not known.
function timeEach(s, time) {
  const records = s.cost.records || s.records;
  return records > 0 ? `${seconds(time / records)} per ${s.unit[0]}` : "";
}

function costFacts(s, c) {
  const fact = (name, value, more) => el("div", {}, el("dt", {}, name), el("dd", {}, el("b", {}, value), more && el("span", {}, more)));
  // The runtime's figure moves at the end of a cycle and has idle workers in it,
  // so that of a short time it can be more than there was.
  const part = c.gc_cpu_seconds <= c.cpu_seconds;
  return [
    fact("time", seconds(c.wall_seconds), timeEach(s, c.wall_seconds)),
    fact("CPU time", seconds(c.cpu_seconds), timeEach(s, c.cpu_seconds)),
    c.wall_seconds > 0 && fact("processors busy", decimals(c.cpu_seconds / c.wall_seconds, 2), s.procs ? `of ${s.procs}` : ""),
    fact("garbage collection", part ? percent(c.gc_cpu_seconds, c.cpu_seconds || 1) : seconds(c.gc_cpu_seconds), `${part ? "of CPU time" : "of CPU"}, ${many(c.gc_cycles, "cycle", "cycles")}`),
    fact("stopped", seconds(c.pause_seconds), "all goroutines, for the collector"),
    c.mutex_wait_seconds > 0 && fact("waiting for locks", seconds(c.mutex_wait_seconds), "all goroutines together"),
    c.peak_heap_bytes > 0 && fact("largest heap", bytes(c.peak_heap_bytes), "that was seen"),
  ];
}

// runsText says how the calls of a repeated Measure differ.
function runsText(s) {
  const r = s.runs;
  if (!r) return "";
  const n = (x) => (Number.isInteger(x) ? count(x) : float(x));
  const one = s.records > 0 ? s.unit[0] : "call";
  const { min, median, max } = r.per_record;
  const each = min === max ? `each ${n(min)} allocations per ${one}` : `${n(min)} to ${n(max)} allocations per ${one}, median ${n(median)}`;
  const t = r.wall_seconds;
  const times = t?.max > 0 ? `; ${seconds(t.min)} to ${seconds(t.max)} each, median ${seconds(t.median)}` : "";
  return `${many(r.calls, "call", "calls")}: ${each}${times}`;
}

function costBars(p, c) {
  const gc = Math.min(c.gc_cpu_seconds, c.cpu_seconds);
  const bar = (name, color, values) => ({ name, data: values, itemStyle: { color } });
  return [bar("time that passed", p.lines[5], [c.wall_seconds, 0]), bar("CPU: the program", p.lines[1], [0, c.cpu_seconds - gc]), bar("CPU: garbage collection", p.lines[0], [0, gc])];
}

function costOption(p, c) {
  return {
    xAxis: { axisLabel: { formatter: seconds } },
    yAxis: { data: ["passed", "CPU"], axisLabel: { color: p.ink }, axisTick: { show: false } },
    tooltip: { formatter: (e) => tip(e.seriesName, seconds(e.value), []) },
    series: costBars(p, c),
  };
}
