// Starting a run: shows which methods differ from their defaults, and sets them back.

/** The value of a control as text, as the server writes defaults. */
const textOf = (control) =>
  control instanceof HTMLInputElement && control.type === "checkbox" ? String(control.checked)
    : control.value

/** True if any control differs from its default; an empty one means the default. */
export const differs = (/** @type {{value: string, standard: string}[]} */ controls) =>
  controls.some(({ value, standard }) => value !== "" && value !== standard
    && Number(value) !== Number(standard))

const controlsOf = (method) => [...method.querySelectorAll("[data-default]")]

function mark(method) {
  const values = controlsOf(method)
    .map((field) => ({ value: textOf(field), standard: field.dataset.default ?? "" }))
  for (const dot of method.querySelectorAll("[data-differs]")) dot.hidden = !differs(values)
}

function reset(method) {
  for (const control of controlsOf(method)) {
    if (control instanceof HTMLInputElement && control.type === "checkbox")
      control.checked = control.dataset.default === "true"
    else control.value = control.dataset.default ?? ""
  }
  mark(method)
  method.querySelector("[data-default]")?.dispatchEvent(new Event("change", { bubbles: true }))
}

const boxesOf = (part) =>
  [...part.querySelectorAll("[name=methods]:not(:disabled)")]

/** True if the chosen methods are those of a button, in any order. */
export const sameMethods = (/** @type {string[]} */ slugs, /** @type {string[]} */ chosenSlugs) =>
  slugs.length === chosenSlugs.length && slugs.every((slug) => chosenSlugs.includes(slug))

const slugsOf = (button) => (button.dataset.slugs ?? "").split(" ").filter(Boolean)

/** State of the box of a family: ticked with all its methods, half with some. */
export const half = (chosenCount) => ({
  checked: chosenCount.length > 0 && chosenCount.every(Boolean),
  indeterminate: chosenCount.some(Boolean) && !chosenCount.every(Boolean),
})

/** Number of chosen methods of a family in words: `12 of 14`, or `5` for all of them. */
export const countWords = (/** @type {number} */ chosenCount, /** @type {number} */ allCount) =>
  chosenCount === allCount ? String(allCount) : `${chosenCount} of ${allCount}`

function tick(part, isChosen) {
  for (const box of boxesOf(part)) box.checked = isChosen(box)
  boxesOf(part)[0]?.dispatchEvent(new Event("change", { bubbles: true }))
}

function showFamilies(form) {
  for (const family of form.querySelectorAll("[data-family]")) {
    const tick = family.querySelector("[data-family-tick]")
    const wereChosen = boxesOf(family).map((box) => box.checked)
    const { length } = wereChosen
    Object.assign(tick, half(wereChosen), { disabled: !length, hidden: length < 2 })
    family.querySelector("[data-family-count]").textContent = countWords(
      wereChosen.filter(Boolean).length, family.querySelectorAll("[name=methods]").length)
  }
}

/** Shows at once which button fits; the server says so a moment later. */
function showButtons(form) {
  const chosenSlugs = boxesOf(form).filter((box) => box.checked).map((box) => box.value)
  for (const button of form.querySelectorAll("[data-slugs]"))
    button.setAttribute("aria-pressed", String(sameMethods(slugsOf(button), chosenSlugs)))
}

function connect(form) {
  showFamilies(form)
  form.addEventListener("change", (event) => {
    const box = event.target
    const family = "familyTick" in box.dataset && box.closest("[data-family]")
    if (family) return tick(family, () => box.checked)
    showFamilies(form)
    showButtons(form)
  })
  form.addEventListener("input", (event) => {
    const method = event.target.closest("[data-method]")
    if (method) mark(method)
  })
  form.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-slugs]")
    if (choice) {
      event.preventDefault()
      const slugs = slugsOf(choice)
      return tick(form, (box) => slugs.includes(box.value))
    }
    const button = event.target.closest("[data-reset]")
    const method = button?.closest("[data-method]")
    if (method) reset(method)
  })
}

if (globalThis.document) document.querySelectorAll("[data-run-form]").forEach(connect)
