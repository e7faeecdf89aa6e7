// Numbers as people read them. Nothing is rounded to a claim that it does not
// make: what is not all is not 100 %, and what is not nothing is not 0.

const group = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

// count prints a whole number: "4,800,886".
function count(n) {
  return group.format(n);
}

// many prints a number of things: "1 line", "2,000 lines".
function many(n, one, more) {
  return n === 1 ? "1 " + one : count(n) + " " + more;
}

// decimals prints v with at most n decimals, and at least one.
function decimals(v, n) {
  const [whole, fraction = ""] = v.toFixed(n).split(".");
  return count(Number(whole)) + "." + (fraction.replace(/0+$/, "") || "0");
}

// float prints a positive number with the decimals that matter.
function float(v) {
  if (v >= 100) return decimals(v, 1);
  if (v >= 1) return decimals(v, 2);
  if (v < 1e-6) return "<0.000001";
  return decimals(v, 2 - Math.floor(Math.log10(v)));
}

// ratio prints a/b of counts: "16" if that is exact, else "16.0", "9.98".
function ratio(a, b) {
  if (!b) return "";
  return a % b === 0 ? count(a / b) : float(a / b);
}

// cell prints a/b with two decimals at most: a little is "<0.01".
function cell(a, b) {
  if (a > 0 && b > 0 && a < b) {
    return a / b < 0.01 ? "<0.01" : decimals(a / b, 2);
  }
  return ratio(a, b);
}

// percent prints what part of whole a is: "68.1 %". Only all is 100 %.
function percent(a, whole, digits = 1) {
  const unit = 10 ** -digits;
  const exact = whole ? (a / whole) * 100 : 100;
  const rounded = Math.round(exact / unit) * unit;
  const print = (v) => v.toFixed(digits) + " %";
  if (a === whole) return print(100);
  if (a === 0) return print(0);
  if (a > 0 && rounded < unit / 2) return "<" + print(unit);
  if (a < whole && rounded >= 100 - unit / 2) return print(100 - unit);
  if (a > whole && rounded <= 100 + unit / 2) return print(100 + unit);
  return print(rounded);
}

// bytes prints a size: "664 B", "1.5 KiB".
function bytes(n) {
  if (n > 0 && n < 1) return float(n) + " B";
  if (n < 1024) return decimals(n, 1).replace(/\.0$/, "") + " B";
  for (const unit of ["KiB", "MiB", "GiB"]) {
    n /= 1024;
    if (n < 1023.95) return decimals(n, 1) + " " + unit;
  }
  return decimals(n / 1024, 1) + " TiB";
}

// bound prints the bound of a size class: "512 B", "1 KiB", "1152 B".
function bound(n) {
  return n >= 1024 && n % 1024 === 0 ? n / 1024 + " KiB" : n + " B";
}

// seconds prints a time: "1.23 s", "45.0 ms", "12.3 µs".
function seconds(s) {
  const three = (v) => v.toFixed(v < 9.995 ? 2 : v < 99.95 ? 1 : 0);
  if (s <= 0) return "0 s";
  if (s >= 100) return decimals(s, 1) + " s";
  if (s >= 0.9995) return s.toFixed(2) + " s";
  if (s >= 0.9995e-3) return three(s * 1e3) + " ms";
  if (s >= 0.9995e-6) return three(s * 1e6) + " µs";
  return three(s * 1e9) + " ns";
}

// brief prints a number in the few letters that an axis or a mark has room for:
// "950", "1.2k", "45M", "3.6e-5".
function brief(v) {
  if (v === 0) return "0";
  if (v < 1) return small(v);
  for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (v >= size * 0.9995) return Number((v / size).toPrecision(3)) + unit;
  }
  return String(Number(v.toPrecision(3)));
}

// small prints two digits of a number below 1, with an exponent where that is
// shorter: marks that all say "next to nothing" tell nothing apart.
function small(v) {
  const two = Number(v.toPrecision(2));
  return two < 0.001 ? two.toExponential() : String(two);
}

// briefBytes is brief for sizes.
function briefBytes(v) {
  for (const [size, unit] of [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]]) {
    if (v >= size) return Number((v / size).toPrecision(3)) + " " + unit;
  }
  return (v === 0 ? "0" : v < 0.1 ? small(v) : Number(v.toPrecision(3))) + " B";
}

// cutLeft shortens a path or a name to n letters by its beginning.
function cutLeft(s, n) {
  const letters = [...s];
  if (letters.length <= n) return s;
  const tail = letters.slice(letters.length - n + 1).join("");
  const slash = tail.indexOf("/");
  return "…" + (slash >= 0 && slash < tail.length / 2 ? tail.slice(slash) : tail);
}

// cutRight shortens a text to n letters by its end.
function cutRight(s, n) {
  const letters = [...s];
  return letters.length <= n ? s : letters.slice(0, n - 1).join("") + "…";
}
