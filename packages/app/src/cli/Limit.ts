/**
 * `vault-trader limit <wallet or key id> […]`: shows or changes the limits of a key, on the service's database. They
 * are read in the transaction of every signature, so a change takes effect at once everywhere; transactions that are
 * already signed continue.
 */
import { format } from "@vault-trader/core/chain/Quantity"
import { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { RunningDatabase } from "../RunningDatabase.ts"
import { CannotStart } from "../StartupFailure.ts"
import { changesOf, limitFlags } from "./LimitFlags.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

const usdOrOff = (usd18: bigint | null) => usd18 === null ? "off" : format(usd18, 18)

const linesOf = (wallet: string, limits: KeyLimits, used: bigint) => [
  `Limits of wallet ${wallet}, whatever its key:`,
  `  vaults             ${limits.vaults === null ? "any" : limits.vaults.join(", ") || "none"}`,
  `  max USD per trade  ${usdOrOff(limits.maxUsd18PerTrade)}`,
  `  max USD per day    ${usdOrOff(limits.maxUsd18PerDay)} (sold or about to be today, UTC: ${format(used, 18)})`,
  `  read-only          ${limits.readOnly ? "on" : "off"}`
]

const changeLimits = (id: string, changes: Partial<KeyLimits>) =>
  Effect.gen(function*() {
    const store = yield* KeyLimitStore
    const wallet = yield* store.walletOf(id)
    if (Option.isNone(wallet)) return yield* new CannotStart({ message: `There is no wallet and no key ${id} here.` })
    if (Object.keys(changes).length > 0) {
      yield* store.change(wallet.value, (now) => KeyLimits.make({ ...now, ...changes }))
    }
    const { limits } = yield* store.find(wallet.value)
    const lines = linesOf(wallet.value, limits, yield* store.usedToday(wallet.value))
    yield* Effect.sync(() => process.stdout.write(`${lines.join("\n")}\n`))
  }).pipe(Effect.provide(Layer.merge(KeyLimitStore.layer.pipe(Layer.provide(RunningDatabase)), Operator)))

export const limitParams = {
  id: Argument.String("wallet").pipe(Argument.withDescription("A wallet's address, or the id of one of its keys")),
  flags: limitFlags,
  show: ParsedParam.toggle("show").pipe(Flag.withDescription("Only show the limits, as without any flag"))
}

export const limit = Command.make("limit", limitParams, ({ flags, id }) => changeLimits(id, changesOf(flags))).pipe(
  Command.withDescription("Shows or changes the limits of a gas wallet's key; they take effect at once everywhere.")
)
