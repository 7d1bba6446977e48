// Live updates: at most one redraw per second, and a notice when the connection is lost.

import { h, put, announce } from "./dom.js";
import { refresh } from "./store.js";

const SECOND = 1000;
const SILENCE = 25 * SECOND;

let source = null;
let watched = "";
let handlers = {};
let heard = Date.now();
let lost = false;
let pending = null;
let drawn = 0;

/** Receive changes of the index and, on the page of a run, of its state and logs. */
export function watch(run, log, listeners = {}) {
  handlers = listeners;
  const wanted = run ? `?${new URLSearchParams(log ? { run, log } : { run })}` : "";
  if (wanted === watched && source) return;
  watched = wanted;
  connect();
}

function connect() {
  source?.close();
  source = null;
  if (document.hidden) return;
  source = new EventSource(`/api/events${watched}`);
  source.addEventListener("open", () => alive(true));
  source.addEventListener("ping", () => alive());
  source.addEventListener("index", () => {
    alive();
    soon();
  });
  for (const kind of ["run", "log"]) {
    source.addEventListener(kind, (event) => {
      alive();
      handlers[kind]?.(JSON.parse(event.data));
    });
  }
  source.addEventListener("error", () => {
    gone();
    // The browser does not reconnect a refused stream, so we do.
    if (source?.readyState === EventSource.CLOSED) setTimeout(() => document.hidden || connect(), 3 * SECOND);
  });
}

function alive(opened) {
  heard = Date.now();
  if (lost) {
    lost = false;
    announce("Connected again");
  }
  if (opened) soon();
  tell();
}

function gone() {
  if (!lost) announce("Connection to the viewer's server lost; the data may be out of date");
  lost = true;
  tell();
}

function soon() {
  if (pending) return;
  const wait = Math.max(0, drawn + SECOND - Date.now());
  pending = setTimeout(async () => {
    pending = null;
    drawn = Date.now();
    await refresh().catch(gone);
    tell();
  }, wait);
}

function tell() {
  const seconds = Math.round((Date.now() - heard) / SECOND);
  const ago = seconds < 60 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
  put(
    document.getElementById("live"),
    h("span", {
      class: lost ? "lost" : "fresh",
      text: lost ? `connection lost; data of ${ago}, trying again` : `updated ${ago}`,
    }),
  );
}

/** One stream per page, and none while it is hidden: browsers allow six connections per server. */
export function startLive() {
  document.addEventListener("visibilitychange", connect);
  window.addEventListener("pagehide", () => source?.close());
  setInterval(() => {
    if (Date.now() - heard > SILENCE && !document.hidden && !lost) gone();
    tell();
  }, SECOND);
  tell();
}
