/** Plans an intent's next step and commits the decision to the ledger before anything is signed. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { vaultsOf } from "@vault-trader/core/gas-wallet/KeyLimits"
import { endpointsOfBots, KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, thresholdBotScope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { keyOf } from "@vault-trader/core/gas-wallet/Submission"
import { type Intent, Succeeded } from "@vault-trader/core/intent/Intent"
import type { IntentAlreadyEnded } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"
import { Prices } from "../billing/Prices.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Actions, type PlanContext, transactionOf } from "./Action.ts"
import { type EarlierStep, Waiting } from "./EarlierStep.ts"
import * as IntentOutcome from "./IntentOutcome.ts"
import * as OracleGuard from "./OracleGuard.ts"

/** A committed step: the planner's decision as stored in its row, and its call. */
export interface PlannedStep {
  readonly step: number
  readonly details: unknown
  readonly submission: IntentOutcome.Call
}

/**
 * Returns the committed step, or the intent's outcome when there is nothing to send or planning has failed. `earlier`:
 * the step before it, of an intent with a plan.
 */
export type Plan = (
  intent: Intent,
  step: number,
  earlier: EarlierStep<unknown> | undefined
) => Effect.Effect<IntentOutcome.Ended | PlannedStep, SqlError | IntentAlreadyEnded | Waiting>

/** Seconds until a second step is planned again after its planning has failed. */
const secondStepPause = 15

/** Retries of planning while no node answers; nothing has been signed when they end. */
const planningRetry = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])

export const make = ({ chain, network, stateOf }: {
  readonly chain: ChainClient
  readonly network: Network
  readonly stateOf: (pool: Address) => PlanContext["state"]
}) =>
  Effect.gen(function*() {
    const actions = yield* Actions
    const plans = yield* PlannedStepStore
    const prices = yield* Prices
    const switches = yield* KillSwitch
    const unlessHeld = yield* OracleGuard.make({ chain, network })

    const plan = (intent: Intent, step: number, earlier: EarlierStep<unknown> | undefined) =>
      Effect.gen(function*() {
        const { id: intentId, pool, wallet } = intent
        if (endpointsOfBots.includes(intent.endpoint)) {
          yield* unlessStopped(switches, network, intent)
        }
        const action = actions.of(intent.request)
        const place = { network, pool, chain, wallet, intentId, state: stateOf(pool) }
        // Funds that are between two steps continue, whatever the oracle says.
        if (earlier === undefined) yield* unlessHeld(action.charge, place)
        const decision = yield* endWithDefect(
          earlier === undefined ? action.plan(place) : action.planSecond(place, earlier)
        )
        const transaction = transactionOf(pool, decision)
        if (transaction === undefined) {
          const { result } = yield* action.interpretReceipt({ network, pool }, decision.details, null)
          return nothingToDo(decision.nothingToDo, result)
        }
        const charge = yield* prices.charge(network, action.charge, wallet)
        const key = keyOf(intentId, step)
        const call = { ...transaction, value: 0n }
        const validUntil = (yield* Clock.currentTimeMillis) + (intent.validFor ?? action.lifetimeSeconds) * 1_000
        const reserve = charge.nativeWei ?? 0n
        // Fails if another owner has committed this step first; then the rows are read again.
        const details = yield* plans.commit({
          step,
          plan: decision.details,
          vaults: vaultsOf({ network, pool, wallet }, decision.vaults),
          usd18: decision.worth === undefined ? 0n : decision.worth,
          submission: {
            key,
            intentId,
            network,
            wallet,
            ...call,
            reserve,
            validUntil,
            estimate: decision.estimate ?? null
          }
        })
        return { step, details, submission: { key, wallet, validUntil, ...call } }
      })

    return ((intent, step, earlier) => {
      const isSecond = needsSecond(actions.of(intent.request).stepOf, earlier)
      // The funds are between the two steps: no failure to plan the second one ends the request.
      const end = (failure: Failure): Effect.Effect<IntentOutcome.Ended, Waiting> =>
        isSecond
          ? new Waiting({ reason: failure.message, seconds: secondStepPause })
          : Effect.succeed(IntentOutcome.failed(failure))
      return plan(intent, step, isSecond ? earlier : undefined).pipe(
        Effect.withSpan("intent.plan", { attributes: { step } }, { captureStackTrace: false }),
        Effect.retry({ schedule: planningRetry, while: isUnavailable }),
        Effect.catchTags({ ValidationFailure: end, ExecutionFailure: end })
      )
    }) satisfies Plan
  })

/** Returns true when the first step of two has succeeded, so that only the second one is planned from now on. */
const needsSecond = (
  stepOf: (details: unknown) => "only" | "first" | "second",
  earlier: EarlierStep<unknown> | undefined
): boolean => {
  if (earlier === undefined) return false
  const step = stepOf(earlier.details)
  return step === "second" || (step === "first" && earlier.receipt?.succeeded === true)
}

/**
 * Fails while the bot is stopped, so that a stopped bot queries no venue either. Other intents are checked when they are
 * signed.
 */
const unlessStopped = (switches: KillSwitch["Service"], network: Network, { pool, request, wallet }: Intent) => {
  const ownScope = request._tag === "BotTrade" ? [thresholdBotScope({ network, pool, ...request })] : []
  return Effect.flatMap(
    switches.on(["service", walletScope(wallet), botScope(network, pool), ...ownScope]),
    ([on]) => on === undefined ? Effect.void : explain({ _tag: "SigningStopped", scope: on.scope, reason: on.reason })
  )
}

/**
 * Fails on a defect in planning, so that it ends this intent and not the wallet's queue. For planning only: a commit
 * whose response is lost is a defect, too, and its submission may still be executed.
 */
const endWithDefect = <A, E, R>(planning: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(planning, (defect) =>
    Effect.andThen(
      Effect.logError("planning an intent ended in a defect", defect),
      Effect.fail(IntentOutcome.planningDefect)
    ))

/** Builds the outcome of an intent that needs no transaction. */
const nothingToDo = (message: string, result: object): IntentOutcome.Ended => ({
  outcome: Succeeded.make({
    txHash: null,
    message,
    result: { ...result, gas_used: null, gas_cost: null, charge_usd: 0 }
  }),
  charge: Option.none()
})

const isUnavailable = (failure: Failure | SqlError | IntentAlreadyEnded | Waiting) =>
  failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"
