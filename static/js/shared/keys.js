// Which key does what, in every scope: the one source of shortcuts, their dialog and their page.

/** Keys are as `event.key`, "Shift+x" and "Mod+x" (Ctrl or ⌘), or two in a row: "g h".
 * @returns {{keys: string[], does: string, title: string, held: boolean}} held: acts on and on */
const key = (keys, does, title, held = false) => ({ keys: keys.split(" | "), does, title, held })
const repeating = (keys, does, title) => key(keys, does, title, true)

const view = [
  key("y", "range", "Y-range: robust, window, full, plateau"),
  key("p", "range-plateau", "Y-range of the plateau: the band of the last half"),
  key("l", "log", "Logarithmic or linear"),
  key("z", "zoom-mark", "Zoom to the mark ±100"),
  key("0", "whole", "Whole series, robust range"),
  repeating("+ | =", "zoom-in", "Zoom in"),
  repeating("- | −", "zoom-out", "Zoom out"),
  repeating(",", "pan-left", "Back by a quarter of the window"),
  repeating(".", "pan-right", "Forward by a quarter of the window"),
]

const walk = [
  repeating("ArrowLeft", "back-1", "One iteration back"),
  repeating("ArrowRight", "on-1", "One iteration forward"),
  repeating("Shift+ArrowLeft", "back-10", "Ten back"),
  repeating("Shift+ArrowRight", "on-10", "Ten forward"),
]

export const SCOPES = {
  everywhere: {
    title: "Everywhere",
    shortcuts: [
      key("?", "keys", "Keys of this page"),
      key("/", "filter", "Go to the filter"),
      key("g h", "go-home", "Go home"),
      key("g d", "go-data", "Go to data"),
      key("g c", "go-campaigns", "Go to campaigns"),
      key("g v", "go-disagreements", "Go to disagreements"),
      key("g r", "go-runs", "Go to runs"),
      key("g m", "go-compare", "Go to compare"),
      key("Escape", "close", "Close"),
    ],
  },
  list: {
    title: "Lists",
    shortcuts: [
      repeating("j", "next-row", "Next row"),
      repeating("k", "previous-row", "Previous row"),
      key("Enter", "open-row", "Open the row"),
      key("x", "select-row", "Select the row"),
    ],
  },
  outlines: { title: "Picking series by their outlines", shortcuts: [
    repeating("ArrowLeft", "left", "To the left"), repeating("ArrowRight", "right", "To the right"),
    repeating("ArrowUp", "up", "Above"), repeating("ArrowDown", "down", "Below"),
    key("Home", "first", "First of the page"), key("End", "last", "Last of the page"),
    key("PageDown", "on", "Next page"), key("PageUp", "back", "Page before"),
    key("a", "all", "Pick all that match the filters"), key("n", "none", "Pick none of them"),
  ] },
  series: {
    title: "Series",
    shortcuts: [...walk,
      ...view,
      ...Array.from({ length: 9 }, (_, digit) =>
        key(String(digit + 1), `line-${digit + 1}`, `Line ${digit + 1} on or off`)),
      key("a", "all-lines", "All lines"),
      key("o", "only-line", "Only this line"),
      key("[", "previous", "Previous fork"),
      key("]", "next", "Next fork"),
      key("e", "evidence", "Evidence"),
      key("t", "table", "Values as a table"),
      key("m", "yardstick", "Choose the yardstick"),
    ],
  },
  annotate: {
    title: "Annotate",
    shortcuts: [...walk,
      repeating("PageUp", "on-100", "100 on"),
      repeating("PageDown", "back-100", "100 back"),
      repeating("Home", "first", "First iteration"),
      repeating("End", "last", "Last iteration"),
      key("m | Space", "mark", "Mark at the cursor, else in the middle of the window"),
      key("n", "never", "Never steady; no change, where all are asked"),
      key("u", "unclear", "Unclear, with a note"),
      key("f", "unsure", "Unsure on or off"),
      key("c", "note", "Note"),
      ...[1, 2, 3, 4, 5].map((digit) =>
        key(`${digit}`, `difficulty-${digit}`, `Difficulty ${digit}, where it is asked`)),
      key("Enter | Mod+Enter", "save", "Save and next"),
      key("Backspace", "clear", "Withdraw the answer, or the last change"),
      repeating("Mod+z", "undo", "Undo"),
      repeating("Mod+Shift+z", "redo", "Redo"),
      ...view,
      key("g", "jump", "Jump to a series by number"),
      key("[", "previous", "Previous series, without saving"),
      key("]", "next", "Next series, without saving"),
      key("b", "last-saved", "Back to the last one saved"),
      key("s", "skip", "Skip: to the end of my queue"),
      key("i", "guide", "Instructions"),
      key("?", "keys", "All keys"),
      key("Escape", "leave-field", "Close; leave the note"),
    ],
  },
  review: {
    title: "Disagreements",
    shortcuts: [
      key("j", "next", "Next case"),
      key("k", "previous", "Previous case"),
      ...walk,
      ...view,
      ...Array.from({ length: 5 }, (_, digit) =>
        key(String(digit + 1), `mark-${digit + 1}`, `Raise mark ${digit + 1}`)),
      key("d", "detectors", "Detectors on or off"),
      key("a", "accept", "Keep the answer"),
      key("t", "take", "Take another answer"),
      key("r", "look-again", "Ask people again"),
      key("x", "exclude", "Leave the series out"),
      key("s", "skip", "Later: the next case, undecided"),
      key("c", "note", "Note"),
      key("Backspace", "undo", "Undo the last decision"),
      key("b", "present", "Discuss: big type, marks one by one"),
      key("Mod+Enter", "send", "Send what is typed"),
      key("Escape", "leave-field", "Close; leave the field"),
    ],
  },
}

/** Name of a pressed key as the map writes it. */
export function nameOf(event) {
  const name = event.key === " " ? "Space" : event.key
  const mod = event.ctrlKey || event.metaKey
  const long = name.length > 1
  const letter = long ? name : mod ? name.toLowerCase() : name
  return (mod ? "Mod+" : "") + (event.shiftKey && (long || mod) ? "Shift+" : "") + letter
}

/** Shortcut of a key in a scope, or undefined. Scope "everywhere" is asked for by itself. */
export const shortcutOf = (scope, name) =>
  SCOPES[scope]?.shortcuts.find((shortcut) => shortcut.keys.includes(name))

export const actionOf = (scope, name) => shortcutOf(scope, name)?.does

const SIGNS = {
  ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Backspace: "⌫", Enter: "⏎", PageUp: "Page ↑",
  PageDown: "Page ↓", "-": "−", Mod: "Ctrl", Shift: "⇧",
}

/** Signs of a printed key: "Shift+ArrowLeft" gives ["⇧", "←"]. */
export const signs = (name) =>
  (name.length === 1 ? [name] : name.split(/[+ ](?=.)/)).map((part) => SIGNS[part] ?? part)
