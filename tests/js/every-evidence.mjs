// Draws each item of evidence in a file as the series page does, without a browser, and says how many drew.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"

class Node {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [] })
  }
  setAttribute(name, value) {
    this.attributes[name] = value
  }
  append(...children) {
    this.children.push(...children)
  }
  get all() {
    return [this, ...this.children.flatMap((child) => (child instanceof Node ? child.all : []))]
  }
}
globalThis.document = { createElement: (tag) => new Node(tag), createElementNS: (_, tag) => new Node(tag) }

const { drawnPanel, figures, isPlotted } = await import("../../static/js/chart/panels.js")
const { evidenceTable, rowsOf } = await import("../../static/js/chart/evidence-table.js")
const { levelPath, uprights } = await import("../../static/js/chart/scene.js")
const { isEmpty } = await import("../../static/js/chart/evidence.js")

const frame = { plot: { left: 40, top: 20, width: 600, height: 200, stage: 660, narrow: false }, window: [0, 900], n: 900, ticks: true }

function draws(item) {
  if (item.kind === "figures") return figures(item).all.filter((one) => one.tag === "dd").length === item.rows.length && item.rows.length > 0
  if (item.kind === "levels") return levelPath(item.pieces, (x) => x, (y) => y).length > 0 && rowsOf(item).rows.length === item.pieces.length
  if (item.kind === "events") return uprights(item.at, 0, 9).split("M").length - 1 === new Set(item.at).size && rowsOf(item).rows.length === item.at.length
  assert.ok(isPlotted(item), `unknown kind ${item.kind}`)
  const shapes = drawnPanel(item, frame).all
  assert.ok(!shapes.some((one) => Object.values(one.attributes).some((value) => /NaN|Infinity|undefined/.test(String(value)))), `${item.label} is drawn nowhere`)
  assert.ok(evidenceTable(item).all.some((one) => one.tag === "table"))
  if (isEmpty(item)) return true // said in words: none
  const wanted = { curve: "curve", bands: "evidence-band" }[item.kind]
  const marks = shapes.filter((one) => String(one.attributes.class).startsWith(wanted))
  return item.kind === "curve" ? Boolean(marks[0]?.attributes.d) : marks.length === item.spans.length
}

const items = JSON.parse(readFileSync(process.argv[2], "utf8"))
for (const item of items) assert.ok(draws(item), `${item.kind} “${item.label}” draws nothing`)
console.log(JSON.stringify({ drawn: items.length }))
