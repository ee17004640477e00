// @ts-check
// Starting a run: shows which methods have other parameters than their defaults, and sets them back.

/** The value of a control as text, as the server writes defaults. */
const textOf = (/** @type {HTMLInputElement | HTMLSelectElement} */ control) =>
  control instanceof HTMLInputElement && control.type === "checkbox" ? String(control.checked) : control.value

/** Whether any control holds something else than its default; an empty one means the default. */
export const differs = (/** @type {{value: string, standard: string}[]} */ controls) =>
  controls.some(({ value, standard }) => value !== "" && value !== standard && Number(value) !== Number(standard))

const controlsOf = (/** @type {Element} */ method) =>
  /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...method.querySelectorAll("[data-default]")])

function mark(/** @type {Element} */ method) {
  const values = controlsOf(method).map((each) => ({ value: textOf(each), standard: each.dataset.default ?? "" }))
  for (const dot of method.querySelectorAll("[data-differs]")) /** @type {HTMLElement} */ (dot).hidden = !differs(values)
}

function reset(/** @type {Element} */ method) {
  for (const control of controlsOf(method)) {
    if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = control.dataset.default === "true"
    else control.value = control.dataset.default ?? ""
  }
  mark(method)
  method.querySelector("[data-default]")?.dispatchEvent(new Event("change", { bubbles: true }))
}

const boxesOf = (/** @type {Element} */ part) =>
  /** @type {HTMLInputElement[]} */ ([...part.querySelectorAll("[name=methods]:not(:disabled)")])

/** Whether a button ticks a box that belongs to these groups. */
export const ticks = (/** @type {string} */ button, /** @type {string} */ groups) =>
  button === "all" || groups.split(" ").includes(button)

/** How the box of a family looks: ticked with all its methods, half with some. */
export const half = (/** @type {boolean[]} */ chosen) => ({
  checked: chosen.length > 0 && chosen.every(Boolean),
  indeterminate: chosen.some(Boolean) && !chosen.every(Boolean),
})

function tick(/** @type {Element} */ part, /** @type {(box: HTMLInputElement) => boolean} */ chosen) {
  for (const box of boxesOf(part)) box.checked = chosen(box)
  boxesOf(part)[0]?.dispatchEvent(new Event("change", { bubbles: true }))
}

function showFamilies(/** @type {Element} */ form) {
  for (const family of form.querySelectorAll("[data-family]")) {
    const whole = /** @type {HTMLInputElement} */ (family.querySelector("[data-family-tick]"))
    Object.assign(whole, half(boxesOf(family).map((box) => box.checked)), { disabled: !boxesOf(family).length })
  }
}

function connect(/** @type {Element} */ form) {
  showFamilies(form)
  form.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target)
    const family = "familyTick" in box.dataset && box.closest("[data-family]")
    if (family) return tick(family, () => box.checked)
    showFamilies(form)
  })
  form.addEventListener("input", (event) => {
    const method = /** @type {Element} */ (event.target).closest("[data-method]")
    if (method) mark(method)
  })
  form.addEventListener("click", (event) => {
    const choice = /** @type {HTMLElement?} */ (/** @type {Element} */ (event.target).closest("[data-tick]"))
    if (choice) return tick(form, (box) => ticks(choice.dataset.tick ?? "", box.dataset.groups ?? ""))
    const button = /** @type {Element} */ (event.target).closest("[data-reset]")
    const method = button?.closest("[data-method]")
    if (method) reset(method)
  })
}

if (globalThis.document) document.querySelectorAll("[data-run-form]").forEach(connect)
