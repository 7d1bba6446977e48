// Syntax colours with the CSS highlight API, which needs no extra elements.

const PYTHON =
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case";
const SHELL =
  "if then else elif fi for in do done while until case esac function return exit export local set cd echo source sudo";
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`;
const NUMBER = String.raw`\b(?:0[xXob][\da-fA-F_]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?)\b`;
const words = (list) => String.raw`\b(?:${list.split(" ").join("|")})\b`;

const GRAMMARS = {
  python: new RegExp(
    String.raw`(?<comment>#[^\n]*)|(?<string>[rRbBfFuU]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${STRING}))|(?<keyword>${words(PYTHON)})|(?<number>${NUMBER})|(?<name>(?<=\b(?:def|class)\s)\w+|@[\w.]+)`,
    "g",
  ),
  shell: new RegExp(
    String.raw`(?<comment>(?<=^|\s)#[^\n]*)|(?<string>"(?:[^"\\]|\\.)*"?|'[^']*'?)|(?<name>\$\{[^}\n]*\}|\$[\w@?#*!]+)|(?<keyword>${words(SHELL)})|(?<number>(?<=\s)\d+\b)`,
    "gm",
  ),
  json: new RegExp(
    String.raw`(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"?)|(?<keyword>\b(?:true|false|null)\b)|(?<number>-?${NUMBER})`,
    "g",
  ),
};
const ALIASES = {
  py: "python",
  python3: "python",
  bash: "shell",
  sh: "shell",
  zsh: "shell",
  console: "shell",
  jsonl: "json",
};
const MOST = 200_000;
const can = typeof Highlight === "function" && CSS.highlights;
const registered = {};

/** [kind, start, end] of every coloured token. */
export function tokens(text, language) {
  const grammar = GRAMMARS[ALIASES[language] ?? language];
  if (!grammar || text.length > MOST) return [];
  const found = [];
  for (const match of text.matchAll(grammar)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (match[0]) found.push([kind, match.index, match.index + match[0].length]);
  }
  return found;
}

/** Colour the only text node of an element. */
export function highlight(element, language) {
  if (element.firstChild) mark(element, tokens(element.firstChild.data, language));
}

/** Colour the given tokens; `sweep` drops the colours of elements that were removed. */
export function mark(element, pieces) {
  const node = element.firstChild;
  if (!can || !node) return;
  for (const [kind, start, end] of pieces) {
    registered[kind] ??= register(kind);
    registered[kind].add(
      new StaticRange({
        startContainer: node,
        startOffset: start,
        endContainer: node,
        endOffset: Math.min(end, node.length),
      }),
    );
  }
}

function register(kind) {
  const one = new Highlight();
  CSS.highlights.set(`code-${kind}`, one);
  return one;
}

/** Drop the colours of text that is no longer on the page. */
export function sweep() {
  for (const one of Object.values(registered)) {
    for (const range of one) if (!range.startContainer.isConnected) one.delete(range);
  }
}
