import { assert, describe, it } from "@effect/vitest"
import { preferred } from "../../src/wire/AnswerForm.ts"

const own = "application/vnd.vault-trader.v1+json"

describe("the form of an answer", () => {
  it("is boxed unless the caller names the service's own type", () => {
    const headers = [
      undefined,
      "",
      "*/*",
      "application/json",
      "text/html",
      "application/*;q=0.5",
      "text/html, */*;q=0.1"
    ]
    for (const header of headers) assert.strictEqual(preferred(header), "boxed", header)
    for (const header of [own, own.toUpperCase(), `${own}, */*`, `*/*, ${own}`, `text/html,${own};q=0.1`]) {
      assert.strictEqual(preferred(header), "unboxed", header)
    }
  })

  it("is the type of the higher quality, and the first of two equal ones", () => {
    assert.strictEqual(preferred(`application/json, ${own}`), "boxed")
    assert.strictEqual(preferred(`${own}, application/json`), "unboxed")
    assert.strictEqual(preferred(`application/json;q=0.5, ${own}`), "unboxed")
    assert.strictEqual(preferred(`${own};q=0.5, application/json`), "boxed")
    assert.strictEqual(preferred(`${own};q=0`), "boxed")
  })

  it("is none for a version of the own type that does not exist, unless the caller accepts another", () => {
    assert.isUndefined(preferred("application/vnd.vault-trader.v2+json"))
    assert.strictEqual(preferred("application/vnd.vault-trader.v2+json, application/json"), "boxed")
    assert.strictEqual(preferred(`application/vnd.vault-trader.v2+json, ${own};q=0.9`), "unboxed")
  })
})
