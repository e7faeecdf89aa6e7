// Elements. Text only ever becomes a text node, so a name is a name whatever is
// in it.

const byId = (id) => document.getElementById(id);

// el makes an element. Keys of props that begin with "on" are listeners, those
// with "data-" or "aria-" and role are attributes, the rest are properties.
function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (/^(data-|aria-|role$|scope$|colspan$|for$)/.test(k)) e.setAttribute(k, v);
    else e[k] = v;
  }
  e.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false && c !== ""));
  return e;
}

// fill replaces what is in a container.
function fill(container, ...children) {
  container.replaceChildren(...children.flat(3).filter(Boolean));
}

// swatch is the colour of a line, or of all others.
function swatch(color) {
  const s = el("span", { className: "swatch" });
  s.style.background = color;
  return s;
}

// share is a bar as long as a part of a whole.
function shareBar(part, color) {
  const bar = el("i", { className: "share-bar" });
  bar.style.width = Math.max(0, Math.min(1, part)) * 100 + "%";
  if (color) bar.style.background = color;
  return el("span", { className: "share-track", "aria-hidden": "true" }, bar);
}

// breakable lets a long name break where its parts do, and a path after its
// slashes.
function breakable(name) {
  return withBreaks(name.split(/(?<=[/_=-])|(?<=[a-z0-9])(?=[A-Z])/));
}

function breakablePath(path) {
  return withBreaks(path.split(/(?<=\/)/));
}

function withBreaks(parts) {
  return parts.flatMap((part, i) => (i ? [el("wbr"), part] : [part]));
}

// segmented fills a group of which one is chosen.
function segmented(group, choices, chosen, choose) {
  const buttons = choices.map(([value, text, disabled, why]) => el("button", {
    type: "button", role: "radio", "aria-checked": String(value === chosen),
    tabIndex: value === chosen ? 0 : -1, disabled: Boolean(disabled), title: why || "",
    onclick: () => choose(value), "data-value": value,
  }, text));
  group.onkeydown = (e) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const open = choices.filter((c) => !c[2]);
    const at = open.findIndex((c) => c[0] === chosen);
    choose(open[(at + step + open.length) % open.length][0]);
    group.querySelector("[aria-checked=true]")?.focus();
  };
  const had = group.contains(document.activeElement);
  fill(group, buttons);
  if (had) group.querySelector("[aria-checked=true]")?.focus();
}

// say tells those who do not see the page what changed.
function say(text) {
  byId("says").textContent = text;
}

// icon draws one of a few signs.
function icon(name) {
  const paths = {
    check: "M3 8.5 6.5 12 13 4.5",
    warn: "M8 2 14.5 13.5H1.5ZM8 6.5v3M8 11.5v.2",
    sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
    moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5",
    auto: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 2v12M8 5h3.5M8 8h5.5M8 11h3.5",
    close: "M4 4l8 8M12 4l-8 8",
  };
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "sign");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
