// Who calls them? Calls from the top down, or from the lines upwards.

const rowHeight = 20;

// endsUnder returns the ends of the call paths that a filter asks for, null for
// all. "d12" is the paths through node 12; "u3.7.9" those that end at site 3,
// called by the function with name 7, called by that with name 9.
function endsUnder(scope, under) {
  const t = scope.tree;
  if (!t || !under) return null;
  const ends = t.node.map((_, e) => e);
  const [first, ...rest] = under.slice(1).split(".").map(Number);
  if (under[0] === "d") {
    if (!(first > 0 && first < t.parent.length)) return null;
    const below = t.parent.map(() => false);
    t.parent.forEach((parent, n) => { below[n] = n === first || (parent >= 0 && below[parent]); }); // parents come first
    return ends.filter((e) => below[t.node[e]]);
  }
  return ends.filter((e) => {
    if (t.site[e] !== first) return false;
    let n = t.node[e];
    return rest.every((name) => {
      const same = n > 0 && t.function[n] === name;
      n = same ? t.parent[n] : -1;
      return same;
    });
  });
}

// underName names what a filter on call paths is about.
function underName(scope, under) {
  const t = scope.tree;
  const [first, ...rest] = under.slice(1).split(".").map(Number);
  if (under[0] === "d") return t.text(t.function[first]);
  return `${scope.sites[first]?.at || "?"} from ${rest.map((name) => t.text(name)).pop() || "?"}`;
}

function drawFlame(v, p) {
  const t = v.scope.tree;
  if (!show("flame", Boolean(t && t.node.length && v.total > 0))) return;
  segmented(byId("flame-direction"), [["down", "From the top"], ["up", "From the lines"]], state.dir, (dir) => go({ dir, under: "" }));
  const search = byId("flame-search");
  if (search !== document.activeElement) search.value = state.calls;
  search.oninput = () => go({ calls: search.value }, true);
  const root = state.dir === "up" ? upwards(v) : downwards(v);
  const zoom = findFrame(root, state.under) || root;
  const frames = layout(root, zoom);
  const query = state.calls.toLowerCase();
  const hits = query ? markHits(root, query) : 0;
  byId("flame-sub").textContent = `${unitName(v)}${query ? `; ${percent(hits, root.sum)} go through calls found` : state.dir === "up" ? ", from each line to its callers" : ", from each caller to what it calls"}`;
  fill(byId("flame-legend"), [[p.own, "calls"], [p.std, "calls in Go's own library"], [p.rest, "lines, the heaviest in their colours"]].map(([c, name]) => el("span", { className: "key" }, swatch(c), name)));
  drawCrumbs(v, zoom);
  const rows = Math.max(...frames.map((f) => f.depth)) + 1;
  byId("flame-plot").style.height = rows * rowHeight + "px";
  const chart = plot("flame-plot", "flame", (width) => flameOption(v, p, frames, root, zoom, query, rows, width));
  chart.again = () => drawFlame(v, p);
  chart.off("click");
  chart.on("click", (e) => chooseFrame(v, frames[e.dataIndex]));
  walkFlame(v, p, chart, frames);
  describe("flame-plot", "Flame graph of call paths, a tree that the arrow keys walk. " + frames.slice(1, 8).map((f) => `${f.name}: ${percent(f.sum, root.sum)}`).join(", "));
}

// frame is one rectangle.
function newFrame(name, parent, key, extra) {
  return { name, parent, key, sum: 0, below: new Map(), depth: parent ? parent.depth + 1 : 0, ...extra };
}

function childFrame(parent, key, make) {
  let f = parent.below.get(key);
  if (!f) {
    f = make();
    parent.below.set(key, f);
  }
  return f;
}

// eachEnd calls take for the ends of paths that pass the filters, but the one on
// paths, which is where the graph zooms in.
function eachEnd(v, take) {
  const t = v.scope.tree;
  const rest = !namesSites(v, []);
  t.node.forEach((node, e) => {
    const site = t.site[e] < 0 ? null : v.scope.sites[t.site[e]];
    const n = t.amounts[e][v.m];
    if (n && (site ? passesSite(v, site, []) : rest) && passesClass(v, t.class[e], [])) take(node, site, n);
  });
}

