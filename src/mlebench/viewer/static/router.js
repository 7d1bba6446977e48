// Addresses: the page of a path, and navigation without a reload.

const ROUTES = [
  [/^\/$/, "groups", []],
  [/^\/g\/([^/]+)$/, "group", ["group"]],
  [/^\/g\/([^/]+)\/r\/([^/]+)(?:\/([a-z]+))?$/, "run", ["group", "key", "tab"]],
  [/^\/c\/([^/]+)$/, "competition", ["id"]],
  [/^\/compare$/, "compare", []],
  [/^\/search$/, "search", []],
];

export function route(address = location) {
  const path = address.pathname.replace(/(.)\/+$/, "$1");
  const found = {
    page: "missing",
    parameters: {},
    path,
    query: new URLSearchParams(address.search),
    hash: address.hash,
  };
  for (const [pattern, page, names] of ROUTES) {
    const match = pattern.exec(path);
    if (!match) continue;
    names.forEach((name, number) => {
      found.parameters[name] = decoded(match[number + 1]);
    });
    return { ...found, page };
  }
  return found;
}

function decoded(text) {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

let moved = () => {};

export function onMove(listener) {
  moved = listener;
  window.addEventListener("popstate", () => moved(route()));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.hasAttribute("download")) return;
    const address = new URL(link.href, location.href);
    if (address.origin !== location.origin || address.pathname.startsWith("/raw/")) return;
    if (link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    go(address.pathname + address.search + address.hash);
  });
}

export function go(address) {
  if (address !== location.pathname + location.search + location.hash) {
    history.replaceState({ ...history.state, scroll: window.scrollY }, "");
    history.pushState({}, "", address);
  }
  moved(route());
}

/** Change the query or hash of this page without a new entry in the history. */
export function amend({ query, hash } = {}) {
  const text = query ? query.toString() : location.search.slice(1);
  const mark = hash ?? location.hash;
  history.replaceState(history.state, "", `${location.pathname}${text ? `?${text}` : ""}${mark}`);
}
