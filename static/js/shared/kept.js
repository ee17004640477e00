// Values that this browser keeps for a person under a name, as JSON.

import { localStorageOrNull } from "./stores.js";

/** Kept value, or null: nothing was kept, storage is off, or it holds something foreign. */
export function keptValue(name, storage = localStorageOrNull()) {
  try {
    return JSON.parse(storage?.getItem(name) ?? "null")
  } catch {
    return null
  }
}

/** True if it is kept; where storage is full or off, it lasts as long as the page. */
export function keep(name, value, storage = localStorageOrNull()) {
  try {
    storage?.setItem(name, JSON.stringify(value))
    return Boolean(storage)
  } catch {
    return false
  }
}
