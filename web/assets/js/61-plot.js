// Charts. Their options come from the page; here they get data and colours.

const chartOptions = JSON.parse(byId("charts").textContent);
const plots = new Map();

// plot draws a chart in an element: the page's option of that name, with what
// change adds to it. It returns the chart.
function plot(id, name, change) {
  const at = byId(id);
  let chart = plots.get(id);
  if (!chart) {
    chart = echarts.init(at, null, { renderer: "canvas" });
    plots.set(id, chart);
    new ResizeObserver(() => {
      if (at.clientWidth && (at.clientWidth !== chart.getWidth() || at.clientHeight !== chart.getHeight())) {
        chart.resize();
        chart.again?.();
      }
    }).observe(at);
  }
  chart.resize();
  const option = merge(merge(structuredClone(chartOptions[name]), look(palette())), change(at.clientWidth));
  const template = chartOptions[name].series[0];
  option.series = option.series.map((s) => merge(structuredClone(template), s));
  chart.dispatchAction({ type: "hideTip" });
  chart.setOption(option, { replaceMerge: ["series", "xAxis", "yAxis"] });
  return chart;
}

// look is what all charts take from the theme.
function look(p) {
  const axis = {
    axisLabel: { color: p.muted, fontFamily: p.sans, fontSize: 12 },
    axisLine: { lineStyle: { color: p.line } }, splitLine: { lineStyle: { color: p.line } },
    nameTextStyle: { color: p.muted, fontFamily: p.sans },
  };
  return {
    textStyle: { fontFamily: p.sans, color: p.ink }, backgroundColor: "transparent",
    tooltip: {
      className: "tip", confine: true, backgroundColor: p.paper, borderColor: p.line, borderWidth: 1, padding: 0,
      textStyle: { color: p.ink, fontFamily: p.sans, fontSize: 13 }, transitionDuration: 0, appendTo: () => document.body,
    },
    xAxis: structuredClone(axis), yAxis: structuredClone(axis),
  };
}

// merge puts the members of b into a, in depth; arrays and the rest replace.
// Where a has a list of one member and b the member, it goes into that.
function merge(a, b) {
  for (const [k, v] of Object.entries(b)) {
    const plain = v !== null && typeof v === "object" && !Array.isArray(v);
    if (plain && Array.isArray(a[k]) && a[k].length === 1) merge(a[k][0], v);
    else if (plain && a[k] && typeof a[k] === "object" && !Array.isArray(a[k])) merge(a[k], v);
    else if (v !== undefined) a[k] = v;
  }
  return a;
}

// tip makes the content of a tooltip. It is elements and not HTML, since names
// in it come from anybody.
function tip(title, sub, rows) {
  return el("div", { className: "tip-body" },
    el("b", { className: "tip-title" }, title),
    sub && el("div", { className: "tip-sub" }, sub),
    rows.length > 0 && el("table", {}, rows.map(([color, name, ...cells]) => el("tr", {},
      el("td", {}, color ? swatch(color) : "", name), cells.map((c) => el("td", { className: "n" }, c))))));
}

// describe says in words what a chart shows, to who cannot see it.
function describe(id, text) {
  byId(id).setAttribute("aria-label", text);
}

// show shows a section or not.
function show(id, visible) {
  byId(id).hidden = !visible;
  return visible;
}
