/**
 * `npm run switch -- pause|resume|list [service|<wallet address>|<network>/<vault address>] [reason]`: the kill switch,
 * on the service's database. A network and a vault name the bots of that vault. Transactions that are already signed
 * continue; nothing new is signed until the switch is resumed.
 */
import { parse } from "@vault-trader/core/chain/Address"
import { names } from "@vault-trader/core/chain/Network"
import { botScope, KillSwitch, type Scope, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { run } from "../Command.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { CannotStart } from "../StartupFailure.ts"

const usage =
  `Usage: npm run switch -- pause|resume|list [service|<wallet address>|<network>/<vault address>] [reason]. Networks: ${
    names.join(", ")
  }.`

const scopeOf = (text: string | undefined): Effect.Effect<Scope, CannotStart> => {
  if (text === "service") return Effect.succeed("service")
  const [first = "", second] = (text ?? "").split("/")
  const network = names.find((name) => name === first.toLowerCase())
  const pool = parse(second ?? "")
  if (network !== undefined && pool !== undefined) return Effect.succeed<Scope>(botScope(network, pool))
  const wallet = second === undefined ? parse(first) : undefined
  return wallet === undefined ? new CannotStart({ message: usage }) : Effect.succeed(walletScope(wallet))
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
      return yield* say(
        (yield* switches.resume(resumed))
          ? `Signing resumes for  ${resumed}.`
          : `Signing was not stopped for ${resumed}.`
      )
    }
    case "list": {
      const all = yield* switches.list
      return yield* all.length === 0
        ? say("Nothing is stopped.")
        : Effect.forEach(all, (each) => say(`${each.scope}: ${each.reason}`), { discard: true })
    }
    default:
      return yield* new CannotStart({ message: usage })
  }
})

const main = command.pipe(
  Effect.provide(KillSwitch.layer.pipe(Layer.provide(RunningDatabase))),
  Effect.tapError((failure) =>
    Effect.sync(() => process.stderr.write(`${"message" in failure ? failure.message : sentence(failure)}\n`))
  )
)

run(main)