// downwards is the tree from the roots of the paths.
function downwards(v) {
  const t = v.scope.tree;
  const std = new Set(t.standard);
  const root = newFrame("all", null, "");
  const at = new Map([[0, root]]);
  const frameOf = (node) => {
    if (!at.has(node)) {
      const parent = frameOf(t.parent[node]);
      const name = t.text(t.function[node]);
      at.set(node, childFrame(parent, "d" + node, () => newFrame(name, parent, "d" + node, { std: std.has(node) })));
    }
    return at.get(node);
  };
  eachEnd(v, (node, site, n) => {
    let f = frameOf(node);
    f = site
      ? childFrame(f, "s" + site.index, () => newFrame(frameName(site), f, "s" + site.index, { site }))
      : childFrame(f, "rest", () => newFrame("smaller paths", f, "rest", { small: true }));
    for (; f; f = f.parent) f.sum += n;
  });
  return root;
}

// upwards is the tree from the sites to their callers.
function upwards(v) {
  const t = v.scope.tree;
  const std = new Set(t.standard);
  const root = newFrame("all", null, "");
  eachEnd(v, (node, site, n) => {
    root.sum += n;
    if (!site) {
      childFrame(root, "rest", () => newFrame("smaller paths", root, "rest", { small: true })).sum += n;
      return;
    }
    const first = "u" + site.index;
    let f = childFrame(root, first, () => newFrame(frameName(site), root, first, { site }));
    f.sum += n;
    for (let at = node; at > 0; at = t.parent[at]) {
      const parent = f, key = f.key + "." + t.function[at], own = at;
      f = childFrame(parent, key, () => newFrame(t.text(t.function[own]), parent, key, { std: std.has(own), of: site }));
      f.sum += n;
    }
  });
  return root;
}

// frameName names a site in few letters: "fresh.go:54 string from runes".
function frameName(site) {
  return [site.at.slice(site.at.lastIndexOf("/") + 1), site.cause].filter(Boolean).join(" ");
}

// layout gives each frame that can be seen its place, from 0 to 1: what is
// above the one that is zoomed to over the whole width, what is below by sums.
function layout(root, zoom) {
  const frames = [];
  const path = new Set();
  for (let f = zoom; f; f = f.parent) path.add(f);
  const place = (f, from, width) => {
    f.from = from;
    f.width = width;
    frames.push(f);
    if (width < 1 / 3000) return;
    const inside = path.has(f) && f !== zoom;
    const kids = [...f.below.values()].sort((a, b) => (a.small ? 1 : 0) - (b.small ? 1 : 0) || b.sum - a.sum);
    for (const kid of kids) {
      if (inside && !path.has(kid)) continue;
      const w = inside ? 1 : f.sum ? (width * kid.sum) / f.sum : 0;
      place(kid, from, w);
      from += w;
    }
  };
  place(root, 0, 1);
  return frames.filter((f) => f.width > 1 / 3000);
}

function findFrame(root, key) {
  if (!key) return null;
  const ahead = [root];
  while (ahead.length) {
    const f = ahead.pop();
    if (f.key === key) return f;
    ahead.push(...f.below.values());
  }
  return null;
}

// markHits marks the frames that a search finds, and returns what goes through
// any of them, each path once.
function markHits(f, query) {
  f.hit = f.name.toLowerCase().includes(query);
  let sum = 0;
  for (const kid of f.below.values()) sum += markHits(kid, query);
  return f.hit && f.parent ? f.sum : sum;
}

