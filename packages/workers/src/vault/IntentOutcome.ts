/** Determines how an intent ends: its outcome and its charge. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Reverted } from "@vault-trader/core/failure/Reason"
import { paidFor } from "@vault-trader/core/gas-wallet/GasCost"
import type { Cancelled, Receipt, Submission } from "@vault-trader/core/gas-wallet/Submission"
import { Failed, type Intent, type Outcome, Succeeded } from "@vault-trader/core/intent/Intent"
import type { ChargeRow } from "@vault-trader/core/billing/Charge"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Prices } from "../billing/Prices.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Actions, type Unconfirmed } from "./Action.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"

export interface Ended {
  readonly outcome: Outcome
  readonly charge: Option.Option<ChargeRow>
}

/** The fields of a submission's row that never change. */
export type Call = Pick<Submission, "key" | "wallet" | "to" | "data" | "value" | "validUntil">

/** Returns the sentence of an outcome. */
export const messageOf = ({ outcome }: Ended): string =>
  outcome._tag === "Succeeded" ? outcome.message : outcome.failure.message

/** Returns a failed outcome without a transaction and without a charge. */
export const failed = (failure: Failure): Ended => ({
  outcome: Failed.make({ txHash: null, failure }),
  charge: Option.none()
})

/** Returns the outcome of an intent whose nonce was used by its own cancellation. */
export const cancelled = ({ reason, receipt }: Cancelled, seconds: number): Ended => ({
  outcome: Failed.make({
    txHash: receipt.transactionHash,
    failure: explain(
      reason === "expired" ? { _tag: "Expired", seconds } : { _tag: "CancelledBySwitch" },
      "cancelled"
    ),
    gasCost: format(paidFor(receipt), 18)
  }),
  charge: Option.none()
})

/** Returns the outcome of an intent whose nonce was used by a foreign transaction after its lifetime. */
export const expired = (seconds: number): Ended => failed(explain({ _tag: "Expired", seconds }, "nothingMined"))

export const planningDefect = explain({ _tag: "PlanningFailed" })

export const overtaken = (wallet: Address, times: number) =>
  explain({ _tag: "NonceTakenTooOften", wallet, times }, "nothingMined")

const revertMeaning = (
  chain: ChainClient,
  submission: Call,
  receipt: Receipt,
  meaning: (revert: string | undefined) => Reverted
) =>
  chain.call(
    { from: submission.wallet, to: submission.to, data: submission.data, value: submission.value },
    receipt.blockNumber - 1n
  ).pipe(
    Effect.as(meaningOf("the reason is no longer available")),
    Effect.catchTags({
      RpcRefused: ({ data }) => Effect.succeed(meaning(data)),
      RpcUnavailable: () => Effect.succeed(meaningOf("the reason could not be read"))
    })
  )

/** Returns the outcome of an intent's mined transaction and its charge; fails while the outcome is not known. */
export const make = ({ network, chain }: { readonly network: Network; readonly chain: ChainClient }) =>
  Effect.gen(function*() {
    const actions = yield* Actions
    const prices = yield* Prices

    return (
      intent: Intent,
      submission: Call,
      receipt: Receipt,
      details: unknown
    ): Effect.Effect<Ended, Unconfirmed> => {
      const gasCost = format(paidFor(receipt), 18)
      const failedOnChain = (failure: Failure): Ended => ({
        outcome: Failed.make({ txHash: receipt.transactionHash, failure, gasCost }),
        charge: Option.none()
      })
      return Effect.gen(function*() {
        const action = actions.of(intent.request)
        const { pool } = intent
        if (!receipt.succeeded) {
          const meaning = yield* revertMeaning(chain, submission, receipt, action.explainRevert)
          return failedOnChain(explain(meaning, "reverted"))
        }
        const { message, result, spentBefore } = yield* action.confirm === undefined
          ? action.interpretReceipt({ network, pool }, details, receipt)
          : action.confirm({ network, pool, chain, intentId: intent.id }, details, receipt)
        const charge = yield* prices.charge(network, action.charge, intent.wallet)
        const spent = {
          gas_used: (receipt.gasUsed + (spentBefore?.gasUsed ?? 0n)).toString(),
          gas_cost: format(paidFor(receipt) + (spentBefore?.gasCost ?? 0n), 18),
          charge_usd: charge.usd
        }
        return {
          outcome: Succeeded.make({ txHash: receipt.transactionHash, message, result: { ...result, ...spent } }),
          charge: charge.usd > 0 ? Option.some(charge) : Option.none()
        }
      }).pipe(Effect.catchTag("ExecutionFailure", (failure) => Effect.succeed(failedOnChain(failure))))
    }
  })
