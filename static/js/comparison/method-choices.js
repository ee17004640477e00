// The menu of methods: those that a search leaves, and all or none of these at once.

/** Whether every word stands somewhere in a method's words. */
export function fits(text, words) {
  const there = words.toLowerCase()
  return text.toLowerCase().split(/\s+/).every((word) => there.includes(word))
}

/** Connects the search of the menu, once. */
export function connectMethodChoices() {
  const search = document.querySelector("[data-method-search][hidden]")
  const input = search?.querySelector("input")
  const menu = search?.closest(".menu-list")
  if (!search || !input || !menu) return
  search.removeAttribute("hidden")
  const choices = [...menu.querySelectorAll(".choice")]
  input.addEventListener("input", () => {
    for (const each of choices) each.hidden = !fits(input.value, each.textContent ?? "")
  })
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault() // it searches, and compares nothing yet
  })
  search.addEventListener("click", ({ target }) => {
    const wanted = target instanceof HTMLElement && target.dataset.check
    if (!wanted) return
    for (const each of choices) {
      const box = each.querySelector("input")
      if (box && !each.hidden) box.checked = wanted === "all"
    }
  })
}
