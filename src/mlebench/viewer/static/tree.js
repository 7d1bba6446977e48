// The search tree of the `tree` agent as an outline: each repair or improvement is below its parent.

import { h, plainTable, put } from "./dom.js";
import { count, duration, score } from "./format.js";
import { highlight, sweep } from "./highlight.js";

const MOST = 150;

/** The outline is created when it is opened for the first time. */
export function treeOutline(tree, isOpen) {
  const nodes = tree.nodes ?? [];
  const best = tree.best === null || tree.best === undefined ? "" : `, best is ${tree.best}`;
  const holder = h(
    "details",
    {
      class: "tree-agent",
      open: isOpen,
      ontoggle: () => {
        if (holder.open && holder.childElementCount === 1) holder.append(...outline(nodes, tree.best));
      },
    },
    h("summary", { text: `Tree of ${count(nodes.length)} solutions${best}` }),
  );
  return holder;
}

function outline(nodes, best) {
  const children = new Map();
  for (const node of nodes)
    children.set(node.parent ?? null, [...(children.get(node.parent ?? null) ?? []), node]);
  const ordered = [];
  const visit = (node, depth) => {
    if (ordered.length >= nodes.length) return;
    ordered.push([node, depth]);
    for (const child of children.get(node.id) ?? []) visit(child, depth + 1);
  };
  for (const node of children.get(null) ?? []) visit(node, 0);
  const detail = h("div", { class: "node", hidden: true, "aria-live": "polite" });
  const rows = ordered
    .slice(0, MOST)
    .map(([node, depth]) => [
      label(node, depth, best, () => show(node, detail)),
      node.stage ?? "—",
      score(node.score),
      duration(node.seconds),
      node.problem ?? node.plan ?? "",
    ]);
  const rest =
    nodes.length > MOST
      ? `The first ${MOST} of ${count(nodes.length)} are shown; all are in logs/tree.json.`
      : "";
  return [
    plainTable(["solution", "stage", "score", "time", "plan or problem"], rows, {
      caption: "Solutions that the agent tried",
      numbers: [2, 3],
    }),
    h("p", { class: "muted", text: rest }),
    detail,
  ];
}

function label(node, depth, best, open) {
  const sign = node.id === best ? " ★ best" : node.is_good ? "" : " failed";
  const button = h("button", {
    type: "button",
    class: "link",
    text: `${depth ? "└ " : ""}${node.id}${sign}`,
    onclick: open,
  });
  button.style.marginLeft = `${Math.min(depth, 12) * 16}px`;
  return button;
}

function show(node, detail) {
  detail.hidden = false;
  const code = h("pre", { class: "code", text: node.code ?? "", tabindex: 0 });
  put(
    detail,
    h("h3", { text: `Solution ${node.id}` }),
    node.plan && h("p", { text: node.plan }),
    node.problem && h("p", { class: "problem", text: node.problem }),
    code,
    node.output && h("pre", { class: "code", text: node.output, tabindex: 0 }),
  );
  highlight(code, "python");
  sweep();
  detail.scrollIntoView({ block: "nearest" });
}
