import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Authority from "../../src/authority/AuthorityService.ts"
import { agrees, allKinds } from "./AgreesWithModel.ts"

const many = 1_000

layer(Authority.layer, { timeout: 3_600_000, excludeTestServices: true })("the authority model", (it) => {
  it.effect(
    `agrees with the service at each request, in ${many} sequences with every kind of request`,
    () => Effect.map(agrees(many, 2), ({ counts }) => allKinds(counts)),
    { timeout: 3_600_000 }
  )
})
