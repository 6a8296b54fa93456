/**
 * `vault-trader switch pause|resume|list`: the kill switch, on the service's database. A network and a vault name the
 * bots of that vault. Transactions that are already signed continue; nothing new is signed until the switch is resumed.
 */
import { parse } from "@vault-trader/core/chain/Address"
import { names } from "@vault-trader/core/chain/Network"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, type Scope, thresholdBotScope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunningDatabase } from "../RunningDatabase.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

const scopeOf = (text: string): Scope | undefined => {
  if (text === "service") return "service"
  const [first = "", second, ...legs] = text.split("/")
  const network = names.find((name) => name === first.toLowerCase())
  const pool = parse(second ?? "")
  if (network !== undefined && pool !== undefined) {
    const [base, quote] = legs.map(parse)
    if (legs.length === 0) return botScope(network, pool)
    return legs.length === 2 && base !== undefined && quote !== undefined
      ? thresholdBotScope({ network, pool, base, quote })
      : undefined
  }
  const wallet = second === undefined ? parse(first) : undefined
  return wallet === undefined ? undefined : walletScope(wallet)
}

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const scope = ParsedParam.argument(
  "scope",
  `service, a wallet's address, network/vault address, or network/vault/base/quote for one threshold bot, all by address (networks: ${
    names.join(", ")
  })`,
  scopeOf
).pipe(
  Argument.withDescription(
    "service, a wallet's address, network/vault address for the bots of that vault, network/vault/base/quote for one of them"
  )
)

const pause = Command.make(
  "pause",
  {
    scope,
    cancel: ParsedParam.toggle("cancel").pipe(
      Flag.withDescription("Also cancels what is signed and not mined (for service and a wallet, not for bots).")
    ),
    reason: Argument.variadic(Argument.String("reason"))
  },
  Effect.fnUntraced(function*({ cancel, reason, scope }) {
    yield* (yield* KillSwitch).pause(scope, reason.join(" ") || "by the operator", cancel)
    yield* say(`Signing is stopped for ${scope}${cancel ? ", and what is signed is cancelled" : ""}.`)
  })
).pipe(Command.withDescription("Stops signing for a scope."))

const resume = Command.make(
  "resume",
  { scope },
  Effect.fnUntraced(function*({ scope }) {
    const resumed = yield* (yield* KillSwitch).resume(scope)
    yield* say(resumed ? `Signing resumes for ${scope}.` : `Signing was not stopped for ${scope}.`)
  })
).pipe(Command.withDescription("Restarts signing for a scope."))

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    const all = yield* (yield* KillSwitch).list
    if (all.length === 0) return yield* say("Nothing is stopped.")
    yield* Effect.forEach(all, ({ reason, scope }) => say(`${scope}: ${reason}`), { discard: true })
  })
).pipe(Command.withDescription("Lists the scopes for which signing is stopped, with the reasons."))

export const killSwitch = Command.make("switch").pipe(
  Command.withDescription("Stops and restarts signing: of the whole service, a gas wallet, or the bots of a vault."),
  Command.withSubcommands([pause, resume, list]),
  Command.provide(Layer.merge(KillSwitch.layer.pipe(Layer.provide(RunningDatabase)), Operator))
)
