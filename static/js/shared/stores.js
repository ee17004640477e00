// Stores of unsent requests: IndexedDB, else local storage, else this page's memory.

/**
 * @typedef {{id: string, seq: number, who: string, box: string, url: string, label: string,
 *   body: Record<string, string> | [string, string][]} & Record<string, any>} Entry
 *   id: client id of what is sent; seq: order in which it was given; who: by whom; box: where
 * @typedef {{lasting: boolean, put: (entry: Entry) => Promise<void>, all: () => Promise<Entry[]>,
 *   remove: (id: string) => Promise<void>}} Store lasting: whether entries outlive the page
 */

const DATABASE = "plateau"
const TABLE = "outbox"
const PREFIX = "plateau:outbox:"

/** The best store that this browser allows. @returns {Promise<Store>} */
export async function openStore(indexed, storage) {
  if (indexed) {
    try {
      return new IndexedStore(await openDatabase(indexed))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error // forbidden in some private windows
    }
  }
  return storage ? new LocalStore(storage) : new MemoryStore()
}

function openDatabase(indexed) {
  const request = indexed.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" })
  return resultOf(request)
}

const resultOf = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

class IndexedStore {
  lasting = true
  #database

  constructor(database) {
    this.#database = database
    database.onversionchange = () => database.close()
  }

  put(entry) {
    return this.#write((table) => table.put(entry))
  }

  remove(id) {
    return this.#write((table) => table.delete(id))
  }

  all() {
    return resultOf(this.#database.transaction(TABLE).objectStore(TABLE).getAll())
  }

  /** Resolves when the transaction is on disk, not when the request is done. */
  #write(act) {
    const transaction = this.#database.transaction(TABLE, "readwrite", { durability: "strict" })
    act(transaction.objectStore(TABLE))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onerror = transaction.onabort = () => reject(transaction.error)
    })
  }
}

export class LocalStore {
  lasting = true
  #storage

  constructor(storage) {
    this.#storage = storage
  }

  async put(entry) {
    this.#storage.setItem(PREFIX + entry.id, JSON.stringify(entry))
  }

  async remove(id) {
    this.#storage.removeItem(PREFIX + id)
  }

  async all() {
    const keys = Object.keys(this.#storage).filter((key) => key.startsWith(PREFIX))
    return keys.map((key) => JSON.parse(this.#storage.getItem(key) ?? "null")).filter(Boolean)
  }
}

export class MemoryStore {
  lasting = false
  #entries = new Map()

  async put(entry) {
    this.#entries.set(entry.id, entry)
  }

  async remove(id) {
    this.#entries.delete(id)
  }

  async all() {
    return [...this.#entries.values()]
  }
}

/** The browser's local storage, or null where a setting forbids it. */
export function localStorageOrNull() {
  try {
    return globalThis.localStorage ?? null
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
