// Starting a run: shows which methods differ from their defaults, and sets them back.

/** The value of a control as text, as the server writes defaults. */
const textOf = (control) =>
  control instanceof HTMLInputElement && control.type === "checkbox" ? String(control.checked)
    : control.value

/** Whether any control holds something else than its default; an empty one means the default. */
export const differs = (/** @type {{value: string, standard: string}[]} */ controls) =>
  controls.some(({ value, standard }) => value !== "" && value !== standard
    && Number(value) !== Number(standard))

const controlsOf = (method) => [...method.querySelectorAll("[data-default]")]

function mark(method) {
  const values = controlsOf(method)
    .map((each) => ({ value: textOf(each), standard: each.dataset.default ?? "" }))
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

/** Whether a button ticks a box that belongs to these groups. */
export const ticks = (button, groups) => button === "all" || groups.split(" ").includes(button)

/** How the box of a family looks: ticked with all its methods, half with some. */
export const half = (chosen) => ({
  checked: chosen.length > 0 && chosen.every(Boolean),
  indeterminate: chosen.some(Boolean) && !chosen.every(Boolean),
})

function tick(part, chosen) {
  for (const box of boxesOf(part)) box.checked = chosen(box)
  boxesOf(part)[0]?.dispatchEvent(new Event("change", { bubbles: true }))
}

function showFamilies(form) {
  for (const family of form.querySelectorAll("[data-family]")) {
    const whole = family.querySelector("[data-family-tick]")
    Object.assign(whole, half(boxesOf(family).map((box) => box.checked)),
      { disabled: !boxesOf(family).length })
  }
}

function connect(form) {
  showFamilies(form)
  form.addEventListener("change", (event) => {
    const box = event.target
    const family = "familyTick" in box.dataset && box.closest("[data-family]")
    if (family) return tick(family, () => box.checked)
    showFamilies(form)
  })
  form.addEventListener("input", (event) => {
    const method = event.target.closest("[data-method]")
    if (method) mark(method)
  })
  form.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-tick]")
    if (choice) return tick(form, (box) => ticks(choice.dataset.tick ?? "", box.dataset.groups
      ?? ""))
    const button = event.target.closest("[data-reset]")
    const method = button?.closest("[data-method]")
    if (method) reset(method)
  })
}

if (globalThis.document) document.querySelectorAll("[data-run-form]").forEach(connect)
