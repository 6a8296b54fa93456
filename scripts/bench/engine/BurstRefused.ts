/** A hundred trades at once while the node's provider answers half of all requests with 429. */
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { atLeast, type Finding, median, shown } from "../Row.ts"
import * as Bursts from "./Bursts.ts"
import { ServiceUnderTest } from "./ServiceUnderTest.ts"
import * as Vaults from "./Vaults.ts"

const trades = 100
const refusedShare = 0.5

const measure = ({ rounds = 1 }: Options) =>
  Effect.gen(function*() {
    const { front, start } = yield* ServiceUnderTest
    const { baseUrl } = yield* start("start")
    const traders = yield* Vaults.traders(baseUrl, { vaults: 10, wallets: 4 })
    const burst = (name: string, share: number) =>
      Effect.gen(function*() {
        front.forget()
        front.refuse(share)
        const began = performance.now()
        const proof = yield* Bursts.carried({ name, baseUrl, traders, count: trades, mark: 0, meanwhile: Effect.void })
        front.refuse(0)
        const calls = front.seen().flatMap(({ methods, refused }) => methods.map(() => refused))
        const refused = 100 * calls.filter((each) => each).length / calls.length
        yield* say(
          `  ${name}: ${proof.succeeded} of ${trades} carried out, ${proof.double} double; ` +
            `${shown(refused)} % of ${calls.length} calls refused`
        )
        for (const reason of proof.turnedAway) yield* say(`    turned away: ${reason}`)
        return { ...proof, refused, seconds: (performance.now() - began) / 1000 }
      })
    const turns = Array.from({ length: rounds }, (_, turn) => turn)
    const found = yield* Effect.forEach(turns, (turn) =>
      Effect.all({ calm: burst(`calm-${turn}`, 0), refused: burst(`refused-${turn}`, refusedShare) }))
    const settled = (of: "calm" | "refused") =>
      found.map((each) => 100 * each[of].succeeded / trades)
    const seconds = (of: "calm" | "refused") => shown(median(found.map((each) => each[of].seconds)))
    const total = (of: (proof: Bursts.Proof) => number) =>
      found.reduce((sum, { calm, refused }) => sum + of(calm) + of(refused), 0)
    const finding: Finding = {
      name: "burst-429",
      unit: "%",
      rounds: settled("refused"),
      against: { what: "nothing refused", rounds: settled("calm") },
      goal: atLeast(100, " %"),
      note: `executed in ${seconds("refused")} s (${seconds("calm")} s when nothing is refused); ` +
        `${shown(median(found.map(({ refused }) => refused.refused)))} % of the calls were refused; ` +
        `${total(({ turnedAway }) => turnedAway.length)} were refused at the gate; ${
          total(({ double }) => double)
        } double`
    }
    return [finding]
  })

export const burstRefused: Bench = {
  rows: ["burst-429"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
