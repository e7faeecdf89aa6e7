// How many per record, and how bad is it?

function drawHeadline(v, p) {
  const at = byId("headline");
  const s = v.scope;
  if (!v.report.scopes.length) {
    fill(at, el("h1", {}, waiting() ? "Nothing was counted yet" : "Nothing was counted"),
      el("p", { className: "lede" }, waiting() ? "What comes will show by itself." : "The report has no benchmark, no test and no process in it."),
      warnings(v));
    return;
  }
  const lines = topLines(v);
  fill(at,
    el("p", { className: "kicker" }, el("span", { className: "scope-name" }, s.name), s.detail && el("span", {}, s.detail),
      s.package && s.package !== s.name && el("span", {}, s.package)),
    el("h1", {}, sentence(v)),
    el("p", { className: "lede" }, lede(v).map((t, i) => [i > 0 && el("span", { className: "dot" }, " · "), t])),
    s.totals[v.m] > 0 && strip(v, p, lines),
    s.totals[v.m] > 0 && topList(v, p, lines),
    reconciliation(v), warnings(v));
}

// sentence is the finding: "2 lines make 81 % of 20.0 allocations per cell".
function sentence(v) {
  const s = v.scope;
  const whole = wholeText(v);
  if (!v.total) return whole;
  const few = fewLines(v);
  const of = few.cut ? `The ${few.lines} heaviest of ${count(s.lines)} lines make ` : many(few.lines, "line makes ", "lines make ");
  return [el("strong", {}, of.replace(/ makes? $/, "")), of.match(/ makes? $/)[0],
    el("strong", { className: "hot" }, percent(few.sum, v.total, 0)), " of ", el("strong", {}, whole)];
}

// fewLines says how few lines make up most of the measure. Where that takes
// many, it is about those that have a colour.
function fewLines(v) {
  const few = v.scope.few[v.m];
  const most = 10;
  if (few.lines <= most) return few;
  const heavy = [...v.colors.keys()].map((l) => l.amounts[v.m]);
  return { lines: heavy.length, sum: heavy.reduce((a, b) => a + b, 0), cut: true };
}

// wholeText is the whole of a scope: "20.0 allocations per cell".
function wholeText(v) {
  const s = v.scope;
  const unit = v.per ? ` per ${s.unit[0]}` : "";
  if (v.m === 0) {
    const n = v.per ? ratio(s.totals[0], s.records) : count(s.totals[0]);
    if (s.totals[0] === 0) return v.per ? `No allocations per ${s.unit[0]}` : "No allocations";
    return `${n} ${n === "1" ? "allocation" : "allocations"}${unit}`;
  }
  return `${value(v, v.total)}${v.m === 2 ? " requested" : ""}${unit}`;
}

// lede says what a reader asks next: memory, how small, of how many.
function lede(v) {
  const s = v.scope;
  const parts = [];
  const per = v.per ? (n) => bytes(n / s.records) + " per " + s.unit[0] : (n) => bytes(n) + " in all";
  if (v.m === 0 && s.totals[0] > 0) parts.push(per(s.totals[1]));
  if (v.m > 0) parts.push(v.per ? `${ratio(s.totals[0], s.records)} allocations per ${s.unit[0]}` : many(s.totals[0], "allocation", "allocations"));
  const small = s.sizes.reduce((n, [k, o]) => n + (s.bounds[k] !== null && s.bounds[k] <= 32 ? o : 0), 0);
  if (s.totals[0] > 0) parts.push(`${percent(small, s.totals[0])} of the allocations ask for 32 bytes or less`);
  if (s.records > 0) {
    let of = many(s.records, ...s.unit);
    if (s.kind === "benchmark" && s.records !== s.iterations) of += " in " + many(s.iterations, "op", "ops");
    parts.push(v.m === 0 && v.per && s.totals[0] > 0 ? `${many(s.totals[0], "allocation", "allocations")} in ${of}` : of);
  }
  if (s.cost && s.records > 0) parts.push(timeEach(s, s.cost.wall_seconds));
  return parts;
}

// topLines are the lines that the finding is about, and those after them that
// count for something.
function topLines(v) {
  const few = fewLines(v).lines;
  return [...v.colors.keys()].filter((l, i) => i < few || (i < 3 && l.amounts[v.m] >= v.total / 200));
}

