// One look at the report: a scope, a measure, and what passes the filters.

// makeView returns what state asks for.
function makeView(report, state, colors) {
  const scope = report.scopes.find((s) => s.id === state.scope) || report.scopes[report.first] || emptyScope;
  const m = Math.max(0, measures.indexOf(state.m));
  const per = state.per === "1" && scope.records > 0;
  const v = {
    report, scope, state, m, per,
    line: scope.lineById.get(state.line) || null,
    size: parseSize(state.size),
    query: state.q.toLowerCase().split(/\s+/).filter(Boolean),
    ends: endsUnder(scope, state.under),
    ...binsOf(scope, state.each === "1"),
    total: scope.totals[m],
  };
  v.narrowed = filters.some((k) => state[k] !== "");
  v.colors = colors.of(scope, m);
  return v;
}

// emptyScope stands for a report without any.
const emptyScope = {
  id: "", kind: "process", package: "", name: "", records: 0, iterations: 0, unit: ["record", "records"], process: {},
  totals: [0, 0, 0], runtime: null, bounds: [], sizes: [], sites: [], lineList: [], lineById: new Map(), lines: 0,
  few: [{ lines: 0, sum: 0 }, { lines: 0, sum: 0 }, { lines: 0, sum: 0 }],
};

// parseSize reads a range of size classes, "17-32", both ends included.
function parseSize(s) {
  const match = /^(\d+|Infinity)-(\d+|Infinity)$/.exec(s);
  return match && { low: Number(match[1]), high: Number(match[2]) };
}

function sizeName(size) {
  if (size.low === Infinity || size.high === Infinity) return "above 32 KiB";
  return size.low === size.high ? "size class " + bound(size.high) : `${count(size.low)} to ${count(size.high)} bytes`;
}

// passesSite reports whether a site passes the filters on sites.
function passesSite(v, site, except) {
  const s = v.state;
  return (except.includes("line") || !v.line || site.lineOf === v.line)
    && (except.includes("fn") || !s.fn || site.function === s.fn)
    && (except.includes("pkg") || !s.pkg || site.pkg === s.pkg)
    && (except.includes("cause") || !s.cause || site.cause === s.cause)
    && (except.includes("q") || v.query.every((w) => site.words.includes(w)));
}

// passesClass reports whether a size class passes the filter on sizes.
function passesClass(v, k, except) {
  if (except.includes("size") || !v.size) return true;
  const b = v.scope.bounds[k];
  const high = b === null ? Infinity : b;
  return k >= 0 && high >= v.size.low && high <= v.size.high;
}

// namesSites reports whether a filter asks for certain sites, so that what is
// not shown by itself cannot pass.
function namesSites(v, except) {
  return ["line", "fn", "pkg", "cause", "q"].some((k) => !except.includes(k) && v.state[k]);
}

// collect calls take(site, class, amounts) for all that passes the filters but
// those excepted. The site is null for what the page does not show by itself.
function collect(v, except, take) {
  const rest = !namesSites(v, except);
  if (v.ends && !except.includes("under")) {
    const t = v.scope.tree;
    for (const e of v.ends) {
      const site = t.site[e] < 0 ? null : v.scope.sites[t.site[e]];
      if ((site ? passesSite(v, site, except) : rest) && passesClass(v, t.class[e], except)) take(site, t.class[e], t.amounts[e]);
    }
    return;
  }
  for (const site of v.scope.sites) {
    if (!passesSite(v, site, except)) continue;
    for (const s of site.sizes) {
      if (passesClass(v, s.class, except)) take(site, s.class, s.amounts);
    }
  }
  if (rest && v.scope.rest) {
    for (const [k, ...amounts] of v.scope.rest.sizes) {
      if (passesClass(v, k, except)) take(null, k, amounts);
    }
  }
}

// sumBy adds up what passes, by what key returns of it.
function sumBy(v, except, key) {
  const sums = new Map();
  collect(v, except, (site, k, amounts) => {
    const at = key(site, k);
    sums.set(at, (sums.get(at) || 0) + amounts[v.m]);
  });
  return sums;
}

// value prints an amount of the view's measure: of the scope, or per record.
function value(v, amount) {
  if (v.m === 0) return v.per ? cell(amount, v.scope.records) : count(amount);
  return bytes(v.per ? amount / v.scope.records : amount);
}

// number is value for an axis: the number itself.
function number(v, amount) {
  return v.per ? amount / v.scope.records : amount;
}

// briefValue prints what number returns, in few letters.
function briefValue(v, n) {
  return v.m === 0 ? brief(n) : briefBytes(n);
}

// measureName names what is counted: "allocations", "bytes of memory".
function measureName(v) {
  return ["allocations", "memory", "requested bytes"][v.m];
}

// unitName names it with the record: "allocations per op".
function unitName(v) {
  return v.per ? `${measureName(v)} per ${v.scope.unit[0]}` : measureName(v);
}

// Colours tell the heaviest lines apart, the same line the same colour in every
// chart. A line keeps its colour when the measure changes.
class LineColors {
  constructor() {
    this.scope = null;
    this.at = new Map(); // line to the number of its colour
  }

  // of returns the coloured lines of a scope, heaviest first, as a Map to the
  // numbers of their colours.
  of(scope, m) {
    if (this.scope !== scope.id) {
      this.scope = scope.id;
      this.at = new Map();
    }
    const most = 6;
    const heavy = scope.lineList.filter((l) => l.amounts[m] > 0).sort((a, b) => b.amounts[m] - a.amounts[m]).slice(0, most);
    const used = new Map(heavy.filter((l) => this.at.has(l.id)).map((l) => [l.id, this.at.get(l.id)]));
    const free = [...Array(most).keys()].filter((n) => ![...used.values()].includes(n));
    for (const l of heavy) {
      if (!used.has(l.id)) used.set(l.id, free.shift());
    }
    this.at = used;
    return new Map(heavy.map((l) => [l, used.get(l.id)]));
  }
}
