// A line at the top while a fragment is fetched, after 150 ms; the fragment is busy meanwhile.

const PATIENCE = 150

/** Shows the line while at least one request has been under way for longer than the patience. */
export function connectLines() {
  let requestCount = 0
  let timer = 0
  const line = document.createElement("div")
  line.className = "line"
  line.hidden = true
  document.body.append(line)

  document.addEventListener("htmx:before:request", (event) => {
    const target = event.detail?.ctx?.target
    if (target instanceof Element) target.setAttribute("aria-busy", "true")
    requestCount += 1
    timer ||= window.setTimeout(() => (line.hidden = requestCount === 0), PATIENCE)
  })
  document.addEventListener("htmx:finally:request", (event) => {
    const target = event.detail?.ctx?.target
    if (target instanceof Element) target.removeAttribute("aria-busy")
    requestCount = Math.max(0, requestCount - 1)
    if (requestCount) return
    clearTimeout(timer)
    timer = 0
    line.hidden = true
  })
}
