// Faults of the open page against the rules that a machine can check, a string each.
async ({ mayBeEmpty, mostControls, answersFirst }) => {
  const MOST_ELEMENTS = 4000 // with all methods on Compare; further folds were opened where the address names one
  const faults = []
  const shows = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(shows)
  const words = (element) => element.textContent.replaceAll(/\s+/g, " ").trim().slice(0, 60)
  const main = document.querySelector("main")
  const floats = (element) => element && (element !== main)
    && (/sticky|fixed/.test(getComputedStyle(element).position) || floats(element.parentElement))

  const primary = shown(".button-primary").filter((button) =>
    button.closest(document.querySelector("dialog[open]") ? "dialog[open]" : "main"))
  if (primary.length > 1)
    faults.push(`${primary.length} primary buttons: ${primary.map(words).join(", ")}`)

  const addresses = shown("main a.button").map((button) => `${words(button)} ${button.href}`)
  for (const [at, address] of addresses.entries())
    if (addresses.indexOf(address) < at) faults.push(`two buttons lead to one place: ${address}`)

  const LEAST_GAP = 8 // px above a heading
  for (const heading of shown("main :is(h2, h3)")) {
    const above = heading.previousElementSibling
    const { top } = heading.getBoundingClientRect()
    const { bottom, height } = above?.getBoundingClientRect() ?? {}
    if (height > 1 && !above.matches("h1, h2, h3") && bottom <= top && top - bottom < LEAST_GAP)
      faults.push(`heading close under what stands above: ${words(heading)}`)
  }

  const controls = shown("main :is(a, button, input, select, textarea, summary):not(:disabled)")
  if (mostControls !== null && controls.length > mostControls)
    faults.push(`${controls.length} controls, at most ${mostControls}`)

  const elements = document.querySelectorAll("*").length
  if (elements > MOST_ELEMENTS && !location.hash) faults.push(`${elements} elements, at most ${MOST_ELEMENTS}`)

  const answer = shown("main .answer")[0]
  const evidence = shown("main :is(table, figure, .filters, .run-family)")[0]
  if (answersFirst && !answer) faults.push("no sentence says the answer")
  if (answersFirst && answer && evidence && answer.getBoundingClientRect().top
    > evidence.getBoundingClientRect().top + (innerWidth < 640 ? 0 : 120))
    faults.push(`the answer stands below ${words(evidence)}`)

  for (const empty of mayBeEmpty ? [] : shown("main .empty")) faults.push(`empty: ${words(empty)}`)

  const ruler = document.createElement("canvas").getContext("2d")
  for (const select of shown("main select:not([multiple])")) {
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select)
    ruler.font = `${fontWeight} ${fontSize} ${fontFamily}` // `font` is empty beside tabular figures
    const text = select.selectedOptions[0]?.label ?? ""
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    if (ruler.measureText(text).width > room + 2) faults.push(`select is cut: ${text}`)
  }

  const DRAWN = "svg, .visually-hidden, dialog, [aria-hidden=true], [data-plot-stage], .chart-stages"
  for (const element of shown("main :not(code)")) {
    if (element.scrollWidth <= element.clientWidth + 1) continue
    const { overflowX, textOverflow, direction, display, clipPath } = getComputedStyle(element)
    if (clipPath !== "none") continue // read aloud alone
    const isCut = textOverflow === "ellipsis" && overflowX !== "visible" && direction === "ltr"
    const isHidden = /hidden|clip/.test(overflowX) && textOverflow === "clip" && !element.closest(DRAWN)
    if (isHidden && !element.querySelector(".visually-hidden") && words(element)) faults.push(`words are cut: ${words(element)}`)
    if (isCut && display !== "inline" && words(element)) faults.push(`end is cut: ${words(element)}`)
  }

  // The first column stays while the rest scrolls.
  for (const cell of shown("main .scroll tbody tr > :first-child:not(:has(.visually-hidden))")) {
    const range = document.createRange()
    range.selectNodeContents(cell)
    if (range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 3)
      faults.push(`a name lies over the next column: ${words(cell)}`)
  }

  const UNREAD = "svg, .visually-hidden, dialog, .menu-list, select, datalist, noscript, .scroll, "
    + "[data-plot-stage], .chart, [aria-hidden=true]"
  const boxes = []
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || !shows(element) || element.closest(UNREAD)) continue
    const head = element.closest("thead")
    if (head && getComputedStyle(head).clipPath !== "none") continue
    if (floats(element)) continue
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    for (const { left, right, top, bottom } of range.getClientRects())
      boxes.push({ left, right, top, bottom, element })
  }
  boxes.sort((a, b) => a.top - b.top)
  const TOUCH = 3 // px by which two texts may touch
  for (const [at, box] of boxes.entries())
    for (let next = at + 1; boxes[next]?.top < box.bottom - TOUCH; next += 1) {
      const other = boxes[next]
      const isBeside = other.left >= box.right - TOUCH || other.right <= box.left + TOUCH
      if (!isBeside && other.element !== box.element && other.bottom - other.top > TOUCH)
        faults.push(`one text over another: ${words(box.element)} | ${words(other.element)}`)
    }

  for (const svg of shown("main svg:not([data-plot-stage] svg, .chart svg)")) {
    const ticks = [...svg.querySelectorAll("text")].filter(shows)
      .map((text) => ({ text, ...text.getBoundingClientRect().toJSON() }))
      .sort((a, b) => a.left - b.left)
    for (const [at, { right, top, bottom, text }] of ticks.entries()) {
      const next = ticks[at + 1]
      if (next && next.left < right - TOUCH && next.top < bottom - TOUCH && next.bottom > top + TOUCH)
        faults.push(`one tick over another: ${words(text)} | ${words(next.text)}`)
    }
  }

  const shift = await new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
    }).observe({ type: "layout-shift", buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 0)))
  })
  if (shift > 0.1 && !location.hash) faults.push(`what came late moved the page by ${shift.toFixed(2)}`)
  return [...new Set(faults)]
}
