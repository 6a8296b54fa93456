import { assert, describe, it } from "@effect/vitest"
import { applied, lost } from "../../src/connection/Patches.ts"

const rows = [{ pair: "WETH-USDC", side: "hold" }, { pair: "BTC-USDC", side: "hold" }]
const patch = [{ op: "replace", path: "/1/side", value: "long" }]

describe("the items of a stream", () => {
  it("are whole answers, confirmations of the last one, and patches, which leave the other rows as they were", () => {
    const dataOf = applied()
    assert.strictEqual(dataOf({ data: rows }), rows)
    assert.isUndefined(dataOf({}))
    const next = dataOf({ patch }) as typeof rows
    assert.deepStrictEqual(next, [rows[0], { pair: "BTC-USDC", side: "long" }])
    assert.strictEqual(next[0], rows[0])
    assert.strictEqual(rows[1]?.side, "hold")
    assert.deepStrictEqual(dataOf({ patch: [{ op: "remove", path: "/0" }] }), [next[1]])
  })

  it("are lost where a patch does not fit: without a whole answer, or with one that was only remembered", () => {
    assert.strictEqual(applied()({ patch }), lost)
    const dataOf = applied()
    assert.strictEqual(dataOf({ data: rows, read_at: 1 }), rows)
    assert.strictEqual(dataOf({ patch }), lost)
    assert.strictEqual(dataOf({ data: rows }), rows)
    assert.strictEqual(dataOf({ patch: [{ op: "replace", path: "/7/side", value: "long" }] }), lost)
  })
})
