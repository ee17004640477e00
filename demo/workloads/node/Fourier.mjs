// Transforms a signal with the fast Fourier transform on typed arrays, and back again.

export function make({ size }) {
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  for (let k = 0; k < size; k++) real[k] = Math.sin(k / 3) + (k % 17) / 10

  const swap = (array, a, b) => {
    const kept = array[a]
    array[a] = array[b]
    array[b] = kept
  }

  function reorder() {
    for (let k = 1, mirrored = 0; k < size; k++) {
      let bit = size >> 1
      for (; mirrored & bit; bit >>= 1) mirrored ^= bit
      mirrored ^= bit
      if (k < mirrored) {
        swap(real, k, mirrored)
        swap(imaginary, k, mirrored)
      }
    }
  }

  function transform(direction) {
    reorder()
    for (let length = 2; length <= size; length *= 2) {
      const angle = (direction * 2 * Math.PI) / length
      for (let start = 0; start < size; start += length) {
        for (let k = 0; k < length / 2; k++) {
          const a = start + k
          const b = a + length / 2
          const cos = Math.cos(angle * k)
          const sin = Math.sin(angle * k)
          const re = real[b] * cos - imaginary[b] * sin
          const im = real[b] * sin + imaginary[b] * cos
          real[b] = real[a] - re
          imaginary[b] = imaginary[a] - im
          real[a] += re
          imaginary[a] += im
        }
      }
    }
  }

  return (i) => {
    transform(1)
    transform(-1)
    for (let k = 0; k < size; k++) {
      real[k] /= size
      imaginary[k] /= size
    }
    return Math.round(real[i % size] * 100) + 1000
  }
}
