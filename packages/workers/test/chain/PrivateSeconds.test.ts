import { assert, it } from "@effect/vitest"
import { read } from "../../src/chain/PrivateSeconds.ts"

it("reads seconds for all networks and for one, a minute where neither is set", () => {
  const seconds = read("30, polygon=5")
  assert.deepStrictEqual([seconds?.("polygon"), seconds?.("base")], [5, 30])
  assert.strictEqual(read("polygon=5")?.("base"), 60)
})

it("reads nothing else", () => {
  for (const text of ["", "0", "3601", "1.5", "mars=5", "polygon=", "polygon=5=6", "soon"]) {
    assert.isUndefined(read(text), text)
  }
})
