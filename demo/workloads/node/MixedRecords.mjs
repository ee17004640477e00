// Adds up prices of records; from one iteration on, records with other fields turn up.

export function make({ records, second, third }) {
  const orders = Array.from({ length: records }, (_, k) => ({ id: k, price: k % 90, count: 1 + (k % 3) }))

  const replaceEvery = (step, make) => {
    for (let k = 0; k < records; k += step) orders[k] = make(k)
  }

  const worth = (order) => order.price * order.count - (order.rebate ?? 0)

  return (i) => {
    if (i === second) replaceEvery(3, (id) => ({ rebate: 1, count: 2, price: id % 90, id }))
    if (i === third) {
      for (let kind = 0; kind < 6; kind++) {
        replaceEvery(7 + kind, (id) => ({ [`extra${kind}`]: 0, price: (id % 90) + 0.5, id, count: 1 }))
      }
    }
    let total = 0
    for (const order of orders) total += worth(order)
    return Math.round(total)
  }
}
