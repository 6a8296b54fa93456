import { assert, describe, it } from "@effect/vitest"
import { applied } from "../../src/connection/Patches.ts"

const rows = [{ pair: "WETH-USDC", side: "hold" }, { pair: "BTC-USDC", side: "hold" }]
const patch = [{ op: "replace", path: "/1/side", value: "long" }]

describe("the items of a stream", () => {
  it("are whole answers, confirmations of the last one, and patches, which leave the other rows as they were", () => {
    const dataOf = applied()
    assert.strictEqual(dataOf({ data: rows })?.data, rows)
    assert.deepStrictEqual(dataOf({}), { data: undefined })
    const next = dataOf({ patch })?.data as typeof rows
    assert.deepStrictEqual(next, [rows[0], { pair: "BTC-USDC", side: "long" }])
    assert.strictEqual(next[0], rows[0])
    assert.strictEqual(rows[1]?.side, "hold")
    assert.deepStrictEqual(dataOf({ patch: [{ op: "remove", path: "/0" }] }), { data: [next[1]] })
  })

  it("are lost where a patch does not fit: without a whole answer, or with one that was only remembered", () => {
    assert.isUndefined(applied()({ patch }))
    const dataOf = applied()
    assert.strictEqual(dataOf({ data: rows, read_at: 1 })?.data, rows)
    assert.isUndefined(dataOf({ patch }))
    assert.strictEqual(dataOf({ data: rows })?.data, rows)
    assert.isUndefined(dataOf({ patch: [{ op: "replace", path: "/7/side", value: "long" }] }))
  })
})
