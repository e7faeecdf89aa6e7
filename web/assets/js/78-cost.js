// What does it cost?

function drawCost(v, p) {
  const c = v.scope.cost;
  if (!show("cost", Boolean(c))) return;
  const exact = v.report.engine === "exact";
  byId("cost-sub").textContent = exact ? "The counting ran meanwhile: without alloctop, times are shorter" : "";
  const busy = c.wall_seconds > 0 ? c.cpu_seconds / c.wall_seconds : 0;
  const fact = (name, value, more) => el("div", {}, el("dt", {}, name), el("dd", {}, el("b", {}, value), more && el("span", {}, more)));
  const s = v.scope;
  const each = (x) => (s.records > 0 ? `${seconds(x / s.records)} per ${s.unit[0]}` : "");
  fill(byId("cost-facts"), el("dl", { className: "tiles" },
    fact("time", seconds(c.wall_seconds), each(c.wall_seconds)),
    fact("CPU time", seconds(c.cpu_seconds), each(c.cpu_seconds)),
    fact("processors busy", busy.toFixed(2), s.procs ? `of ${s.procs}` : ""),
    fact("garbage collection", c.cpu_seconds > 0 ? (100 * c.gc_cpu_seconds / c.cpu_seconds).toFixed(1) + " %" : "0 %", `of CPU time, ${many(c.gc_cycles, "cycle", "cycles")}`),
    fact("stopped", seconds(c.pause_seconds), "all goroutines, for the collector")),
  el("div", { className: "legend" }, costBars(p, c).map((b) => el("span", { className: "key" }, swatch(b.itemStyle.color), el("span", { className: "key-name" }, b.name)))));
  const chart = plot("cost-plot", "cost", () => costOption(p, c));
  chart.again = () => drawCost(v, p);
  describe("cost-plot", `Bar chart: time ${seconds(c.wall_seconds)}, CPU time ${seconds(c.cpu_seconds)}, of that garbage collection ${seconds(c.gc_cpu_seconds)}`);
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
