// Light and dark: the system's wish until the reader says otherwise.

import { announce } from "./dom.js";

const ORDER = ["system", "light", "dark"];

function remembered() {
  try {
    return localStorage.getItem("theme") ?? "system";
  } catch {
    return "system";
  }
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  if (button) button.textContent = { light: "Light", dark: "Dark" }[theme] ?? "Theme";
}

export function restoreTheme() {
  apply(remembered());
}

export function cycleTheme() {
  const theme = ORDER[(ORDER.indexOf(remembered()) + 1) % ORDER.length];
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  apply(theme);
  announce(`Theme: ${theme}`);
}
