/**
 * `npm run switch -- pause|resume|list [service|<wallet address>] [reason]`: the kill switch, on the service's database.
 * What is signed already goes on; nothing new is signed until the switch is off again.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { parse } from "@vault-trader/core/chain/Address"
import { KillSwitch, type Scope } from "@vault-trader/core/gas-wallet/KillSwitch"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunningDatabase } from "./RunningDatabase.ts"
import { CannotStart } from "./Stop.ts"

const usage = "Usage: npm run switch -- pause|resume|list [service|<wallet address>] [reason]"

const scopeOf = (text: string | undefined): Effect.Effect<Scope, CannotStart> => {
  if (text === "service") return Effect.succeed("service")
  const wallet = parse(text ?? "")
  return wallet === undefined ? new CannotStart({ message: usage }) : Effect.succeed<Scope>(`wallet/${wallet}`)
}

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const command = Effect.gen(function*() {
  const switches = yield* KillSwitch
  const [what, scope, ...reason] = process.argv.slice(2)
  switch (what) {
    case "pause": {
      const paused = yield* scopeOf(scope)
      yield* switches.pause(paused, reason.join(" ") || "by the operator")
      return yield* say(`Signing is stopped for ${paused}.`)
    }
    case "resume": {
      const resumed = yield* scopeOf(scope)
      return yield* say((yield* switches.resume(resumed)) ? `Signing goes on for ${resumed}.` : `Signing was not stopped for ${resumed}.`)
    }
    case "list": {
      const all = yield* switches.list
      return yield* all.length === 0 ? say("Nothing is stopped.") : Effect.forEach(all, (each) => say(`${each.scope}: ${each.reason}`), { discard: true })
    }
    default:
      return yield* new CannotStart({ message: usage })
  }
})

const main = command.pipe(
  Effect.provide(KillSwitch.layer.pipe(Layer.provide(RunningDatabase))),
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${"message" in failure ? failure.message : sentence(failure)}\n`)))
)

NodeRuntime.runMain(main, { disableErrorReporting: true })
