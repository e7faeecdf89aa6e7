// What the reader chose. All of it is in the fragment of the address, so that a
// view can be sent, and the browser's way back undoes a choice.

const unset = {
  scope: "", m: "objects", per: "1", size: "", line: "", pkg: "", fn: "", cause: "", q: "",
  under: "", dir: "down", calls: "", sort: "", log: "", each: "", rows: "",
};

// filters are the choices that narrow what is shown, in the order of the chips.
const filters = ["size", "line", "fn", "pkg", "cause", "under", "q"];

let state = { ...unset };

// readState returns the state that an address holds.
function readState() {
  const read = { ...unset };
  for (const [k, v] of new URLSearchParams(location.hash.slice(1))) {
    if (k in unset) read[k] = v;
  }
  return read;
}

// go changes the state. Typing replaces the last step, so that one step back
// undoes a search and not a letter.
function go(change, replace) {
  const next = { ...readState(), ...change };
  const parts = new URLSearchParams();
  for (const [k, v] of Object.entries(next)) {
    if (v !== unset[k] && v !== "") parts.set(k, v);
  }
  const hash = "#" + parts.toString().replace(/%2F/g, "/").replace(/%3A/g, ":");
  if (hash === (location.hash || "#")) return;
  if (replace) location.replace(hash);
  else location.hash = hash;
}

// toggle chooses a value, or nothing if that was chosen already.
function toggle(key, value, also) {
  go({ [key]: state[key] === value ? "" : value, ...also });
}

// clearFilters shows everything.
function clearFilters() {
  go(Object.fromEntries(filters.map((k) => [k, ""])));
}
