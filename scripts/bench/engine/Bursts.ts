/** A burst of trades through the running service, followed in its tables and proven on the chain. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { type Fields, trade, type Trader } from "./ServiceUnderTest.ts"
import * as Vaults from "./Vaults.ts"

/** State of a burst's intents. */
export interface Standing {
  readonly accepted: number
  readonly over: number
  readonly succeeded: number
}

/** Result of a burst, by the tables and by the chain. */
export interface Proof extends Standing {
  /** Responses to callers that got no intent. */
  readonly turnedAway: ReadonlyArray<string>
  /** Seconds from the start of `meanwhile` until the last intent ended. */
  readonly seconds: number
  /** Accepted intents that were not executed. */
  readonly lost: number
  /** Transactions, or dollars sold, that belong to no intent. */
  readonly double: number
}

const standing = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<
        Standing
      >`select count(*)::int as accepted, (count(*) filter (where status in ('succeeded', 'failed')))::int as over,
        (count(*) filter (where status = 'succeeded'))::int as succeeded from intents where idempotency_key like ${`${name}/%`}`,
      ([row]) => row ?? { accepted: 0, over: 0, succeeded: 0 }
    )).pipe(Effect.orDie)

/** Polls until a condition holds; a timeout reports the last state. */
const until = (name: string, isSo: (standing: Standing) => boolean) => {
  let last: Standing | undefined
  return Effect.gen(function*() {
    for (;;) {
      last = yield* standing(name)
      if (isSo(last)) return last
      yield* Effect.sleep("20 millis")
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: "4 minutes",
      orElse: () => Effect.die(new Error(`burst ${name} hangs at ${JSON.stringify(last)}`))
    }),
    Effect.orDie
  )
}

/** Returns the response to a caller that got no intent. */
const refusal = (answer: Exit.Exit<Fields>): string | undefined => {
  if (Exit.isFailure(answer)) return `no answer: ${Cause.pretty(answer.cause).split("\n")[0] ?? ""}`
  const { intent_id, message, status, status_code } = answer.value
  return typeof intent_id === "string" ? undefined : `${String(status)} ${String(status_code)} ${String(message)}`
}

/**
 * Sends one-dollar trades, all at once. Runs `meanwhile` once each is accepted or refused and `mark` of them have
 * ended.
 */
export const carried = <R>(options: {
  readonly name: string
  readonly baseUrl: string
  readonly traders: ReadonlyArray<Trader>
  readonly count: number
  readonly mark: number
  readonly meanwhile: Effect.Effect<void, never, R>
}) =>
  Effect.gen(function*() {
    const { baseUrl, count, mark, meanwhile, name, traders } = options
    const before = yield* Vaults.readChain(traders)
    const turnedAway: Array<string> = []
    const asking = yield* Effect.forkChild(Effect.forEach(Array.from({ length: count }), (_, index) => {
      const trader = traders[index % traders.length]
      if (trader === undefined) return Effect.void
      // Accepted intents are read from the tables; this only waits until every request is answered.
      return Effect.map(Effect.exit(trade(baseUrl, trader, `${name}/${index}`)), (answer) => {
        const reason = refusal(answer)
        if (reason !== undefined) turnedAway.push(reason)
      })
    }, { concurrency: "unbounded", discard: true }))
    yield* until(name, ({ accepted, over }) => accepted + turnedAway.length >= count && over >= mark)
    const began = performance.now()
    yield* meanwhile
    const end = yield* until(name, ({ accepted, over }) => over === accepted)
    const seconds = (performance.now() - began) / 1000
    yield* Fiber.interrupt(asking)
    const after = yield* Vaults.readChain(traders)
    const [transactions, sold] = [after.transactions - before.transactions, before.dollars - after.dollars]
    return {
      ...end,
      turnedAway,
      seconds,
      lost: end.accepted - end.succeeded,
      double: Math.max(0, transactions - end.accepted) + Math.max(0, sold - end.succeeded) +
        Math.max(0, end.succeeded - sold)
    } satisfies Proof
  })
