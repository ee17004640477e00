// A page as a dialog of the page that leads to it: without script the link leads there.

/** Shows the page of an address over this one; a page that cannot be shown so is gone to. */
export async function showAsDialog(address) {
  const lastBefore = document.body.lastElementChild
  await globalThis.htmx.ajax("GET", address, { target: "body", swap: "beforeend" })
  const dialog = document.body.lastElementChild
  if (dialog === lastBefore || !(dialog instanceof HTMLDialogElement))
    return void location.assign(address)
  dialog.addEventListener("close", () => dialog.remove())
  dialog.showModal()
}
