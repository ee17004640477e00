// Faults of the open page against the rules of pages that a machine can check: one string each.
() => {
  const faults = []
  const shows = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shows)
  const words = (element) => element.textContent.replaceAll(/\s+/g, " ").trim().slice(0, 60)

  const primary = all("main .button-primary, dialog[open] .button-primary")
  if (primary.length > 1) faults.push(`${primary.length} primary buttons: ${primary.map(words).join(", ")}`)

  const ruler = document.createElement("canvas").getContext("2d")
  for (const select of all("main select:not([multiple])")) {
    const style = getComputedStyle(select)
    ruler.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const text = select.selectedOptions[0]?.label ?? ""
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (ruler.measureText(text).width > room + 2) faults.push(`select is cut: ${text}`)
  }

  for (const element of all("main *")) {
    const { overflowX, textOverflow, direction, display } = getComputedStyle(element)
    if (display === "inline" || direction === "rtl" || element.scrollWidth <= element.clientWidth + 1) continue
    if (textOverflow === "ellipsis" && overflowX !== "visible" && words(element) && element.tagName !== "CODE")
      faults.push(`text is cut at its end: ${words(element)}`)
  }

  // Boxes of text and controls that lie over one another, though neither holds the other.
  const boxes = []
  const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || !shows(element)) continue
    if (element.closest("svg, .visually-hidden, dialog, .menu-list, option, noscript, [data-plot-stage], .chart, [aria-hidden=true]")) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    for (const { left, right, top, bottom } of range.getClientRects())
      if (right - left > 2 && bottom - top > 2) boxes.push({ left, right, top, bottom, element })
  }
  boxes.sort((a, b) => a.top - b.top)
  const SLACK = 3 // px by which lines of text may touch
  for (const [at, box] of boxes.entries())
    for (let next = at + 1; next < boxes.length && boxes[next].top < box.bottom - SLACK; next += 1) {
      const other = boxes[next]
      const isBeside = other.left >= box.right - SLACK || other.right <= box.left + SLACK
      const clipped = [box, other].some(({ element }) => element.closest(".scroll, [data-sticky]"))
      if (box.element === other.element) continue // parts of one word, which may be broken
      if (!isBeside && !clipped && other.bottom - other.top > SLACK)
        faults.push(`text lies over text: ${words(box.element)} and ${words(other.element)}`)
    }
  return [...new Set(faults)]
}
