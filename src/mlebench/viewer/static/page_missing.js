// The page for an unknown address.

import { ServerError } from "./api.js";

export function open(place) {
  throw new ServerError(
    {
      kind: "not-found",
      message: `There is no page ${place.path}.`,
      hint: "Pages: / for all runs, /g/GROUP, /g/GROUP/r/RUN, /c/COMPETITION, /compare, /search.",
    },
    404,
  );
}
