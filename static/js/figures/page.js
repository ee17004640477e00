// Every figure of a page: drawn as it comes into view, again by size, theme and for paper.

import { plotter } from "../shared/plotter.js";
import { DrawnFigure } from "./drawn-figure.js";
import { unpackOnOpening, unpackTable } from "./tables.js";

const AHEAD = "200px" // before it is in view

const figures = new WeakMap()

/** The figure in a frame, once connected. */
export const figureIn = (host) => figures.get(host)

const hosts = () => [...document.querySelectorAll("[data-plot]")]
const library = () => document.querySelector("meta[name=figure-library]")?.getAttribute("content")

/** Draws a figure that is not drawn yet; without the library its table stands for it. */
export async function drawFigure(host) {
  try {
    await plotter.load(library())
  } catch {
    return host.querySelector("details")?.setAttribute("open", "") // the table has the figures
  }
  if (figures.get(host)?.graph === null) figures.get(host)?.draw()
}

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) {
    observer.unobserve(target)
    void drawFigure(target)
  }
}, { rootMargin: AHEAD })

const sized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const figure = figures.get(/** @type {HTMLElement} */ (target.closest("[data-plot]")))
    if (figure?.graph && figure.drawnWidth !== figure.width) figure.draw()
  }
})

const drawnGraphs = () => hosts().flatMap((host) => {
  const figure = figures.get(host)
  return figure?.graph ? [figure] : []
})

const again = () => drawnGraphs().forEach((figure) => figure.draw())

function fold() {
  for (const part of unfolded) part.open = false
  again()
}

/** Connects the figures of the page that are not yet. */
export function connectFigures() {
  for (const host of hosts()) {
    if (figures.has(host)) continue
    const figure = new DrawnFigure(host)
    figures.set(host, figure)
    observer.observe(host)
    sized.observe(figure.stage)
  }
}

/** @type {HTMLDetailsElement[]} parts of a page or a report that are open for paper alone */
let unfolded = []

/** Opens everything on paper, in the colours of paper. */
function print() {
  const tableFilter = plotter.isReady ? ":not([data-plot] details)" : "" // tables stand for others
  const folds = `.report details, .page-fold, .page-fold details${tableFilter}`
  unfolded = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(folds)])
    .filter((part) => !part.open)
  for (const part of unfolded) part.open = true
  if (document.querySelector(".report")) hosts().forEach(unpackTable)
  if (plotter.isReady) for (const host of hosts()) figures.get(host)?.draw("light")
}

/** Fetches the library while nothing else is to do, so that the first figure need not wait. */
function prepare() {
  const idle = globalThis.requestIdleCallback ?? setTimeout
  const show = (host) => host.checkVisibility()
  idle(() => hosts().some(show) && plotter.load(library()).catch(() => {}))
}

if (globalThis.document) {
  connectFigures()
  if (document.readyState === "complete") prepare()
  else addEventListener("load", prepare)
  document.addEventListener("toggle", unpackOnOpening, true) // which does not bubble
  addEventListener("beforeprint", print)
  addEventListener("afterprint", fold)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again)
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] })
  document.addEventListener("htmx:after:swap", connectFigures)
}
