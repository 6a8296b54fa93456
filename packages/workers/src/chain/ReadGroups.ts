/** Makes several lists of reads at one block, in one call, and returns the results of each list. */
import * as Effect from "effect/Effect"
import type { ChainClient } from "./ChainClient.ts"
import type { Reads, Results } from "./Contract.ts"
import type { RpcFailure } from "./RpcFailure.ts"

type GroupResults<G extends ReadonlyArray<Reads>> = { readonly [K in keyof G]: Results<G[K]> }

export const readGroups = <const G extends ReadonlyArray<Reads>>(
  chain: Pick<ChainClient, "readAll">,
  groups: G
): Effect.Effect<GroupResults<G>, RpcFailure> =>
  Effect.map(chain.readAll(groups.flat()), (results) => {
    let next = 0
    // Each group has its original length; the compiler cannot follow lengths through `flat`.
    return groups.map((group) => results.slice(next, next += group.length)) as unknown as GroupResults<G>
  })

/** The same for reads that decide about money: see `readConfirmed`. */
export const readConfirmedGroups = <const G extends ReadonlyArray<Reads>>(
  chain: Pick<ChainClient, "readConfirmed">,
  groups: G
): Effect.Effect<GroupResults<G>, RpcFailure> => readGroups({ readAll: chain.readConfirmed }, groups)
