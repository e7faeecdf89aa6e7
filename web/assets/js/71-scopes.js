// Which benchmark, which test, which process?

const kinds = { benchmark: ["benchmark", "benchmarks"], measure: ["measured function", "measured functions"], test: ["test", "tests"], process: ["process", "processes"] };

let scopeQuery = "";

function drawScopes(v) {
  const nav = byId("scopes"), button = byId("scope-button");
  const several = v.report.scopes.length > 1;
  nav.hidden = button.hidden = !several;
  document.body.classList.toggle("several", several);
  if (!several) return;
  fill(button, el("span", { className: "scope-name" }, v.scope.name), el("span", { className: "of" }, `${v.report.scopes.indexOf(v.scope) + 1} of ${v.report.scopes.length}`));
  button.setAttribute("aria-label", `${v.scope.name}; choose another of ${v.report.scopes.length}`);
  const list = el("div", { className: "scope-list" });
  const draw = () => fill(list, groupsOf(v).map(([title, scopes]) => [
    el("h3", {}, title), el("ul", {}, scopes.map((s) => el("li", {}, scopeLink(v, s)))),
  ]));
  draw();
  const had = nav.querySelector("input") === document.activeElement;
  const search = v.report.scopes.length > 12 && el("input", {
    type: "search", placeholder: "Find one of " + v.report.scopes.length, value: scopeQuery, "aria-label": "Find a benchmark, test or process",
    oninput: (e) => { scopeQuery = e.target.value; draw(); },
  });
  const scrolled = nav.scrollTop;
  fill(nav, search, list);
  nav.scrollTop = scrolled;
  if (had && search) search.focus();
}

// groupsOf puts scopes under their kind and package.
function groupsOf(v) {
  const most = 400;
  const groups = new Map();
  const found = v.report.scopes.filter((s) => (s.package + " " + s.name).toLowerCase().includes(scopeQuery.toLowerCase()));
  for (const s of found.slice(0, most)) {
    const title = s.kind === "process" ? "processes" : s.package || kinds[s.kind]?.[1] || s.kind;
    const key = s.kind + "\n" + title;
    if (!groups.has(key)) groups.set(key, [title, []]);
    groups.get(key)[1].push(s);
  }
  if (found.length > most) groups.set("", [`… and ${count(found.length - most)} more; search for them`, []]);
  return [...groups.values()];
}

// scopeLink chooses a scope. The lines of another scope are others, so only the
// way of looking is kept.
function scopeLink(v, s) {
  const per = state.per === "1" && s.records > 0;
  const n = s.totals[v.m];
  const own = { ...v, scope: s, per };
  const button = el("button", {
    type: "button", className: "scope", "aria-current": s === v.scope ? "true" : undefined, title: `${s.package} ${s.name}`,
    onclick: () => {
      byId("scope-button").setAttribute("aria-expanded", "false");
      document.body.classList.remove("choosing");
      go({ scope: s.id, size: "", line: "", fn: "", pkg: "", cause: "", under: "", q: "", calls: "", rows: "" });
      say(`showing ${s.name}`);
    },
  }, el("span", { className: "scope-label" }, breakable(s.name), s.detail && el("small", {}, " " + s.detail)),
  el("span", { className: "scope-value" }, value(own, n), el("small", {}, per ? " /" + cutRight(s.unit[0], 8) : "")));
  return button;
}
