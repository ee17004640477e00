// Colours of figures: names of the style sheets' tokens, as the theme that is on resolves them.

const TOKEN = /^var\(--([\w-]+)\)$/
const SLOT = /^slot-\d+$/

/** Finder of the colour of a token. @param {string} scheme "light" on paper; else the page's */
export function palette(scheme = "") {
  const probe = document.createElement("i")
  probe.hidden = true
  document.body.append(probe)
  if (scheme) probe.style.colorScheme = scheme
  const colourByName = new Map()
  const look = (name) => {
    // A method's colour is what the class of its slot says, as everywhere in pages.
    probe.className = SLOT.test(name) ? name : ""
    probe.style.color = SLOT.test(name) ? "var(--slot-colour)" : `var(--${name})`
    return getComputedStyle(probe).color
  }
  return {
    colour: (name) => colourByName.get(name) ?? colourByName.set(name, look(name)).get(name),
    done: () => probe.remove(),
  }
}

/** A copy of a part of a figure with colours in place of tokens. */
export function coloured(part, colour) {
  if (typeof part === "string") {
    const name = part.startsWith("var(") && TOKEN.exec(part)?.[1]
    return name ? colour(name) : part
  }
  if (Array.isArray(part)) return isPlain(part) ? part : part.map((item) => coloured(item, colour))
  if (part === null || typeof part !== "object") return part
  const entries = Object.entries(part).map(([key, value]) => [key, coloured(value, colour)])
  return Object.fromEntries(entries)
}

/** True for an array of numbers, as most are: none is a colour, as in a pair of a scale. */
const isPlain = (array) => typeof array[0] === "number" && typeof array.at(-1) === "number"
