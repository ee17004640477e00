// Which lines of an overlay a person has chosen in a study: kept in this browser.

/** Lines that were chosen in this study before. @returns {"all" | string[] | null} */
export function remembered(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null")
  } catch {
    return null // storage is off, or holds something else: the page's own lines
  }
}

export function remember(place, chosen) {
  try {
    localStorage.setItem(place, JSON.stringify(chosen))
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
