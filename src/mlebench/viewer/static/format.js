// Numbers, times and outcomes as text.

const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const sums = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const NONE = "—";

export const OUTCOMES = {
  G: { letter: "G", word: "gold", order: 0 },
  S: { letter: "S", word: "silver", order: 1 },
  B: { letter: "B", word: "bronze", order: 2 },
  "+": { letter: "+", word: "above median", order: 3 },
  "-": { letter: "–", word: "below median", order: 4 },
  x: { letter: "×", word: "invalid", order: 5 },
  "!": { letter: "!", word: "failed", order: 6 },
  r: { letter: "▸", word: "running", order: 7 },
  ".": { letter: "·", word: "waiting", order: 8 },
  c: { letter: "c", word: "cancelled", order: 9 },
};

export const UNCERTAIN = "uncertain: a medal cut is inside the 95 % interval of the score";

/** The CSS class of an outcome, because letters such as + cannot be part of one. */
export function outcomeClass(letter) {
  return `o-${(OUTCOMES[letter] ?? OUTCOMES["!"]).word.replace(" ", "-")}`;
}

export function count(value) {
  return isNumber(value) ? counts.format(value) : NONE;
}

/** Scores as graded: five decimals. */
export function score(value) {
  if (!isNumber(value)) return NONE;
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e9 || size < 1e-5) ? value.toPrecision(6) : value.toFixed(5);
}

export function duration(seconds) {
  if (!isNumber(seconds)) return NONE;
  // Rounded down: a run of 59.9 s did not take a minute.
  if (seconds < 10) return `${Math.floor(seconds * 10) / 10} s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${whole % 60} s`;
  const minutes = Math.floor((whole % 3600) / 60);
  return `${counts.format(Math.floor(whole / 3600))} h${minutes ? ` ${minutes} m` : ""}`;
}

export function money(value) {
  return isNumber(value) ? `$${sums.format(value)}` : NONE;
}

/** A large count, shortened: 1.2 M. */
export function short(value) {
  if (!isNumber(value)) return NONE;
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ]) {
    if (value >= size) return `${(value / size).toFixed(value < 10 * size ? 1 : 0)} ${letter}`;
  }
  return String(Math.round(value));
}

export function bytes(value) {
  if (!isNumber(value)) return NONE;
  if (value < 1000) return `${value} B`;
  for (const [size, unit] of [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ]) {
    if (value >= size) return `${(value / size).toFixed(value < 10 * size ? 1 : 0)} ${unit}`;
  }
  return String(value);
}

export function percent(value, digits = 1) {
  return isNumber(value) ? `${value.toFixed(digits)} %` : NONE;
}

/** `41.7 % ± 2.1`; without an error for one seed. */
export function estimate({ mean, error, standard_error: other } = {}) {
  error ??= other;
  return isNumber(error) ? `${percent(mean)} ± ${error.toFixed(1)}` : percent(mean);
}

/** A time in the user's time zone; `utc` is for the tooltip. */
export function time(value) {
  const date = asDate(value);
  if (!date) return NONE;
  const two = (number) => String(number).padStart(2, "0");
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}`
  );
}

export function utc(value) {
  const date = asDate(value);
  return date ? `${date.toISOString().slice(0, 19).replace("T", " ")} UTC` : "";
}

export function asDate(value) {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(typeof value === "number" ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? null : date;
}

export function plural(number, word) {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

export function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** Any JSON value as one readable line. */
export function plain(value) {
  if (value === null || value === undefined) return NONE;
  if (Array.isArray(value)) return value.map(plain).join(", ") || NONE;
  if (typeof value === "object") {
    return (
      Object.entries(value)
        .map(([name, inner]) => `${name} ${plain(inner)}`)
        .join(", ") || NONE
    );
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return isNumber(value) && Number.isInteger(value) ? count(value) : String(value);
}
