// The result from an iteration on follows the cursor of the chart, as long as it is shown.

document.addEventListener("plateau:chart", (event) => {
  const chart = event.detail
  chart.options.onCursor = (index) => {
    const panel = document.getElementById("results")?.closest("details")
    const input = document.querySelector("input[id=results-from]")
    if (index === null || !panel?.open || !input || Number(input.value) === index) return
    input.value = String(index)
    input.dispatchEvent(new Event("input", { bubbles: true }))
  }
})
