// Replaces nodes of a splay tree that carry payloads, so that old garbage builds up.

import { dice } from "./dice.mjs"

/** Moves the node nearest to `key` to the top; gives the new top. */
function splay(top, key) {
  if (top === null) return null
  const rest = { left: null, right: null }
  let left = rest
  let right = rest
  let node = top
  for (;;) {
    if (key < node.key) {
      if (node.left === null) break
      if (key < node.left.key) {
        const child = node.left
        node.left = child.right
        child.right = node
        node = child
        if (node.left === null) break
      }
      right.left = node
      right = node
      node = node.left
    } else if (key > node.key) {
      if (node.right === null) break
      if (key > node.right.key) {
        const child = node.right
        node.right = child.left
        child.left = node
        node = child
        if (node.right === null) break
      }
      left.right = node
      left = node
      node = node.right
    } else break
  }
  left.right = node.left
  right.left = node.right
  node.left = rest.right
  node.right = rest.left
  return node
}

function insert(top, key, payload) {
  const root = splay(top, key)
  if (root === null) return { key, payload, left: null, right: null }
  if (root.key === key) {
    root.payload = payload
    return root
  }
  const node = { key, payload, left: null, right: null }
  if (key > root.key) {
    node.left = root
    node.right = root.right
    root.right = null
  } else {
    node.right = root
    node.left = root.left
    root.left = null
  }
  return node
}

export function make({ nodes, replaced }) {
  const below = dice(5)
  const payload = (key) => ({ text: `payload ${key}`, values: [key, key + 1, key + 2, key + 3] })
  let root = null
  for (let k = 0; k < nodes; k++) root = insert(root, below(nodes * 4), payload(k))

  return () => {
    let check = 0
    for (let r = 0; r < replaced; r++) {
      const key = below(nodes * 4)
      root = insert(root, key, payload(key))
      check += root.payload.values[0] % 7
    }
    return check
  }
}
