// A search over items that a page shows already: those without its words are hidden.

/** True if every word stands somewhere in an item's words. */
export function fits(text, words) {
  const typedWords = words.toLowerCase()
  return text.toLowerCase().split(/\s+/).every((word) => typedWords.includes(word))
}

/** Hides items (data-filter-items: their selector) that lack the words of a search field. */
export function filterItems(field) {
  const section = field.closest("section, .menu-list, dialog")
  for (const item of section.querySelectorAll(field.dataset.filterItems))
    item.hidden = !fits(field.value, `${item.textContent} ${item.dataset.words ?? ""}`)
}