// strip is the whole as one bar, a part for each of the heaviest lines.
function strip(v, p, lines) {
  let left = v.total;
  const parts = lines.map((line) => {
    const n = line.amounts[v.m];
    left -= n;
    return stripPart(v, lineColor(v, p, line), n, line, v.line !== null && v.line !== line);
  });
  return el("div", { className: "strip", role: "group", "aria-label": "Shares of the heaviest lines" }, parts,
    left > 0 && stripPart(v, p.rest, left, null, lines.includes(v.line)));
}

function stripPart(v, color, n, line, dim) {
  const text = percent(n, v.total);
  const name = line ? `${line.at}: ${text}` : `all other lines: ${text}`;
  const part = el(line ? "button" : "span", {
    className: "part" + (dim ? " dim" : ""), title: name, "aria-label": name, type: line ? "button" : undefined,
    onclick: line && (() => toggle("line", line.id)), "data-line": line?.id,
  }, n / v.total > 0.07 ? text : "");
  part.style.flexGrow = n / v.total;
  part.style.background = color;
  part.style.color = inkOn(color);
  return part;
}

// topList names the heaviest lines.
function topList(v, p, lines) {
  return el("ol", { className: "top" }, lines.map((line) => {
    const heavy = [...line.sites].sort((a, b) => b.amounts[v.m] - a.amounts[v.m]);
    const more = line.sites.length > 1 ? [`and ${many(line.sites.length - 1, "other cause", "other causes")}`] : [];
    const code = sourceLine(line);
    return el("li", {}, el("button", {
      type: "button", className: "top-line", "aria-pressed": String(v.line === line), onclick: () => toggle("line", line.id), "data-line": line.id,
    },
    swatch(lineColor(v, p, line)),
    el("span", { className: "top-value" }, value(v, line.amounts[v.m])),
    el("span", { className: "top-share" }, percent(line.amounts[v.m], v.total)),
    el("span", { className: "top-text" },
      el("span", { className: "top-at" }, placeName(line)),
      code && el("code", { className: "top-code" }, code),
      el("span", { className: "top-what" }, [...what(heavy[0]), ...more].join(" · ")))));
  }));
}

// placeName is a place with its last part, the file and line, set apart; in as
// many letters as there is room for.
function placeName(line, room = Infinity) {
  const cut = line.at.lastIndexOf("/") + 1;
  const base = line.at.slice(cut);
  let dir = line.at.slice(0, cut);
  if (dir.length + base.length > room) dir = cutLeft(dir, Math.max(8, room - base.length));
  return [el("span", { className: "dir" }, breakablePath(dir)), el("span", { className: "base" }, base)];
}

// reconciliation says what part of all allocations the report knows.
function reconciliation(v) {
  const s = v.scope;
  const n = s.totals[0];
  const mark = (good, text) => el("p", { className: "known " + (good ? "good" : "warn") }, icon(good ? "check" : "warn"), el("span", {}, text));
  if (v.report.engine !== "exact") {
    if (!s.runtime) return mark(false, `${many(n, "allocation has", "allocations have")} a line; how many there were in all is not in the profile`);
    const rest = n < s.runtime.objects ? "; the rest are tiny objects that the runtime's profile does not record" : "";
    return mark(false, `${percent(n, s.runtime.objects)} of ${many(s.runtime.objects, "allocation", "allocations")} have a line${rest}`);
  }
  if (!s.runtime) {
    if (s.own_goroutines && s.cost) return mark(true, `${many(n, "allocation", "allocations")} of its own goroutines; the runtime counts all of a process together`);
    if (s.process.exit === "running") return mark(true, `${many(n, "allocation", "allocations")} so far; the process still runs`);
    return mark(false, `${many(n, "allocation", "allocations")} have a line; the process ended (${exitText(s.process.exit)}) before the runtime's own count could be read: the report is complete up to then`);
  }
  const all = s.runtime.objects;
  return mark(n === all, `attributed ${count(n)} of ${many(all, "allocation", "allocations")} (${percent(n, all, 2)})`);
}

function exitText(exit) {
  return /^\d+$/.test(exit) ? "exit status " + exit : exit || "it is not known how";
}

// warnings are what a reader of the numbers must know.
function warnings(v) {
  const s = v.scope;
  const notes = [...(v.report.notes || []), ...(s.notes || [])];
  if (s.tests?.length) notes.push("these ran in parallel, so they are counted together: " + s.tests.join(", "));
  if (s.kind === "process" && s.runtime && s.process.exit && !["0", "running"].includes(s.process.exit)) notes.push("the process ended with " + exitText(s.process.exit));
  return notes.map((n) => el("p", { className: "known note" }, icon("warn"), el("span", {}, n)));
}
