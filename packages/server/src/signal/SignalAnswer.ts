/** Answers a signal that was carried to its bots. */
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { SignalResult } from "@vault-trader/core/signal/Signal"
import * as Effect from "effect/Effect"
import { answerOf, waits } from "../threshold-bot/ThresholdBotApi.ts"
import type { Delivered } from "./SignalDelivery.ts"

/** The part of a response that is about all bots of a signal. */
interface Summary {
  readonly refusal: Failure | null
  readonly isWaiting: boolean
  readonly message: string
}

/** Sums up the results at several bots. */
const summaryOf = (delivered: ReadonlyArray<Delivered>): Summary => {
  const states = delivered.map(({ result }) => result.state)
  const count = (state: SignalResult["state"]) => states.filter((each) => each === state).length
  const parts = [
    [count("accepted"), "set"],
    [count("ignored"), "as they were"],
    [count("waiting"), "waiting for an answer"],
    [count("refused"), "refused"]
  ] as const
  const refusal = delivered.find(({ failure }) => failure !== null)?.failure ?? null
  return {
    refusal: states.every((state) => state === "refused") ? refusal : null,
    isWaiting: states.some((state) => state === "waiting") &&
      states.every((state) => state === "waiting" || state === "refused"),
    message: `Of ${delivered.length} bot${delivered.length === 1 ? "" : "s"}: ${
      parts.flatMap(([number, text]) => number === 0 ? [] : [`${number} ${text}`]).join(", ")
    }.`
  }
}

/** Returns why a signal that no bot took is refused. */
const refusalOf = (delivered: ReadonlyArray<Delivered>, first: Failure | null): Failure => {
  const [result] = delivered
  return first !== null && delivered.length === 1
    ? first
    : new ValidationFailure({
      code: first?._tag === "ValidationFailure" ? first.code : "1010",
      message: `No bot was set. ${
        delivered.map(({ result: { network, pair, pool, reason, subaccount } }) =>
          `${subaccount ?? `${network}/${pool}`} ${pair ?? "index"}: ${reason}`
        ).join("; ")
      }`.slice(0, 2000) + (result === undefined ? " The token drives none." : "")
    })
}

/** Builds the response: that of the only bot, or a summary of several with the result at each. */
export const answerTo = (
  signal: string,
  delivered: ReadonlyArray<Delivered>,
  switches: KillSwitch["Service"]
) =>
  Effect.gen(function*() {
    const { isWaiting, message, refusal } = summaryOf(delivered)
    if (delivered.every(({ result }) => result.state === "refused")) return yield* refusalOf(delivered, refusal)
    if (isWaiting && delivered.length === 1) return waits
    const set = delivered.find((each) => each.set !== null)?.set ?? null
    const first = set === null ? null : yield* answerOf(set, switches)
    const results = delivered.map(({ result }) => result)
    const isOne = delivered.length === 1 && first !== null
    return {
      intent_id: first?.intent_id ?? results.find(({ intent_id }) => intent_id !== null)?.intent_id ?? null,
      tx_hash: null,
      message: isOne ? first.message : message,
      data: first?.data ?? null,
      signal_id: signal,
      results
    }
  })
