import assert from "node:assert/strict"
import { test } from "node:test"

import { progressSentence, titleWithPercent } from "../../../static/js/work/progress.js"

const at = (percent, failed = 0, state = "running") => ({ percent, failed, state, noun: "run" })

test("quarters are said once, the highest that was passed", () => {
  const steps = [at(10), at(24), at(25), at(49), at(80), at(81)]

  assert.deepEqual(steps.map((now, i) => progressSentence(steps[i - 1] ?? null, now)), ["", "", "25 % done.", "", "75 % done.", ""])
})

test("the first failure is said, the second is not", () => {
  assert.equal(progressSentence(at(10), at(12, 3)), "The first failure: 3 failed.")
  assert.equal(progressSentence(at(12, 3), at(13, 4)), "")
})

test("the end says how it went", () => {
  assert.equal(progressSentence(at(90), at(100, 0, "done")), "The run is done.")
  assert.equal(progressSentence(at(90, 2), at(100, 2, "done")), "The run is done; 2 failed.")
  assert.equal(progressSentence(at(90), at(92, 0, "stopped")), "The run was stopped.")
})

test("the title counts while the run goes, and no longer", () => {
  assert.equal(titleWithPercent("Nightly · Plateau", at(68)), "(68 %) Nightly · Plateau")
  assert.equal(titleWithPercent("(68 %) Nightly · Plateau", at(70)), "(70 %) Nightly · Plateau")
  assert.equal(titleWithPercent("(70 %) Nightly · Plateau", at(100, 0, "done")), "Nightly · Plateau")
})
