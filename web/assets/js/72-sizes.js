// What sizes?

function drawSizes(v, p) {
  if (!show("sizes", v.total > 0)) return;
  const log = state.log === "1";
  segmented(byId("sizes-classes"), [["", "Steps"], ["1", "Every class"]], state.each, (each) => go({ each, size: "" }));
  segmented(byId("sizes-scale"), [["", "Linear"], ["1", "Log"]], state.log, (l) => go({ log: l }));
  const sums = sumBins(v);
  byId("sizes-sub").textContent = `${unitName(v)}, by the size ${v.report.engine === "exact" ? "that the program asked for" : "of their slots"}${log ? "; bars are logarithmic, within a bar lines have their share" : ""}`;
  drawLegend(v, p, sums);
  const chart = plot("sizes-plot", "sizes", (width) => sizesOption(v, p, sums, log, width));
  chart.again = () => drawSizes(v, p);
  onBin(chart, (i) => toggleSize(v, i));
  describe("sizes-plot", "Bar chart of size classes: " + sums.bins.map((b, i) => `${v.bins[i].name}: ${value(v, b.total)}`).join(", "));
  drawSizesTable(v, sums);
}

// sumBins adds up each bin, by coloured line; null is all other lines.
function sumBins(v) {
  const bins = v.bins.map(() => ({ total: 0, by: new Map() }));
  const lines = new Map([...v.colors.keys()].map((l) => [l, 0]));
  let all = 0;
  collect(v, ["size"], (site, k, amounts) => {
    const bin = bins[v.of[k]];
    const n = amounts[v.m];
    if (!bin || !n) return;
    const line = site && lines.has(site.lineOf) ? site.lineOf : null;
    bin.total += n;
    bin.by.set(line, (bin.by.get(line) || 0) + n);
    lines.set(line, (lines.get(line) || 0) + n);
    all += n;
  });
  return { bins, lines: [...lines].filter(([, n]) => n > 0), all };
}

// drawLegend names the colours. Its buttons filter, for those without a mouse.
function drawLegend(v, p, sums) {
  fill(byId("sizes-legend"), sums.lines.map(([line, n]) => el(line ? "button" : "span", {
    className: "key", type: line ? "button" : undefined, onclick: line && (() => toggle("line", line.id)),
    "aria-pressed": line ? String(v.line === line) : undefined, title: line ? line.at : "",
  }, swatch(lineColor(v, p, line)), el("span", { className: "key-name" }, line ? cutLeft(line.at, 40) : "all other lines"), el("span", { className: "key-share" }, percent(n, sums.all)))));
}

function sizesOption(v, p, sums, log, width) {
  const scaled = log ? logScale(sums.bins.map((b) => number(v, b.total))) : null;
  const height = (bin, n) => (log ? (scaled.at(number(v, bin.total)) * n) / bin.total : number(v, n));
  const room = width / Math.max(1, v.bins.length);
  const series = sums.lines.map(([line]) => ({
    name: line ? line.at : "all other lines",
    data: sums.bins.map((bin, i) => {
      const n = bin.by.get(line) || 0;
      return { value: n ? height(bin, n) : 0, itemStyle: { color: fade(lineColor(v, p, line), p.paper, chosenBin(v, i)) } };
    }),
  }));
  // A series without height, on top of the others, carries the sums.
  const most = Math.max(...sums.bins.map((b) => b.total));
  series.push({
    name: "sum", silent: true, data: sums.bins.map((b) => ({ value: 0, label: { show: room > 40 || b.total > most / 50, color: b.total > most / 500 ? p.ink : p.muted } })), labelLayout: { hideOverlap: true },
    label: { position: "top", distance: 4, fontFamily: p.sans, fontSize: room < 44 ? 10 : 12, formatter: ({ dataIndex: i }) => briefValue(v, number(v, sums.bins[i].total)) },
  });
  const label = (b) => (room > 62 || v.state.each === "1" ? b.label : shortBound(b.high).replace("Infinity", ">32K"));
  return {
    xAxis: { data: v.bins.map(label), axisLabel: { fontSize: room < 44 ? 11 : 12, interval: room < 25 ? "auto" : 0 }, name: "" },
    yAxis: log
      ? { min: 0, max: scaled.top, interval: Math.ceil(scaled.top / 6), axisLabel: { formatter: (t) => power(v, scaled.value(t)) } }
      : { axisLabel: { formatter: (t) => briefValue(v, t) } },
    tooltip: { trigger: "axis", axisPointer: { type: "shadow", shadowStyle: { color: p.line, opacity: 0.35 } }, formatter: ([at]) => binTip(v, p, sums, at.dataIndex) },
    series,
  };
}

// logScale maps values to the number of decades above the smallest, so that the
// smallest still has a height.
function logScale(values) {
  const positive = values.filter((n) => n > 0);
  const floor = Math.floor(Math.log10(Math.min(...positive)) - 0.15);
  return {
    at: (n) => (n > 0 ? Math.log10(n) - floor : 0), value: (t) => 10 ** (t + floor),
    top: Math.ceil(Math.log10(Math.max(...positive)) - floor + 0.15),
  };
}

// power prints a power of ten, however small.
function power(v, n) {
  return n < 0.01 ? `10${[...String(Math.round(Math.log10(n)))].map((d) => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[d])).join("")}${v.m ? " B" : ""}` : briefValue(v, n);
}

function binTip(v, p, sums, i) {
  const bin = sums.bins[i];
  const rows = [...bin.by].sort((a, b) => b[1] - a[1]).map(([line, n]) => [lineColor(v, p, line), line ? cutLeft(line.at, 44) : "all other lines", value(v, n), percent(n, bin.total)]);
  return tip(v.bins[i].name, `${value(v, bin.total)} · ${percent(bin.total, sums.all)} of ${v.narrowed ? "what is chosen" : "all"}`, rows);
}

// onBin calls take with the bin that a click is on, also above its bar.
function onBin(chart, take) {
  const z = chart.getZr();
  z.off("click");
  z.on("click", (e) => {
    const [i] = chart.convertFromPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]);
    if (chart.containPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY])) take(i);
  });
}

function sizeOfBin(v, i) {
  return `${v.bins[i].low}-${v.bins[i].high}`;
}

function toggleSize(v, i) {
  if (v.bins[i]) toggle("size", sizeOfBin(v, i));
}

// chosenBin reports whether a bin is within the filter on sizes.
function chosenBin(v, i) {
  return !v.size || (v.bins[i].high <= v.size.high && v.bins[i].high >= v.size.low);
}

function drawSizesTable(v, sums) {
  let running = 0;
  const rows = sums.bins.map((b, i) => {
    running += b.total;
    return el("tr", {}, el("th", { scope: "row" }, el("button", { type: "button", className: "plain", "aria-pressed": String(v.size !== null && chosenBin(v, i)), onclick: () => toggleSize(v, i) }, v.bins[i].name)),
      el("td", { className: "n" }, value(v, b.total)), el("td", { className: "n" }, percent(b.total, sums.all)), el("td", { className: "n" }, percent(running, sums.all)));
  });
  fill(byId("sizes-table"), el("table", { className: "data" }, el("thead", {}, el("tr", {}, ["requested size", unitName(v), "share", "sum"].map((h, i) => el("th", { scope: "col", className: i ? "n" : "" }, h)))), el("tbody", {}, rows)));
}
