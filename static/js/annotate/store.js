// @ts-check
// Where unsent answers wait: IndexedDB, else local storage, else this page's memory.

/**
 * @typedef {object} Entry
 * @property {string} id client id of the answer
 * @property {number} seq order in which answers were given
 * @property {string} who the person who gave it
 * @property {string} task address of the series in its campaign
 * @property {string} label "series 12 · steady from 322"
 * @property {Record<string, string>} body what is posted
 */
/**
 * @typedef {object} Store
 * @property {boolean} lasting whether entries outlive the page
 * @property {(entry: Entry) => Promise<void>} put
 * @property {(id: string) => Promise<void>} remove
 * @property {() => Promise<Entry[]>} all
 */

const DATABASE = "plateau"
const TABLE = "outbox"
const PREFIX = "plateau:outbox:"

/** The best that this browser allows. @param {IDBFactory | null} indexed @param {Storage | null} storage @returns {Promise<Store>} */
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

/** @param {IDBFactory} indexed @returns {Promise<IDBDatabase>} */
function openDatabase(indexed) {
  const request = indexed.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" })
  return settled(request)
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** @implements {Store} */
export class IndexedStore {
  lasting = true
  #database

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database
    database.onversionchange = () => database.close()
  }

  /** @param {Entry} entry */
  put(entry) {
    return this.#write((table) => table.put(entry))
  }

  /** @param {string} id */
  remove(id) {
    return this.#write((table) => table.delete(id))
  }

  all() {
    return settled(this.#database.transaction(TABLE).objectStore(TABLE).getAll())
  }

  /** Resolves when the transaction is on disk, not when the request is done. @param {(table: IDBObjectStore) => void} act @returns {Promise<void>} */
  #write(act) {
    const transaction = this.#database.transaction(TABLE, "readwrite", { durability: "strict" })
    act(transaction.objectStore(TABLE))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onerror = transaction.onabort = () => reject(transaction.error)
    })
  }
}

/** @implements {Store} */
export class LocalStore {
  lasting = true
  #storage

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage
  }

  /** @param {Entry} entry */
  async put(entry) {
    this.#storage.setItem(PREFIX + entry.id, JSON.stringify(entry))
  }

  /** @param {string} id */
  async remove(id) {
    this.#storage.removeItem(PREFIX + id)
  }

  /** @returns {Promise<Entry[]>} */
  async all() {
    const keys = Object.keys(this.#storage).filter((key) => key.startsWith(PREFIX))
    return keys.map((key) => JSON.parse(this.#storage.getItem(key) ?? "null")).filter(Boolean)
  }
}

/** @implements {Store} */
export class MemoryStore {
  lasting = false
  /** @type {Map<string, Entry>} */
  #entries = new Map()

  /** @param {Entry} entry */
  async put(entry) {
    this.#entries.set(entry.id, entry)
  }

  /** @param {string} id */
  async remove(id) {
    this.#entries.delete(id)
  }

  async all() {
    return [...this.#entries.values()]
  }
}
