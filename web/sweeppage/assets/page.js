(() => {
"use strict";
const all = JSON.parse(document.getElementById("charts").textContent);
const shown = new Map();

// colors are those of the style sheet, for the theme of the system.
function colors() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  return { ink: get("ink"), muted: get("muted"), line: get("line"), paper: get("paper"), sans: get("sans"), series: [0, 1, 2, 3, 4, 5, 6].map((i) => get("c" + i)) };
}

// print writes a number with the digits that matter.
function print(v) {
  return v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2);
}

// tip is the content of a tooltip, as text: names in it come from anybody.
function tip(p) {
  const lines = (p.seriesType === "scatter" ? [p.name] : [p.seriesName, p.name]).filter((s) => s && !s.startsWith("\u0000"));
  const values = Array.isArray(p.value) ? p.value.map(Number) : [Number(p.value)];
  const body = document.createElement("div");
  for (const text of [...lines, values.map(print).join(" · ")]) {
    const row = document.createElement("div");
    row.textContent = text;
    body.append(row);
  }
  return body;
}

// whisker draws a confidence interval, lying or standing.
const whisker = (lying) => (params, api) => {
  const at = (v) => api.coord(lying ? [v, api.value(0)] : [api.value(0), v]);
  const low = at(api.value(1)), high = at(api.value(2));
  const style = { stroke: api.visual("color"), lineWidth: 1.5 };
  const bar = (a, b) => ({ type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style });
  const cap = ([x, y]) => lying ? bar([x, y - 5], [x, y + 5]) : bar([x - 5, y], [x + 5, y]);
  return { type: "group", children: [bar(low, high), cap(low), cap(high)] };
};

// complete adds to the options of a chart what is not data: colours, and what
// needs a function.
function complete(from, c) {
  const o = structuredClone(from);
  const axis = { axisLabel: { color: c.muted, fontFamily: c.sans }, axisLine: { lineStyle: { color: c.line } }, splitLine: { lineStyle: { color: c.line } } };
  const put = (a) => (Array.isArray(a) ? a : [a]).map((one) => {
    const merged = { ...one };
    for (const [k, v] of Object.entries(axis)) merged[k] = { ...one[k], ...v };
    return merged;
  });
  o.color = c.series;
  o.textStyle = { fontFamily: c.sans, color: c.ink };
  o.xAxis = put(o.xAxis);
  o.yAxis = put(o.yAxis);
  o.legend = { ...o.legend, textStyle: { color: c.ink }, pageTextStyle: { color: c.muted }, pageIconColor: c.ink, pageIconInactiveColor: c.line };
  o.tooltip = { ...o.tooltip, confine: true, backgroundColor: c.paper, borderColor: c.line, textStyle: { color: c.ink }, formatter: tip };
  const series = o.series || [];
  const color = (i) => (i < 0 ? c.muted : c.series[i % c.series.length]);
  const whiskers = new Map();
  for (const w of o.whiskers || []) whiskers.set(w[3], [...(whiskers.get(w[3]) || []), w]);
  for (const [i, data] of whiskers) {
    series.push({ type: "custom", name: i < 0 ? "" : series[i].name, silent: true, z: 5, renderItem: whisker(o.lying), data, encode: o.lying ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] }, itemStyle: { color: i < 0 ? c.ink : color(i) } });
  }
  if (o.ideal) {
    series.push({ type: "line", name: "all threads used", data: o.ideal, silent: true, showSymbol: false, lineStyle: { type: "dashed", width: 1.5, color: c.muted }, itemStyle: { color: c.muted } });
  }
  o.series = series;
  delete o.whiskers;
  delete o.ideal;
  delete o.lying;
  delete o.rows;
  return o;
}

function draw() {
  const c = colors();
  for (const [id, option] of Object.entries(all)) {
    const at = document.getElementById(id);
    if (!shown.has(id)) {
      if (option.rows) at.style.height = Math.max(280, 60 + 30 * option.rows) + "px";
      const chart = echarts.init(at, null, { renderer: "canvas" });
      shown.set(id, chart);
      new ResizeObserver(() => chart.resize()).observe(at);
    }
    shown.get(id).setOption(complete(option, c), true);
  }
}

draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
document.documentElement.dataset.ready = "";
})();
