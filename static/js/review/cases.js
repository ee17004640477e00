// @ts-check
// Cases as the server renders them: a whole page by its address, taken apart into what is put in place.

/**
 * @typedef {object} CaseData what the page says of a case to the script
 * @property {any} series for the chart
 * @property {string} id
 * @property {string} name
 * @property {string} next address of the next case; empty after the last
 * @property {string} previous
 * @property {string} decisions where decisions are sent
 * @property {string} queue
 * @property {string} who
 */
/** @typedef {{url: string, head: HTMLElement, body: HTMLElement, title: string, label: string, file: string, description: string, data: CaseData}} Case */

const read = (/** @type {ParentNode} */ place, /** @type {string} */ selector) => /** @type {HTMLElement} */ (place.querySelector(selector))

/** What a document shows of a case. @param {Document} page @param {string} url @returns {Case} */
export function taken(page, url) {
  const body = read(page, "[data-case]")
  if (!body) throw new Error("This case cannot be shown any more. Go back to the queue.")
  const figure = read(page, "[data-chart]")
  return {
    url,
    head: read(page, "[data-case-head]"),
    body,
    title: page.title,
    label: figure.getAttribute("aria-label") ?? "",
    file: figure.dataset.chartName ?? "",
    description: read(figure, "#chart-description")?.textContent ?? "",
    data: JSON.parse(read(body, "#case-data").textContent ?? "{}"),
  }
}

/** The case behind an address, asked of the server: the browser itself makes a document of the answer. @param {string} url @returns {Promise<Case>} */
export async function fetched(url) {
  const request = new XMLHttpRequest()
  request.open("GET", url)
  request.responseType = "document"
  await new Promise((done) => {
    request.onloadend = done
    request.send()
  })
  const { status, responseURL, responseXML } = request
  if (status === 0) throw new Error("The next case did not arrive (network). Try again when the network is back.")
  if (status !== 200 || !responseXML) throw new Error(`The case did not arrive (the server answered ${status}).`)
  if (new URL(responseURL).pathname !== new URL(url, location.href).pathname) throw new Error("You were signed out. Reload the page to sign in.")
  return taken(responseXML, url)
}

/** An address with the mode of a meeting, or without. @param {string} url @param {boolean} presenting */
export function addressed(url, presenting) {
  const address = new URL(url, location.href)
  if (presenting) address.searchParams.set("p", "1")
  else address.searchParams.delete("p")
  return address.pathname + address.search
}
