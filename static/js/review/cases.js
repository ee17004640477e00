// Cases as the server renders them: parts of the page, taken apart into what is put in place.

/**
 * @typedef {{series: any, id: string, name: string, label: string, title: string,
 *   description: string, next: string, previous: string, queue: string, decisions: string,
 *   who: string}} CaseData next: address, empty after the last; decisions: where they are sent
 * @typedef {{url: string, head: HTMLElement, body: HTMLElement, list: HTMLElement | null,
 *   data: CaseData}} Case list: where the whole page was asked for
 */

/** The server asks whoever wants a case to sign in first. */
export class SignedOut extends Error {}

const nodeOf = (part, selector) => part.querySelector(selector)

/** Case that a document shows. @returns {Case} */
export function caseOfPage(page, url) {
  const body = nodeOf(page, "[data-case]")
  if (!body) throw new Error("This case cannot be shown any more. Go back to the list.")
  const data = JSON.parse(nodeOf(body, "#case-data").textContent ?? "{}")
  const [head, list] = [nodeOf(page, "[data-case-head]"), nodeOf(page, "[data-list]")]
  return { url, head, body, list, data }
}

/** The row of an address in the list of the page; null where its case is on another page of it. */
export const rowOf = (url) => {
  const { pathname } = new URL(url, location.href)
  const rows = [...document.querySelectorAll("a[data-listed-case]")]
  return rows.find((row) => new URL(row.href).pathname === pathname) ?? null
}

/** The case behind an address, with the list where it has no row in the one that is shown: the
 * browser itself makes a document of the answer. */
export async function fetched(url) {
  const request = new XMLHttpRequest()
  request.open("GET", url)
  if (rowOf(url)) request.setRequestHeader("HX-Request", "true")
  request.responseType = "document"
  await new Promise((resolve) => {
    request.onloadend = resolve
    request.send()
  })
  const { status, responseURL, responseXML } = request
  if (status === 0)
    throw new Error("The next case was not loaded (network). Try again when the network is back.")
  if (status !== 200 || !responseXML)
    throw new Error(`The case was not loaded (the server answered ${status}).`)
  if (new URL(responseURL).pathname !== new URL(url, location.href).pathname)
    throw new SignedOut("You were signed out.")
  return caseOfPage(responseXML, url)
}

/** An address with the mode of a meeting, or without. */
export function caseAddress(url, presenting) {
  const address = new URL(url, location.href)
  if (presenting) address.searchParams.set("p", "1")
  else address.searchParams.delete("p")
  return address.pathname + address.search
}
