// Who works, and who waits? Of a wall-clock profile, taken in a run apart.

const wallStates = ["on a processor, or ready to run", "in a system call, or in C", "waiting"];

function drawWall(v, p) {
  const w = v.report.wall;
  if (!show("wall", Boolean(w))) return;
  byId("wall-sub").textContent = `Goroutines on average over ${seconds(w.seconds)}, ${many(w.samples, "sample", "samples")}, in a run apart from the counting`;
  byId("wall-finding").textContent = w.finding;
  drawWallFacts(w);
  const colors = wallColors(p);
  fill(byId("wall-legend"), wallStates.map((name, i) => (w.total[i] > 0 ? el("span", { className: "key" }, swatch(colors[i]), el("span", { className: "key-name" }, name)) : null)));
  const most = 14;
  const lines = w.lines.slice(0, most).filter((l) => sumOf(l.time) / w.samples >= 0.05); // less is no bar to be seen
  show("wall-plot", lines.length > 0);
  if (lines.length) {
    byId("wall-plot").style.height = lines.length * 30 + 34 + "px";
    const chart = plot("wall-plot", "wall", (width) => wallOption(v, p, w, lines, width));
    chart.again = () => drawWall(v, p);
    chart.off("click");
    chart.on("click", (e) => {
      const line = v.scope.lineById.get(lines[e.dataIndex]?.at);
      if (line) toggle("line", line.id); // it allocates too
    });
    describe("wall-plot", "Bar chart of lines by goroutines: " + lines.map((l) => `${l.at} ${wallWords(w, l.time)}`).join("; "));
  }
  drawWallTable(w);
}

// wallColors are those of the states: busy stands out.
function wallColors(p) {
  return [p.lines[0], p.lines[2], p.rest];
}

const sumOf = (time) => time[0] + time[1] + time[2];

// goroutines prints how many goroutines some samples are on average.
function goroutines(w, n) {
  const mean = n / w.samples;
  return mean > 0 && mean < 0.05 ? "<0.1" : decimals(mean, 1);
}

function wallWords(w, time) {
  return ["busy", "in system calls or C", "waiting"].map((name, i) => (time[i] > 0 ? `${goroutines(w, time[i])} ${name}` : "")).filter(Boolean).join(", ");
}

function drawWallFacts(w) {
  const fact = (name, value, more) => el("div", {}, el("dt", {}, name), el("dd", {}, el("b", {}, value), more && el("span", {}, more)));
  fill(byId("wall-facts"), el("dl", { className: "tiles" },
    fact("goroutines", goroutines(w, sumOf(w.total)), "on average"),
    fact("busy", goroutines(w, w.total[0]), "on a processor, or ready to run"),
    w.cpu > 0 && fact("processors busy", decimals(w.cpu / w.seconds, 1), w.procs ? "of " + w.procs : ""),
    w.total[1] > 0 && fact("in system calls", goroutines(w, w.total[1]), "or in C"),
    fact("waiting", goroutines(w, w.total[2]), percent(w.total[2], sumOf(w.total)) + " of their time")));
}

function wallOption(v, p, w, lines, width) {
  const letters = width > 700 ? 46 : Math.max(12, Math.floor(width / 15));
  const colors = wallColors(p);
  const chosen = (l) => !v.line || v.line.id === l.at || !v.scope.lineById.has(v.line.id);
  const room = width > 700; // beside the bars, to say for what
  const series = wallStates.map((name, i) => ({ name, itemStyle: { color: colors[i] }, data: lines.map((l) => ({ value: l.time[i] / w.samples, itemStyle: { color: fade(colors[i], p.paper, chosen(l)) } })) }));
  series.push({ name: "for", silent: true, data: lines.map(() => ({ value: 0 })), label: { show: room, position: "right", distance: 7, color: p.muted, backgroundColor: p.paper, padding: [0, 3], fontFamily: p.sans, fontSize: 12, formatter: ({ dataIndex: i }) => wallFor(lines[i]) } });
  return {
    grid: { right: room ? 190 : 24 },
    xAxis: { axisLabel: { formatter: brief } },
    yAxis: { data: lines.map((l) => cutLeft(l.at, letters)), axisLabel: { color: p.ink, fontFamily: p.mono, fontSize: 12, interval: 0 }, axisTick: { show: false } },
    tooltip: { trigger: "axis", axisPointer: { type: "shadow", shadowStyle: { color: p.line, opacity: 0.35 } }, formatter: ([at]) => wallTip(w, colors, lines[at.dataIndex]) },
    series,
  };
}

// wallFor says for what most goroutines wait at a line, if most wait.
function wallFor(l) {
  return l.for && l.time[1] + l.time[2] > l.time[0] ? (l.time[1] > l.time[2] ? "in " : "for ") + l.for : "";
}

function wallTip(w, colors, l) {
  const rows = wallStates.map((name, i) => [colors[i], name, goroutines(w, l.time[i]), percent(l.time[i], sumOf(l.time))]).filter((_, i) => l.time[i] > 0);
  return tip(l.at, [l.function, wallFor(l), l.own ? "" : "not your own code"].filter(Boolean).join(" · "), rows);
}

function drawWallTable(w) {
  const head = (names) => el("thead", {}, el("tr", {}, names.map((h, i) => el("th", { scope: "col", className: i ? "n" : "" }, h))));
  const cells = (time) => [sumOf(time), ...time].map((n) => el("td", { className: "n" }, goroutines(w, n)));
  const columns = ["goroutines", "busy", "system", "waiting"];
  const rows = w.lines.map((l) => el("tr", {}, el("th", { scope: "row" }, l.at, el("div", { className: "muted" }, [wallFor(l), "in " + l.function, l.own ? "" : "not your own code"].filter(Boolean).join(" · "))), cells(l.time)));
  if (w.more) rows.push(el("tr", {}, el("th", { scope: "row", className: "muted" }, `… and ${many(w.more, "more line", "more lines")}`), cells(w.rest)));
  const groups = w.groups.map((g) => el("tr", {}, el("th", { scope: "row" }, g.function || "stacks too deep to know"), cells(g.time)));
  fill(byId("wall-table"),
    el("table", { className: "data" }, head(["line of your own code", ...columns]), el("tbody", {}, rows)),
    el("table", { className: "data" }, head(["function that they began with", ...columns]), el("tbody", {}, groups)));
}
