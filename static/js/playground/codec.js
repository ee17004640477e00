// Values as they travel: base64 of little-endian floats, which is what every browser's machine is.

/** Floats of 4 or 8 bytes. 
 * @returns {Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>} */
export function decoded(text, bytes) {
  const raw = atob(text)
  const data = new Uint8Array(raw.length)
  for (let index = 0; index < raw.length; index++) data[index] = raw.charCodeAt(index)
  return bytes === 8 ? new Float64Array(data.buffer) : new Float32Array(data.buffer)
}

/** The series as the chart takes it: values, where it brought some, divided by its scale. */
export function forChart(drawn) {
  if (typeof drawn.values !== "string") return drawn
  const values = decoded(drawn.values, drawn.bytes)
  return { ...drawn, values: drawn.bytes === 8
    ? Float32Array.from(values, (value) => value / drawn.scale) : values }
}
