// Where in the code?

function drawTree(v, p) {
  const sums = sumBy(v, ["line", "fn", "pkg"], (site) => site);
  const rest = sums.get(null) || 0;
  sums.delete(null);
  const packages = treeOf(sums);
  const all = [...sums.values()].reduce((a, b) => a + b, rest);
  if (!show("tree", all > 0)) return;
  byId("tree-sub").textContent = `Packages, in them functions, in them lines, as large as their ${unitName(v)}`;
  const chart = plot("tree-plot", "treemap", (width) => treeOption(v, p, packages, rest, all, width));
  chart.again = () => drawTree(v, p);
  chart.off("click");
  chart.on("click", (e) => {
    const d = e.data;
    if (d?.line) toggle("line", d.line);
    else if (d?.fn) toggle("fn", d.fn);
    else if (d?.pkg) toggle("pkg", d.pkg);
  });
  const names = [...packages].map(([name, x]) => `${name || "no package"}: ${percent(x.sum, all)}`);
  describe("tree-plot", "Treemap of packages: " + names.slice(0, 12).join(", "));
}

// treeOf puts sites under their functions, and those under their packages.
function treeOf(sums) {
  const packages = new Map();
  const child = (map, key) => {
    if (!map.has(key)) map.set(key, { sum: 0, below: new Map() });
    return map.get(key);
  };
  for (const [site, n] of sums) {
    if (!n) continue;
    const pkg = child(packages, site.pkg), fn = child(pkg.below, site.function), line = child(fn.below, site.lineOf);
    for (const x of [pkg, fn, line]) x.sum += n;
    fn.short = site.short;
  }
  return packages;
}

// treeOption draws what is large enough to be seen; what is smaller is one
// rectangle in its parent.
function treeOption(v, p, packages, rest, all, width) {
  const least = all / 4000;
  const branch = (map, make, other) => {
    const nodes = [];
    let small = 0;
    for (const [key, x] of map) {
      if (x.sum >= least) nodes.push(make(key, x));
      else small += x.sum;
    }
    if (small) nodes.push({ name: other, value: small, itemStyle: { color: p.rest } });
    return nodes.sort((a, b) => b.value - a.value);
  };
  const height = byId("tree-plot").clientHeight;
  const area = (x) => (x.sum / all) * width * height;
  const leaf = (line, x) => {
    const color = fade(lineColor(v, p, line), p.paper, !v.line || v.line === line);
    const name = line.at.slice(line.at.lastIndexOf("/") + 1);
    return { name, narrow: name.length * 8 + 12 > 0.75 * Math.sqrt(area(x)), value: x.sum, line: line.id, itemStyle: { color }, label: { color: inkOn(color) } };
  };
  // What has no room for a head and something below it is one rectangle. Where
  // the plot is higher than wide, rectangles lie on their long side.
  const inside = (x, least, rows, make, other) => (area(x) < least || (width < height && area(x) / width < rows * 22)
    ? { itemStyle: { color: p.rest }, label: { color: inkOn(p.rest) } }
    : { children: branch(x.below, make, other) });
  const fn = (name, x) => ({ name: x.short, value: x.sum, fn: name, itemStyle: { color: p.panel, borderColor: p.panel }, ...inside(x, 2500, 2, leaf, "smaller lines") });
  const fitting = (name, x) => ((x.sum / all) * width > name.length * 7.5 ? name : lastElement(name));
  const pkg = (name, x) => ({ name: name ? fitting(name, x) : "no package", value: x.sum, pkg: name, itemStyle: { color: p.line, borderColor: p.line }, ...inside(x, 9000, 3, fn, "smaller functions") });
  const data = branch(packages, pkg, "smaller packages");
  if (rest) data.push({ name: "lines not in this page", value: rest, itemStyle: { color: p.rest } });
  const text = { fontFamily: p.sans, fontSize: 12, overflow: "truncate" };
  return {
    tooltip: { formatter: (e) => treeTip(v, e, all) },
    series: [{
      data, breadcrumb: { show: false }, visibleMin: 60, childrenVisibleMin: 1600, cursor: "pointer",
      label: { show: true, ...text, position: "insideTopLeft", formatter: (e) => `${e.data.narrow ? e.name.replace(/:(?=\d+$)/, "\n:") : e.name}\n${percent(e.value, all)}`, lineHeight: 16 },
      upperLabel: { show: true, ...text, height: 20, lineHeight: 20, position: [0, 0], padding: [0, 3, 0, 5], verticalAlign: "top", color: p.ink },
      levels: [{ itemStyle: { borderColor: p.paper } }, { itemStyle: { borderColor: p.line }, upperLabel: { color: p.ink, fontWeight: 600, height: 22, lineHeight: 22, show: true } }, { itemStyle: { borderColor: p.panel }, upperLabel: { color: p.muted, height: 20, show: true } }, {}].map((l, i) => merge(structuredClone(chartOptions.treemap.series[0].levels[i]), l)),
      emphasis: { itemStyle: { borderColor: p.ink } },
    }],
  };
}

function treeTip(v, e, all) {
  const d = e.data;
  if (!d || !d.name) return "";
  const kind = d.line ? "line" : d.fn ? "function" : d.pkg !== undefined ? "package" : "";
  return tip(d.line || d.fn || d.pkg || d.name, `${kind ? kind + ", " : ""}${value(v, d.value)} · ${percent(d.value, all)}`, []);
}