function flameOption(v, p, frames, root, zoom, query, rows, width) {
  const above = new Set();
  for (let f = zoom.parent; f; f = f.parent) above.add(f);
  const fillOf = (f) => {
    if (!f.parent) return p.line;
    if (f.site) return lineColor(v, p, f.site.lineOf);
    return f.small ? p.rest : f.std ? p.std : p.own;
  };
  return {
    xAxis: { max: 1 }, yAxis: { max: rows },
    tooltip: { formatter: ({ dataIndex }) => frameTip(v, frames[dataIndex], root) },
    series: [{
      coordinateSystem: "cartesian2d", clip: true, encode: { x: [0, 1], y: 2 },
      data: frames.map((f) => [f.from, f.from + f.width, f.depth]),
      renderItem: (params, api) => {
        const f = frames[params.dataIndex];
        const dim = above.has(f) || (query && !f.hit);
        const color = dim ? mix([p.paper, fillOf(f)], 0.35) : fillOf(f);
        return frameShape(p, f, color, f === frames.focus, width);
      },
    }],
  };
}

function frameShape(p, f, color, focused, width) {
  const x = f.from * width, w = Math.max(1, f.width * width - 1);
  const text = w > 26 ? (f.site ? f.name : shortCall(f.name)) : "";
  return {
    type: "rect", shape: { x, y: f.depth * rowHeight, width: w, height: rowHeight - 1, r: 2 },
    style: { fill: color, stroke: focused ? p.focus : undefined, lineWidth: focused ? 3 : 0 },
    emphasis: { style: { stroke: p.ink, lineWidth: 1 } },
    textContent: text ? { style: { text, fill: inkOn(color), fontFamily: p.sans, fontSize: 12, width: w - 8, overflow: "truncate", ellipsis: "…" } } : undefined,
    textConfig: { position: "insideLeft", distance: 5 },
  };
}

function frameTip(v, f, root) {
  if (!f) return "";
  const kind = f.site ? what(f.site).join(" · ") : f.small ? "paths too small to be shown apart" : f.std ? "Go's own library" : "";
  const rows = [["", "of all", percent(f.sum, root.sum)]];
  if (f.parent && f.parent.parent) rows.push(["", "of its " + (state.dir === "up" ? "callee" : "caller"), percent(f.sum, f.parent.sum)]);
  return tip(f.site ? f.site.at : f.name, [value(v, f.sum), kind].filter(Boolean).join(" · "), rows);
}

// chooseFrame filters by what a frame stands for: a line, or all below a call.
function chooseFrame(v, f) {
  if (!f || f.small) return;
  if (!f.parent) go({ under: "", line: "" });
  else if (f.site) toggle("line", f.site.lineOf.id);
  else go({ under: state.under === f.key ? (f.parent.parent && !f.parent.site ? f.parent.key : "") : f.key });
}

// drawCrumbs shows the way from all to where the graph is zoomed in.
function drawCrumbs(v, zoom) {
  const path = [];
  for (let f = zoom; f; f = f.parent) path.unshift(f);
  fill(byId("flame-crumbs"), path.length > 1 && path.map((f, i) => [
    i > 0 && el("span", { className: "muted" }, " › "),
    el("button", { type: "button", className: "plain", disabled: f === zoom, onclick: () => chooseFrame(v, f) }, f.site ? f.name : shortCall(f.name)),
  ]));
}

// walkFlame lets the arrow keys walk the tree.
function walkFlame(v, p, chart, frames) {
  const at = byId("flame-plot");
  const before = at.focusKey;
  frames.focus = frames.find((f) => f.key === before) || null;
  const visit = (f) => {
    if (!f) return;
    frames.focus = f;
    at.focusKey = f.key;
    chart.again();
    at.parentElement.scrollTop = Math.max(0, f.depth * rowHeight - 200);
    byId("flame-says").textContent = `${f.name}, ${percent(f.sum, frames[0].sum)}`;
  };
  at.onkeydown = (e) => {
    const f = frames.focus || frames[0];
    const peers = f.parent ? frames.filter((x) => x.parent === f.parent) : [f];
    const moves = {
      ArrowDown: () => frames.find((x) => x.parent === f), ArrowUp: () => f.parent,
      ArrowRight: () => peers[peers.indexOf(f) + 1], ArrowLeft: () => peers[peers.indexOf(f) - 1],
    };
    if (moves[e.key]) visit(moves[e.key]());
    else if (e.key === "Enter" || e.key === " ") chooseFrame(v, f);
    else return;
    e.preventDefault();
  };
}
