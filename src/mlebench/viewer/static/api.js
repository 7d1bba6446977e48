// Requests to the server: returns JSON or throws an error with a message and a hint.

export class ServerError extends Error {
  constructor({ kind, message, hint, ...rest }, status) {
    super(message);
    Object.assign(this, { kind, hint, status, details: rest });
  }
}

/** Repeats the request while the server is still reading a large file. */
export async function get(path, query = {}, signal, tries = 60) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const address = given.length ? `${path}?${new URLSearchParams(given)}` : path;
  let answer;
  try {
    answer = await fetch(address, { signal, headers: { Accept: "application/json" } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(
      {
        kind: "connection",
        message: "The viewer's server does not answer.",
        hint: "Is `mlebench view` still running? The page continues when it is back.",
      },
      0,
    );
  }
  const body = await answer.json().catch(() => null);
  if (answer.status === 503 && tries > 0) {
    await new Promise((done) => setTimeout(done, 1000));
    return get(path, query, signal, tries - 1);
  }
  if (answer.ok && body !== null) return body;
  throw new ServerError(
    body?.error ?? { kind: "server", message: `The server answered ${answer.status} without a reason.` },
    answer.status,
  );
}

export const groupPath = (group) => `/g/${encodeURIComponent(group)}`;
export const runPath = (group, key, tab) =>
  `${groupPath(group)}/r/${encodeURIComponent(key)}${tab ? `/${tab}` : ""}`;
export const competitionPath = (id) => `/c/${encodeURIComponent(id)}`;
