/**
 * A runner ends in the middle of a burst: measures how long the other one takes to execute everything that was
 * accepted.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Bench, type Options, say } from "../Bench.ts"
import { atMost, below, type Finding, shown } from "../Row.ts"
import * as Bursts from "./Bursts.ts"
import { ServiceUnderTest } from "./ServiceUnderTest.ts"
import * as Vaults from "./Vaults.ts"

/** Number of trades: few, so that the takeover dominates the measurement. */
const trades = 40
/** Trades that have ended when the runner is stopped: a quarter, so that it is in the middle of its work. */
const mark = 10

type How = "undisturbed" | "SIGKILL" | "SIGTERM"

/** A machine's runner in a separate scope, so that it can be replaced. */
const runnerOf = (machine: number, startRunner: ServiceUnderTest["Service"]["startRunner"]) =>
  Effect.gen(function*() {
    const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
    const process = yield* Scope.provide(startRunner(machine), scope)
    return { machine, process, gone: Scope.close(scope, Exit.void) }
  })

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const { start, startRunner } = yield* ServiceUnderTest
    let first = yield* runnerOf(1, startRunner)
    let second = yield* runnerOf(2, startRunner)
    const { baseUrl } = yield* start("server")
    const traders = yield* Vaults.traders(baseUrl, { vaults: 20, wallets: 4 })
    const found: Record<How, Array<Bursts.Proof>> = { undisturbed: [], SIGKILL: [], SIGTERM: [] }

    const round = (how: How, turn: number) =>
      Effect.gen(function*() {
        const { process } = second
        const meanwhile = how === "undisturbed" ? Effect.void : process.signal(how)
        const proof = yield* Bursts.carried({
          name: `${how}-${turn}`,
          baseUrl,
          traders,
          count: trades,
          mark,
          meanwhile
        })
        yield* say(
          `  ${how}: all ended after ${shown(proof.seconds)} s; ` +
            `${proof.succeeded} of ${proof.accepted} carried out, ${proof.double} double`
        )
        if (turn >= 0) found[how].push(proof)
        if (how === "undisturbed") return
        yield* process.ended
        yield* second.gone // The survivor is the next to be stopped: each of them ends once, and each takes over once.
        ;[first, second] = [yield* runnerOf(second.machine, startRunner), first]
      })

    yield* round("undisturbed", -1)
    for (let turn = 0; turn < rounds; turn++) {
      for (const how of ["undisturbed", "SIGKILL", "SIGTERM"] as const) yield* round(how, turn)
    }
    return findings(found)
  })

const findings = (found: Readonly<Record<How, ReadonlyArray<Bursts.Proof>>>): ReadonlyArray<Finding> => {
  const seconds = (how: How) => found[how].map((proof) => proof.seconds)
  const against = { what: "the same moment of an undisturbed burst", rounds: seconds("undisturbed") }
  const all = Object.values(found).flat()
  const wrong = (what: "lost" | "double") => all.reduce((sum, proof) => sum + proof[what], 0)
  return [
    {
      name: "recovery",
      unit: "s",
      rounds: seconds("SIGKILL"),
      against,
      goal: below(7, " s"),
      note: `kill -9 of one of two runners when ${mark} of ${trades} trades have ended`
    },
    { name: "recovery/sigterm", unit: "s", rounds: seconds("SIGTERM"), against, goal: below(2, " s") },
    {
      name: "recovery/lost",
      unit: "intents",
      rounds: [wrong("lost")],
      goal: atMost(0, ""),
      note: `of ${all.reduce((sum, { accepted }) => sum + accepted, 0)} that were accepted in all bursts`
    },
    {
      name: "recovery/double",
      unit: "transactions",
      rounds: [wrong("double")],
      goal: atMost(0, ""),
      note: "by the wallets' nonces and the vaults' balances on the chain"
    }
  ]
}

export const recovery: Bench = {
  rows: ["recovery", "recovery/sigterm", "recovery/lost", "recovery/double"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
