/**
 * Implements the gas wallet actor: owns its lane on one network and reports its balance. State is rebuilt from rows,
 * never assumed.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { GasWallet, parseId } from "@vault-trader/core/gas-wallet/GasWallet"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { type RpcFailure, unavailable } from "../chain/RpcFailure.ts"
import * as NonceLane from "./NonceLane.ts"
import type { SignerAway } from "./SigningStop.ts"

/** Turns a node's failure into the actor's; a failing database or signer is a defect, which the caller retries. */
const answered = <A>(
  effect: Effect.Effect<A, RpcFailure | SignerAway | SqlError>
): Effect.Effect<A, ExecutionFailure> =>
  Effect.catch(
    effect,
    (failure) =>
      failure._tag === "SqlError" || failure._tag === "SignerAway" ? Effect.die(failure) : unavailable(failure)
  )

export const GasWalletLive = GasWallet.toLayer(
  Effect.gen(function*() {
    const { network, wallet } = parseId((yield* Entity.CurrentAddress).entityId)
    const prices = yield* Prices
    const chain = yield* Effect.option((yield* Chains).get(network))
    if (Option.isNone(chain)) {
      const notServed = explain({ _tag: "NetworkNotConfigured", network })
      return {
        balance: () => notServed,
        watch: () => notServed,
        recheck: () => notServed,
        reconcile: () => notServed,
        explained: () => notServed,
        submit: () => notServed
      }
    }
    const lane = yield* NonceLane.open({ network, wallet, chain: chain.value })
    return {
      balance: ({ payload }) =>
        Effect.gen(function*() {
          const wei = yield* Effect.mapError(chain.value.balance(wallet), unavailable)
          const price = payload.usd ? yield* prices.native(network) : Option.none<bigint>()
          return { wei, usd18: Option.getOrNull(Option.map(price, (usd18) => wei * usd18 / 10n ** 18n)) }
        }),
      watch: () => lane.depth,
      recheck: () => lane.recheck,
      reconcile: () => answered(lane.reconcile),
      explained: () => answered(lane.isExplained),
      submit: ({ payload }) => IntentTrace.join(payload.key)(lane.submit(payload.key))
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
