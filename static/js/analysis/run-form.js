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

function tick(/** @type {Element} */ form, /** @type {boolean} */ chosen) {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=methods]:not(:disabled)"))
  for (const box of boxes) box.checked = chosen
  boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }))
}

function connect(/** @type {Element} */ form) {
  form.addEventListener("input", (event) => {
    const method = /** @type {Element} */ (event.target).closest("[data-method]")
    if (method) mark(method)
  })
  form.addEventListener("click", (event) => {
    const choice = /** @type {HTMLElement?} */ (/** @type {Element} */ (event.target).closest("[data-tick]"))
    if (choice) return tick(form, choice.dataset.tick === "all")
    const button = /** @type {Element} */ (event.target).closest("[data-reset]")
    const method = button?.closest("[data-method]")
    if (method) reset(method)
  })
}

if (globalThis.document) document.querySelectorAll("[data-run-form]").forEach(connect)
