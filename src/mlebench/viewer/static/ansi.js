// Terminal colours: SGR sequences become classes; the server has escaped all other control characters.

import { h } from "./dom.js";

const SEQUENCE = /\x1b\[([0-9;:]*)m/g;
const FIRST = { 30: 0, 90: 8 };
// The sixteen colours as red, green, blue; any other colour is shown as the nearest of them, which is legible in both themes.
const SIXTEEN = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [200, 200, 200],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
];

/** The nodes of a line; `state` is the style at its start, and afterwards that at its end. */
export function coloured(text, state = {}) {
  if (!text.includes("\x1b")) return hasStyle(state) ? [span(text, state)] : [text];
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(SEQUENCE)) {
    if (found.index > at) nodes.push(piece(text.slice(at, found.index), state));
    apply(found[1], state);
    at = found.index + found[0].length;
  }
  if (at < text.length) nodes.push(piece(text.slice(at), state));
  return nodes.length > 200 ? [withoutColours(text)] : nodes;
}

/** The text without colours, for searching and copying. */
export function withoutColours(text) {
  return text.replace(SEQUENCE, "");
}

function piece(text, state) {
  return hasStyle(state) ? span(text, state) : text;
}

function hasStyle(state) {
  return Object.values(state).some((value) => value !== undefined && value !== false);
}

function span(text, { front, back, bold, faint, italic, underline }) {
  const classes = [
    front !== undefined && `f${front}`,
    back !== undefined && `g${back}`,
    bold && "bold",
    faint && "faint",
    italic && "italic",
    underline && "underline",
  ];
  return h("span", { class: classes.filter(Boolean).join(" "), text });
}

function apply(codes, state) {
  const numbers = codes.split(/[;:]/).map((code) => Number(code || 0));
  for (let place = 0; place < numbers.length; place += 1) {
    const code = numbers[place];
    if (code === 38 || code === 48) {
      const [colour, used] = extended(numbers.slice(place + 1));
      state[code === 38 ? "front" : "back"] = colour;
      place += used;
    } else simple(code, state);
  }
}

function simple(code, state) {
  if (code === 0) for (const name of Object.keys(state)) delete state[name];
  else if (code === 1) state.bold = true;
  else if (code === 2) state.faint = true;
  else if (code === 3) state.italic = true;
  else if (code === 4) state.underline = true;
  else if (code === 22) {
    state.bold = false;
    state.faint = false;
  } else if (code === 23) state.italic = false;
  else if (code === 24) state.underline = false;
  else if (code === 39) state.front = undefined;
  else if (code === 49) state.back = undefined;
  else {
    for (const [start, base] of Object.entries(FIRST)) {
      const front = code - start;
      if (front >= 0 && front < 8) state.front = base + front;
      if (front >= 10 && front < 18) state.back = base + front - 10;
    }
  }
}

function extended([kind, ...rest]) {
  if (kind === 5) return [from256(rest[0] ?? 0), 2];
  if (kind === 2) return [nearest(rest.slice(0, 3)), 4];
  return [undefined, 1];
}

function from256(number) {
  if (number < 16) return number;
  if (number >= 232) return nearest(Array(3).fill(8 + 10 * (number - 232)));
  const level = (value) => (value ? 55 + 40 * value : 0);
  const cube = number - 16;
  return nearest([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function nearest(colour) {
  const distance = (other) =>
    other.reduce((sum, value, place) => sum + (value - (colour[place] ?? 0)) ** 2, 0);
  return SIXTEEN.reduce(
    (best, other, place) => (distance(other) < distance(SIXTEEN[best]) ? place : best),
    0,
  );
}
