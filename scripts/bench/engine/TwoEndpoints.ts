/**
 * Trades one after the other over two endpoints, which must agree about what a plan is made of, compared with one
 * endpoint in the same run.
 */
import * as Effect from "effect/Effect"
import type { Bench, Options } from "../Bench.ts"
import { type Finding, median, shown } from "../Row.ts"
import { ServiceUnderTest } from "./ServiceUnderTest.ts"
import { trades } from "./WarmTrades.ts"

/** How much later the second endpoint answers than the first one, in the row of a slow one. */
const lateMillis = 50

/** The whole time from the accepted intent to the first endpoint that has its transaction, in milliseconds. */
const wholes = (rounds: number, settings: Readonly<Record<string, string>>) =>
  Effect.map(Effect.scoped(trades(rounds, settings)), (warm) => warm.map(({ whole }) => whole))

const measure = ({ rounds = 15 }: Options) =>
  Effect.gen(function*() {
    const { second } = yield* ServiceUnderTest
    const one = yield* wholes(rounds, {})
    const two = yield* wholes(rounds, second.settings)
    second.front.delay(lateMillis)
    const slow = yield* wholes(rounds, second.settings)
    const against = { what: "one endpoint", rounds: one }
    return [
      {
        ...{ name: "two-endpoints", unit: "ms", rounds: two, against },
        note: "the node's time included; both endpoints have each block at once"
      },
      {
        ...{ name: "two-endpoints/slow", unit: "ms", rounds: slow, against },
        note: `the second endpoint answers ${lateMillis} ms later; ${
          shown((median(slow) - median(two)) / lateMillis)
        } such waits follow each other`
      }
    ] satisfies ReadonlyArray<Finding>
  })

export const twoEndpoints: Bench = {
  rows: ["two-endpoints"],
  run: (options) => measure(options).pipe(Effect.provide(ServiceUnderTest.layer))
}
