/** Time of a command line that needs no service. */
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as Path from "node:path"
import { type Bench, type Options, say } from "../Bench.ts"
import { root } from "../Machine.ts"
import { below, type Finding, shown } from "../Row.ts"
import { bareNode } from "./WarmStart.ts"

/** Returns the seconds of `vault-trader --help`. */
const help = Effect.suspend(() => {
  const began = performance.now()
  const args = [Path.join(root, "scripts/run.mjs"), "vault-trader", "--help"]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
  const seconds = (performance.now() - began) / 1000
  return status === 0 && stdout.includes("vault-trader")
    ? Effect.succeed(seconds)
    : Effect.die(new Error(`vault-trader --help ended with ${status}: ${stdout}`))
})

const measure = ({ rounds = 7 }: Options) =>
  Effect.gen(function*() {
    yield* help
    const found = { ours: [] as Array<number>, node: [] as Array<number> }
    for (let turn = 1; turn <= rounds; turn++) {
      found.ours.push(yield* help)
      found.node.push(yield* bareNode)
      yield* say(`  round ${turn}: ${shown(found.ours.at(-1) ?? 0)} s, node ${shown(found.node.at(-1) ?? 0)} s`)
    }
    const finding: Finding = {
      name: "command",
      unit: "s",
      rounds: found.ours,
      against: { what: "node -e ''", rounds: found.node },
      goal: below(0.3, " s"),
      note: "vault-trader --help, from the start of the process to its end"
    }
    return [finding]
  })

export const command: Bench = { rows: ["command"], run: measure }
