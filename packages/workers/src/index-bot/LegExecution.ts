/**
 * Executes a run's legs as trades of its vault. Each is an intent like a caller's, accepted under the leg's own
 * idempotency key.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Quantity } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { IndexBot } from "@vault-trader/core/index-bot/IndexBot"
import { type IndexRun, legKey, type LegOutcome, type RunLeg } from "@vault-trader/core/index-bot/IndexRun"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { botDisabled, IndexLegStore } from "@vault-trader/core/intent/IndexLegStore"
import type { Leg } from "@vault-trader/core/index-bot/RebalancePlan"
import type { Outcome } from "@vault-trader/core/intent/Intent"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { retryForever } from "../actor/Retry.ts"

const onPaper: LegOutcome = {
  status: "paper",
  txHash: null,
  message: "On paper; nothing was sent.",
  failure: null,
  sold: null,
  bought: null
}

/** Builds a planned leg with all parameters of its intent, so that a later change of the bot does not affect it. */
export const makeLeg = (leg: Leg, { platform, slippage }: IndexBot, paper: boolean): RunLeg => ({
  ...leg,
  slippage,
  platform,
  partial: true,
  intentId: null,
  outcome: paper ? onPaper : null
})

/** The moved amounts in a trade's result. */
const MovedAmounts = Schema.Struct({ sold: Quantity, bought: Quantity })
const readMovedAmounts = Schema.decodeUnknownOption(MovedAmounts)

const outcomeOf = (outcome: Outcome): LegOutcome => {
  if (outcome._tag === "Failed") {
    const { failure, txHash } = outcome
    return { status: "failed", txHash, message: failure.message, failure, sold: null, bought: null }
  }
  const moved = Option.getOrNull(readMovedAmounts(outcome.result))
  const { message, txHash } = outcome
  return {
    status: "succeeded",
    txHash,
    message,
    failure: null,
    sold: moved?.sold ?? null,
    bought: moved?.bought ?? null
  }
}

export const make = ({ network, pool }: { readonly network: Network; readonly pool: Address }) =>
  Effect.gen(function*() {
    const ledger = yield* IndexLegStore
    const runs = yield* IndexRunStore
    const vaults = yield* Vault.client

    const requestOf = ({ amount, from, partial, platform, slippage, to }: RunLeg) =>
      TradeRequest.make({
        from: from.address,
        to: to.address,
        amount: BigDecimal.make(amount, from.decimals),
        slippage,
        platform,
        // A leg of a row before `partial` existed repeats the request under which it may be accepted already.
        ...(partial ? { partial } : {})
      })

    /** Accepts the leg's intent, or finds it by its key. None once the bot of a scheduled run is disabled. */
    const accept = (run: IndexRun, leg: RunLeg, index: number) =>
      retryForever(ledger.accept(run, index, {
        wallet: run.wallet,
        keyId: run.keyId,
        endpoint: "rebalancePool",
        network,
        pool,
        request: requestOf(leg),
        idempotencyKey: legKey(run.id, index)
      }))

    /**
     * Waits for the intent's outcome. The vault's actor may be moving or busy; the intent is committed, so a retry
     * repeats nothing.
     */
    const outcome = (intentId: string) =>
      retryForever(Effect.timeout(vaults(idOf(network, pool)).execute({ intentId }), "30 seconds"))

    return {
      /** Executes one leg of a run and records its outcome. Idempotent. */
      execute: (run: IndexRun, index: number): Effect.Effect<void> =>
        Effect.gen(function*() {
          const leg = run.legs[index]
          if (leg === undefined) return
          const settle = (end: Outcome) => retryForever(runs.recordOutcome(run.id, index, outcomeOf(end)))
          const acceptance = Option.getOrUndefined(yield* accept(run, leg, index))
          if (acceptance === undefined) return yield* settle(botDisabled)
          if (acceptance._tag === "conflict") return yield* settle(keyConflict(acceptance.id))
          yield* settle(yield* outcome(acceptance.id))
        })
    }
  })

const keyConflict = (id: string): Outcome => ({
  _tag: "Failed",
  txHash: null,
  failure: explain({ _tag: "LegKeyConflict", intentId: id })
})
