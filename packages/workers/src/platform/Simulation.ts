/** Simulates a vault's calls before they are sent. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { throughVault, type VaultCall } from "./VaultCall.ts"

/** The vault, the wallet that trades it and their chain. */
interface Sender {
  readonly chain: ChainClient
  readonly pool: Address
  readonly wallet: Address
}

/**
 * Estimates the gas of the transaction that carries the calls. A revert fails with `explain` of its data. When the node
 * refuses for another reason the estimate is undefined, and the lane estimates again.
 */
export const estimate = <E>(
  { chain, pool, wallet }: Sender,
  calls: ReadonlyArray<VaultCall>,
  explain: (data: string | undefined) => E
): Effect.Effect<Estimate | undefined, E | ExecutionFailure> =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    return yield* chain.estimateGas({ from: wallet, to: pool, data: throughVault(calls), value: 0n }).pipe(
      Effect.map((gas): Estimate | undefined => ({ gas, at })),
      Effect.catchTags({
        RpcRefused: ({ data, reason }): Effect.Effect<undefined, E> =>
          data === undefined && !/revert/i.test(reason) ? Effect.succeed(undefined) : Effect.fail(explain(data)),
        RpcUnavailable: (failure) => Effect.fail(unavailable(failure))
      })
    )
  })

/** Simulates a read after the vault made these calls; undefined when the node cannot simulate, or the calls revert. */
export const readAfter = (
  { chain, pool, wallet }: Sender,
  calls: ReadonlyArray<VaultCall>,
  read: { readonly to: Address; readonly data: Hex }
): Effect.Effect<Hex | undefined, ExecutionFailure> =>
  chain.simulateCalls(wallet, [{ to: pool, data: throughVault(calls) }, read]).pipe(
    Effect.map(([action, answer]) =>
      action?._tag === "Success" && answer?._tag === "Success" ? answer.success : undefined
    ),
    Effect.catchTags({
      RpcRefused: ({ reason }) => Effect.as(Effect.logDebug(`a node cannot simulate: ${reason}`), undefined),
      RpcUnavailable: unavailable
    })
  )
