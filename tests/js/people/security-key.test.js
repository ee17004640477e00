import assert from "node:assert/strict"
import { test } from "node:test"

import { hindrance, sentenceOf } from "../../../static/js/people/security-key.js"

const PublicKeyCredential = { parseCreationOptionsFromJSON() {} }

test("what stands in the way of asking a key is said", () => {
  const found = [
    { isSecureContext: true, PublicKeyCredential },
    { isSecureContext: false, PublicKeyCredential },
    { isSecureContext: true, PublicKeyCredential: {} },
    { isSecureContext: true },
  ].map(hindrance)

  assert.deepEqual(found.map((each) => /https|2025|^$/.exec(each)?.[0]), ["", "https", "2025", "2025"])
})

test("an error of the browser is a sentence, whatever it is", () => {
  assert.match(sentenceOf({ name: "NotAllowedError", message: "" }), /^No key answered\./)
  assert.equal(sentenceOf({ name: "DataError", message: "bad." }), "The key did not answer: bad.")
})
