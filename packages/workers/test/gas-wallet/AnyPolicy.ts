/**
 * A signing policy for tests of the steps after it: permits everything, except the submissions that a given policy
 * decides.
 */
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Layer from "effect/Layer"
import { type Permit, SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"

/** The permit of a submission, which no policy has issued. */
const permitOf = (chainId: number, { data, to, value, wallet }: Submission): Permit => ({
  chainId,
  from: wallet,
  to,
  data,
  value
})

export const permissive: SigningPolicy["Service"] = {
  review: (chain, _, submissions) =>
    Effect.succeed({
      forged: new Set(),
      permits: new Map(submissions.map((each) => [each.key, permitOf(chain.book.chainId, each)])),
      refusals: new Map()
    }),
  admits: () => true,
  isPayee: () => false
}

/** Permits everything. */
export const AnyPolicy = Layer.succeed(SigningPolicy, permissive)

/** Applies this policy to the submissions that `about` selects, and permits the others. */
export const heldTo = <E, R>(policy: Layer.Layer<SigningPolicy, E, R>, about: (submission: Submission) => boolean) =>
  Layer.effect(
    SigningPolicy,
    Effect.map(SigningPolicy, (real): SigningPolicy["Service"] => ({
      review: (chain, wallet, submissions) => {
        const [held, others] = Arr.partition(submissions, Filter.fromPredicate(about))
        return Effect.zipWith(
          real.review(chain, wallet, held),
          permissive.review(chain, wallet, others),
          (one, other) => ({
            forged: new Set([...one.forged, ...other.forged]),
            permits: new Map([...one.permits, ...other.permits]),
            refusals: new Map([...one.refusals, ...other.refusals])
          })
        )
      },
      admits: () => true,
      isPayee: real.isPayee
    }))
  ).pipe(Layer.provide(policy))
