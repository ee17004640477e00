// Traces a small picture of spheres, with shadows and one reflection.

import { dice } from "./dice.mjs"

class Vector {
  constructor(x, y, z) {
    this.x = x
    this.y = y
    this.z = z
  }
  plus(o, times = 1) {
    return new Vector(this.x + o.x * times, this.y + o.y * times, this.z + o.z * times)
  }
  dot(o) {
    return this.x * o.x + this.y * o.y + this.z * o.z
  }
  unit() {
    const length = Math.sqrt(this.dot(this))
    return new Vector(this.x / length, this.y / length, this.z / length)
  }
}

const LIGHT = new Vector(-4, 6, -3).unit()

/** Distance along the ray at which it meets the sphere, or Infinity. */
function meets(sphere, from, along) {
  const to = sphere.centre.plus(from, -1)
  const b = to.dot(along)
  const rest = b * b - to.dot(to) + sphere.radius * sphere.radius
  if (rest < 0) return Infinity
  const distance = b - Math.sqrt(rest)
  return distance > 1e-4 ? distance : Infinity
}

function brightness(spheres, from, along, depth) {
  let nearest = Infinity
  let hit = null
  for (const sphere of spheres) {
    const distance = meets(sphere, from, along)
    if (distance < nearest) {
      nearest = distance
      hit = sphere
    }
  }
  if (hit === null) return 0.1 + 0.1 * Math.max(0, along.y)

  const point = from.plus(along, nearest)
  const normal = point.plus(hit.centre, -1).unit()
  const dark = spheres.some((sphere) => meets(sphere, point, LIGHT) !== Infinity)
  const own = hit.tone * (dark ? 0.1 : Math.max(0.1, normal.dot(LIGHT)))
  if (depth === 0) return own
  const mirrored = along.plus(normal, -2 * along.dot(normal)).unit()
  return own * 0.7 + 0.3 * brightness(spheres, point, mirrored, depth - 1)
}

export function make({ width, spheres }) {
  const below = dice(2)
  const scene = Array.from({ length: spheres }, () => ({
    centre: new Vector(below(80) / 10 - 4, below(60) / 10 - 3, 4 + below(60) / 10),
    radius: 0.4 + below(10) / 10,
    tone: 0.4 + below(6) / 10,
  }))
  const eye = new Vector(0, 0, -4)

  return () => {
    let total = 0
    for (let y = 0; y < width; y++) {
      for (let x = 0; x < width; x++) {
        const along = new Vector((x / width - 0.5) * 1.2, (y / width - 0.5) * 1.2, 1).unit()
        total += brightness(scene, eye, along, 1)
      }
    }
    return Math.round(total * 10)
  }
}
