import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Authority from "../../src/authority/AuthorityService.ts"
import { agrees } from "./AgreesWithModel.ts"

/** A sample for every commit; `AuthorityModel.deep.test.ts` runs more. `AUTHORITY_SEQUENCES` sets another number. */
const many = Number(process.env["AUTHORITY_SEQUENCES"] ?? 250)
const seed = Number(process.env["AUTHORITY_SEED"] ?? 1)

layer(Authority.layer, { timeout: 3_600_000, excludeTestServices: true })("the authority model", (it) => {
  it.effect(`agrees with the service at each request, in ${many} sequences`, () =>
    Effect.gen(function*() {
      const { counts, sequences } = yield* agrees(many, seed)
      const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
      yield* Effect.sync(() => {
        console.log(`authority model: ${sequences} sequences, ${requests} requests, seed ${seed}`)
        console.log(JSON.stringify(counts, Object.keys(counts).sort(), 1))
      })
      assert.isAtLeast(requests, sequences * 4)
    }), { timeout: 3_600_000 })
})
