// Dark and light, as the system has it or as the reader wants it.

const dark = matchMedia("(prefers-color-scheme: dark)");

// readTheme returns what the reader chose on an earlier page, "" for nothing.
function readTheme() {
  try {
    return localStorage.getItem("alloctop-theme") || "";
  } catch {
    return ""; // a page from disk may have no storage
  }
}

let chosenTheme = readTheme();

// applyTheme puts the theme on the page.
function applyTheme(printing) {
  const name = printing ? "light" : chosenTheme || (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = name;
  const next = { "": "light", light: "dark", dark: "" }[chosenTheme];
  const b = byId("theme");
  fill(b, icon({ "": "auto", light: "sun", dark: "moon" }[chosenTheme]));
  b.title = { "": "Colours: as the system", light: "Colours: light", dark: "Colours: dark" }[chosenTheme];
  b.setAttribute("aria-label", b.title);
  b.onclick = () => {
    chosenTheme = next;
    try {
      localStorage.setItem("alloctop-theme", next);
    } catch { /* it holds for this page only */ }
    applyTheme(false);
    render();
  };
}

// palette reads the colours that the style sheet has for the theme.
function palette() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: get("ink"), muted: get("muted"), line: get("line"), paper: get("paper"), panel: get("panel"), rest: get("rest"), focus: get("focus"),
    lines: [0, 1, 2, 3, 4, 5].map((i) => get("c" + i)),
    heat: [0, 1, 2, 3, 4].map((i) => get("h" + i)), heatInk: [get("h-ink-low"), get("h-ink-high")],
    own: get("flame-own"), std: get("flame-std"), mono: get("mono"), sans: get("sans"),
  };
}

// lineColor is the colour of a line in the view, of all others the same grey.
function lineColor(v, p, line) {
  const n = line ? v.colors.get(line) : undefined;
  return n === undefined ? p.rest : p.lines[n];
}

// fade returns a colour as it is, or close to that of the paper if it is not
// what was chosen.
function fade(color, paper, chosen) {
  return chosen ? color : mix([paper, color], 0.25);
}

// mix returns the colour at t, from 0 to 1, between those of a scale.
function mix(scale, t) {
  const at = t * (scale.length - 1);
  const i = Math.min(Math.floor(at), scale.length - 2);
  const [a, b] = [scale[i], scale[i + 1]].map((c) => parseInt(c.slice(1), 16));
  const part = (shift) => Math.round(((a >> shift) & 255) * (1 - at + i) + ((b >> shift) & 255) * (at - i));
  return "#" + ((1 << 24) | (part(16) << 16) | (part(8) << 8) | part(0)).toString(16).slice(1);
}

// inkOn returns a colour that can be read on another, given as #rrggbb.
function inkOn(color) {
  const n = parseInt(color.slice(1), 16);
  const linear = [n >> 16, (n >> 8) & 255, n & 255].map((c) => {
    c /= 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return light > 0.2 ? "#17191d" : "#ffffff";
}
