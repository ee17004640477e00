// Dropping files on the import page. Works without script.

/** All files of what was dropped, folders searched through. */
async function filesOf(dropped) {
  // Entries must be taken at once: after the event they are gone.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.())
  if (!entries.some((entry) => entry?.isDirectory)) return [...dropped.files]
  return (await Promise.all(entries.map(inside))).flat()
}

async function inside(entry) {
  if (!entry) return []
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))]
  const reader = entry.createReader()
  const entries = []
  // A reader gives a hundred at a time, and nothing at the end.
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (!batch.length) return (await Promise.all(entries.map(inside))).flat()
    entries.push(...batch)
  }
}

/** `3 files, 1.2 MB`. */
export function fileCountWords(/** @type {{size: number}[]} */ files) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const size = bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`
  return `${files.length} file${files.length === 1 ? "" : "s"}, ${size}`
}

/** Why so much cannot be sent at once; empty if it can. The server says the same, afterwards. */
export function tooMuch(/** @type {{size: number}[]} */ files, mostFiles, mostBytes) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  const isTooMuch = files.length > mostFiles || bytes > mostBytes
  const limit = files.length > mostFiles ? `${mostFiles} files`
    : `${Math.floor(mostBytes / 1e6)} MB`
  if (!isTooMuch) return ""
  return `These are ${fileCountWords(files)}, and at most ${limit} fit into one upload. `
    + "Nothing was sent; choose fewer of them, or use manage.py import_series with their folder."
}

export function connect(form) {
  const area = form.querySelector("[data-drop]")
  const field = form.querySelector("[data-drop-files]")
  const status = form.querySelector("[data-import-status]")

  const mark = (on) => area.toggleAttribute("data-over", on)
  for (const kind of ["dragenter", "dragover"])
    area.addEventListener(kind, (event) => {
      event.preventDefault()
      mark(true)
    })
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget)) mark(false)
  })
  area.addEventListener("drop", async (event) => {
    event.preventDefault()
    mark(false)
    if (!event.dataTransfer) return
    const files = new DataTransfer()
    for (const file of await filesOf(event.dataTransfer)) files.items.add(file)
    field.files = files.files
    field.dispatchEvent(new Event("change"))
  })
  // Choosing is all there is to do here: what is in the files comes next.
  field.addEventListener("change", () => field.files?.length && form.requestSubmit())
  form.addEventListener("submit", (event) => {
    const files = [...(field.files ?? [])]
    const refused = tooMuch(files, Number(form.dataset.mostFiles), Number(form.dataset.mostBytes))
    status.classList.toggle("bad", refused !== "")
    if (refused) {
      event.preventDefault() // what was chosen stays chosen
      status.textContent = `▲ ${refused}`
      return
    }
    status.textContent = files.length ? `Reading ${fileCountWords(files)} …` : "Reading …"
  })
}

if (globalThis.document)
  for (const form of document.querySelectorAll("[data-import]")) connect(form)
