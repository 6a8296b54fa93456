import { assert, it } from "@effect/vitest"
import * as SeededRandom from "../../src/test-chain/SeededRandom.ts"

it("is the same for the same seed, in every version", () => {
  const chance = SeededRandom.make(7, 0xdeadbeef)
  assert.deepStrictEqual([chance.number(), chance.number(), chance.integer(1000), chance.integer(6)], [
    0.6100372811905929,
    0.900893428620986,
    204,
    3
  ])
})
