// A link to a part of the page that lies folded opens it, from the page and from elsewhere.

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const fold = named?.closest("details:not(.menu)")
  if (named && fold && !fold.open) { fold.open = true; named.scrollIntoView() }
}

/** Opens the part that the address names, now and whenever it names another. */
export function openNamedFold() {
  window.addEventListener("hashchange", openNamed)
  openNamed()
}
