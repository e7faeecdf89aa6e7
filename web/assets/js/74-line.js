// What is on that line?

function drawLine(v, p) {
  const line = v.line || heaviestLine(v);
  if (!show("line", Boolean(line))) return;
  byId("line-sub").textContent = v.line ? "" : "The heaviest line. A click on another, anywhere on the page, shows that one.";
  const facts = el("div", { className: "facts" },
    el("h3", { className: "line-name" }, swatch(lineColor(v, p, line)), el("span", {}, placeName(line))),
    siteList(v, line));
  fill(byId("line-body"), el("div", { className: "line-grid" }, facts, sourceView(v, p, line)));
  const here = byId("line-body").querySelector(".here");
  if (here) here.closest(".code-scroll").scrollTop = here.offsetTop - 180;
}

function heaviestLine(v) {
  const sums = sumBy(v, [], (site) => site && site.lineOf);
  sums.delete(null);
  return [...sums].sort((a, b) => b[1] - a[1])[0]?.[0];
}

// siteList is what a line allocates, for each cause; the lighter ones of many
// are folded.
function siteList(v, line) {
  const most = 2;
  const sites = [...line.sites].sort((a, b) => b.amounts[v.m] - a.amounts[v.m]);
  const facts = (site) => siteFacts(v, site, sites.length > 1);
  const folded = sites.slice(most);
  return [sites.slice(0, most).map(facts), folded.length > 0 && el("details", { className: "as-table" },
    el("summary", {}, many(folded.length, "other cause on this line", "other causes on this line")), folded.map(facts))];
}

// siteFacts says everything that is known of a site.
function siteFacts(v, site, several) {
  const s = v.scope;
  const all = site.amounts;
  const row = (name, ...text) => el("div", {}, el("dt", {}, name), el("dd", {}, text));
  return el("div", { className: several ? "site several" : "site" },
    el("dl", {},
      row("allocates", el("b", {}, value({ ...v, m: 0 }, all[0])), ` ${unitName({ ...v, m: 0 })}, ${percent(all[0], s.totals[0])} of all`),
      row("takes", `${value({ ...v, m: 1 }, all[1])} of memory, for ${value({ ...v, m: 2 }, all[2])} requested${v.per ? " per " + s.unit[0] : ""}`),
      site.cause && row("cause", el("b", {}, site.cause), v.report.explain[site.cause] && el("span", { className: "muted" }, ": " + v.report.explain[site.cause])),
      site.reason && row("escapes", site.reason),
      row("function", el("code", {}, breakablePath(site.function))),
      site.user && row("from", el("code", {}, breakablePath(site.user)), site.userLines > 1 && ` and ${many(site.userLines - 1, "other line", "other lines")} of your own code`),
      site.types.some((t) => t.name) && row("types", bars(site.types.map((t) => [t.name === null ? "other types" : t.name === "" ? "no type (string or bytes)" : typeName(site, t.name), t.objects]), all[0], v)),
      row("sizes", bars(site.sizes.map((b) => [s.bounds[b.class] === null ? "> 32 KiB" : "≤ " + bound(s.bounds[b.class]), b.amounts[0]]), all[0], v))));
}

// bars is a small table of parts of a whole, the heaviest eight.
function bars(parts, whole, v) {
  const most = 8;
  const list = parts.length > most ? [...parts].sort((a, b) => b[1] - a[1]) : parts;
  const left = list.slice(most).reduce((n, [, x]) => n + x, 0);
  const rows = list.slice(0, most).filter(([, n]) => n > 0);
  if (left) rows.push([`${list.length - most} more`, left]);
  return el("table", { className: "bars" }, rows.map(([name, n]) => el("tr", {},
    el("td", {}, name), el("td", { className: "n" }, value({ ...v, m: 0 }, n)), el("td", { className: "n share" }, percent(n, whole), shareBar(whole ? n / whole : 0)))));
}

// sourceView shows the source around a line, and beside each line of it what
// the lines there make, in the view's measure.
function sourceView(v, p, line) {
  const f = line.source;
  const say = (...text) => el("div", { className: "source missing" }, el("p", { className: "muted" }, text));
  if (!line.file) return say("There is no source of it.");
  if (!v.report.source) return say("The source is not in this page. ", el("code", {}, "--source"), " puts it in, for a page that may show it to whoever gets it.");
  if (!f) return say("The source around this line was left out, to keep the page small.");
  if (f.error) return say(line.file, ": ", f.error, ".");
  const piece = (f.pieces || []).find((x) => x.start <= line.number && line.number < x.start + x.lines.length);
  if (!piece) return say("The file has no line ", String(line.number), ": it changed since the run.");
  const marks = new Map(v.scope.lineList.filter((l) => l.file === line.file).map((l) => [l.number, l]));
  const [from, to] = window80(piece, line.number);
  const rows = [];
  for (let n = from; n <= to; n++) rows.push(sourceRow(v, p, n, piece.lines[n - piece.start], marks.get(n), n === line.number));
  return el("figure", { className: "source" },
    el("figcaption", {}, el("span", { className: "file" }, breakablePath(line.file)), f.note && el("span", { className: "warn-text" }, icon("warn"), f.note)),
    el("div", { className: "code-scroll", tabIndex: 0 }, el("table", { className: "code" }, el("tbody", {}, rows))));
}

// window80 returns the first and last line to show, at most 80.
function window80(piece, number) {
  const last = piece.start + piece.lines.length - 1;
  return [Math.max(piece.start, number - 45), Math.min(last, number + 34)];
}

function sourceRow(v, p, n, tokens, mark, here) {
  const code = el("td", { className: "text" }, chunks(tokens || [], 2).map(([kind, text]) => (kind ? el("span", { className: "tok-" + kind }, text) : text)));
  const heavy = mark && mark.amounts[v.m] > 0;
  return el("tr", { className: here ? "here" : "" },
    el("td", { className: "n cost", title: heavy ? percent(mark.amounts[v.m], v.total) + " of all" : "" },
      heavy && el("button", { type: "button", className: "plain", onclick: () => toggle("line", mark.id) }, value(v, mark.amounts[v.m])), heavy && shareBar(mark.amounts[v.m] / v.total, lineColor(v, p, mark))),
    el("td", { className: "n number" }, String(n)), code);
}

// sourceLine returns the text of a line, "" if the page does not have it.
function sourceLine(line) {
  const piece = (line.source?.pieces || []).find((x) => x.start <= line.number && line.number < x.start + x.lines.length);
  return piece ? (piece.lines[line.number - piece.start] || []).filter((_, i) => i % 2).join("").trim() : "";
}
