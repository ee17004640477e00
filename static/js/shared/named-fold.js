// A link to a part of the page that lies folded opens it, from the page and from elsewhere.

function openNamed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const fold = target?.closest("details:not(.menu)")
  if (target && fold && !fold.open) { fold.open = true; target.scrollIntoView() }
}

/** Opens the part that the address names, now and whenever it names another. */
export function openNamedFold() {
  window.addEventListener("hashchange", openNamed)
  openNamed()
}
