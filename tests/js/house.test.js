// What holds for every module of ours.
import assert from "node:assert/strict"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { SHAPES, classesOf, symbolOf } from "../../static/js/chart/symbols.js"

const STATIC = resolve(dirname(fileURLToPath(import.meta.url)), "../../static")
const files = (folder, ending) =>
  readdirSync(join(STATIC, folder), { recursive: true }).filter((name) => name.endsWith(ending)).map((name) => join(STATIC, folder, name))
const modules = files("js", ".js").map((path) => ({ path, name: relative(STATIC, path), text: readFileSync(path, "utf8") }))
const without = (text) => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "")
const guilty = (test) => modules.filter(test).map((one) => one.name)

test("only the plotter names Plotly", () => {
  assert.deepEqual(guilty(({ text }) => /\bPlotly\b/.test(without(text).replace(/"[^"]*"/g, ""))), ["js/shared/plotter.js"])
})

test("no module is longer than 150 lines, and no line than 100 characters", () => {
  const long = modules.flatMap(({ name, text }) =>
    text.split("\n").flatMap((line, at) => (line.length > 100 ? [`${name}:${at + 1}: ${line.length} characters`] : [])))

  assert.deepEqual(guilty(({ text }) => text.split("\n").length > 151), [])
  assert.deepEqual(long, [])
})

test("nothing is inherited but what an error is", () => {
  assert.deepEqual(guilty(({ text }) => /\bextends (?!Error\b)/.test(without(text))), [])
})

test("the server is asked in four places: for answers, values, whole pages and the font", () => {
  const asks = guilty(({ text }) => /(?<![#.\w])fetch\(|XMLHttpRequest|sendBeacon/.test(without(text)))

  assert.deepEqual(asks.sort(), ["js/chart/payload-bytes.js", "js/review/cases.js", "js/shared/api-client.js",
    "js/shared/picture.js"])
})

test("keys are heard in two places: by the keyboard, and by the page for keys of every page", () => {
  const hear = guilty(({ text }) => /(document|window|globalThis)\.addEventListener\(\s*"keydown"/.test(without(text)))

  assert.deepEqual(hear.sort(), ["js/page.js", "js/shared/keyboard.js"])
})

test("text goes in as text: nothing writes markup, nothing evaluates", () => {
  assert.deepEqual(guilty(({ text }) => /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|DOMParser/.test(without(text))), [])
})

test("every import says where it ends, so that hashed names find it", () => {
  assert.deepEqual(guilty(({ text }) => /^(import|export)\b[^\n;]*\bfrom "[^"]+"$/m.test(text)), [])
})

test("every module that is named is there, in types too", () => {
  const missing = modules.flatMap(({ path, name, text }) =>
    [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].filter((found) => !existsSync(resolve(dirname(path), found[1]))).map((found) => `${name}: ${found[1]}`))

  assert.deepEqual(missing, [])
})

test("modules do not stand in a circle, which hashed names could not name", () => {
  const graph = new Map(modules.map(({ path, text }) => [path, [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map((found) => resolve(dirname(path), found[1]))]))
  const circles = []
  const walk = (path, above) => {
    if (above.includes(path)) return circles.push([...above, path].map((one) => relative(STATIC, one)).join(" > "))
    for (const next of graph.get(path) ?? []) walk(next, [...above, path])
  }
  for (const path of graph.keys()) walk(path, [])

  assert.deepEqual(circles, [])
})

test("a feature imports its own modules, charts, figures and what is shared; no other feature's", () => {
  const featureOf = (path) => relative(join(STATIC, "js"), path).split("/")[0]
  const foreign = modules.flatMap(({ path, name, text }) =>
    [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)]
      .filter(([, target]) => !["shared", "chart", "figures", featureOf(path)].includes(featureOf(resolve(dirname(path), target))))
      .map(([, target]) => `${name}: ${target}`))

  assert.deepEqual(foreign, [])
})

test("nothing is asked of another host", () => {
  const all = [...modules, ...files("css", ".css").map((path) => ({ name: relative(STATIC, path), text: readFileSync(path, "utf8") }))]

  assert.deepEqual(all.filter(({ text }) => /https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(without(text))).map((one) => one.name), [])
})

test("the style sheet draws the symbols that the chart draws", () => {
  const css = readFileSync(join(STATIC, "css/method-colours.css"), "utf8")

  assert.deepEqual(SHAPES.filter((d) => css.split(`path d='${d}'`).length < 3), [])
})

test("more slots than twenty have the symbols that pages of the server give them", () => {
  assert.deepEqual([7, 19, 20, 27, 35].map(classesOf), ["slot-7", "slot-19", "slot-0 shape-3", "slot-7 shape-0", "slot-15 shape-18"])
  assert.deepEqual([20, 35].map((slot) => symbolOf({ kind: "detector", slot })), [{ d: SHAPES[3], open: false }, { d: SHAPES[8], open: true }])
})
