// A page as a dialog of the page that leads to it: without script the link leads there.

/** Shows the page of an address over this one; a page that cannot be shown so is gone to. */
export async function ask(address) {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } })
  document.body.insertAdjacentHTML("beforeend", await answer.text())
  const dialog = document.body.lastElementChild
  if (!answer.ok || !dialog.matches("dialog")) return void location.assign(address)
  dialog.addEventListener("close", () => dialog.remove())
  dialog.showModal()
}
