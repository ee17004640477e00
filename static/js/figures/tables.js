// A long table stands in a template until somebody opens it: most people look at the drawing alone.

/** Puts the table of a figure into the page. */
export function unpackTable(host) {
  const packed = host.querySelector("template")
  packed?.replaceWith(packed.content)
}

/** Does so as the part of the page that holds the table opens. */
export function unpackOnOpening({ target }) {
  const host = target instanceof HTMLDetailsElement && target.closest("[data-plot]")
  if (host) unpackTable(host)
}
