// Which line makes which size?

function drawHeat(v, p) {
  const cells = new Map(); // line to sums by bin
  const own = ["size", "line"];
  collect(v, own, (site, k, amounts) => {
    const at = v.of[k];
    if (!site || at === undefined || !amounts[v.m]) return;
    const line = site.lineOf;
    if (!cells.has(line)) cells.set(line, { line, total: 0, bins: new Map() });
    const row = cells.get(line);
    row.total += amounts[v.m];
    row.bins.set(at, (row.bins.get(at) || 0) + amounts[v.m]);
  });
  const most = 18;
  const rows = [...cells.values()].sort((a, b) => b.total - a.total).slice(0, most);
  if (!show("heat", rows.length > 0)) return;
  byId("heat-sub").textContent = `${unitName(v)}${cells.size > most ? `; the ${most} heaviest of ${count(cells.size)} lines` : ""}; the stronger the colour the more, on a logarithmic scale`;
  byId("heat-plot").style.height = rows.length * 26 + 44 + "px";
  const chart = plot("heat-plot", "heat", (width) => heatOption(v, p, rows, width));
  chart.again = () => drawHeat(v, p);
  chart.off("click");
  chart.on("click", (e) => {
    const [x, y] = e.value || [];
    if (e.componentType === "yAxis") return;
    if (x === undefined) return;
    const size = sizeOfBin(v, x), line = rows[y].line.id;
    const same = v.state.size === size && v.state.line === line;
    go(same ? { size: "", line: "" } : { size, line });
  });
  describe("heat-plot", "Heat map of lines by size class: " + rows.slice(0, 6).map((r) => `${r.line.at}: ${[...r.bins].map(([i, n]) => `${v.bins[i].name} ${value(v, n)}`).join(", ")}`).join("; "));
}

function heatOption(v, p, rows, width) {
  const letters = width > 700 ? 42 : Math.max(12, Math.floor(width / 16));
  const room = (width - letters * 7.2) / Math.max(1, v.bins.length);
  const values = rows.flatMap((r) => [...r.bins.values()]).map((n) => number(v, n));
  const top = Math.log10(Math.max(...values)), low = Math.max(Math.log10(Math.min(...values)), top - 4);
  const shade = (n) => (top > low ? Math.max(0, Math.min(1, (Math.log10(n) - low) / (top - low))) : 1);
  const data = [];
  rows.forEach((r, y) => r.bins.forEach((n, x) => {
    const t = shade(number(v, n));
    const chosen = chosenBin(v, x) && (!v.line || v.line === r.line);
    data.push({
      value: [x, y, n], itemStyle: { color: fade(mix(p.heat, t), p.paper, chosen), borderColor: p.paper, borderWidth: 2, borderRadius: 3 },
      label: { color: chosen ? p.heatInk[t > 0.5 ? 1 : 0] : p.muted },
    });
  }));
  return {
    xAxis: { data: v.bins.map((b) => (room > 58 || v.state.each === "1" ? b.label : shortBound(b.high).replace("Infinity", ">32K"))), axisLabel: { interval: room < 22 ? "auto" : 0, fontSize: 11 }, axisLine: { show: false } },
    yAxis: { data: rows.map((r) => cutLeft(r.line.at, letters)), axisLabel: { color: p.ink, fontFamily: p.mono, fontSize: 12, interval: 0 }, axisTick: { show: false } },
    tooltip: {
      formatter: ({ value: [x, y, n] }) => tip(rows[y].line.at, v.bins[x].name, [["", "of this line", value(v, n), percent(n, rows[y].total)]]),
    },
    series: [{ data, label: { show: room > 30, fontSize: 11, fontFamily: p.sans, formatter: ({ value: [, , n] }) => cellText(v, number(v, n), room) }, emphasis: { itemStyle: { borderColor: p.ink, borderWidth: 1 } } }],
  };
}

// cellText is the number in a cell, as far as there is room for its digits.
function cellText(v, n, room) {
  if (room < 54 && n < 0.01) return v.m === 0 ? "<0.01" : "<0.1B";
  return briefValue(v, n).replace(" ", room < 54 ? "" : " ");
}
