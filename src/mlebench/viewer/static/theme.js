// Light and dark theme: the system's setting unless the user chooses.

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
    // Without storage the choice is kept until the page is closed.
  }
  apply(theme);
  announce(`Theme: ${theme}`);
}
