// Times one workload in this fresh process, from its very first call on.
//
// Usage: node harness.mjs WORKLOAD ITERATIONS [NAME=INTEGER]…
// A module WORKLOAD.mjs makes the workload from its parameters; one call of it is one iteration.
// Prints facts as NAME=VALUE, an empty line, then nanoseconds, one iteration a line.
// With PLATEAU_DEMO_LIVE set, each iteration is printed when it is over, with the check sum so far.

const [workload, iterations, ...given] = process.argv.slice(2)
const params = Object.fromEntries(
  given.map((pair) => pair.split("=", 2)).map(([name, value]) => [name, Number(value)]),
)
const { make } = await import(`./${workload}.mjs`)

const run = make(params)
const nanoseconds = new Float64Array(Number(iterations)) // nothing is printed before the last one
const live = Boolean(process.env.PLATEAU_DEMO_LIVE)
const facts = `vmName=Node.js (V8)\nvmVersion=${process.versions.v8}\njdkVersion=${process.versions.node}\n`
let check = 0
if (live) console.log(facts)
for (let i = 0; i < nanoseconds.length; i++) {
  const start = process.hrtime.bigint()
  const result = run(i)
  nanoseconds[i] = Number(process.hrtime.bigint() - start)
  check = (check * 31 + result) % 1_000_003
  if (live) console.log(`${nanoseconds[i]} ${check}`)
}

if (!live) console.log(`${facts}check=${check}\n\n${nanoseconds.join("\n")}`)
