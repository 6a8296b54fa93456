/** Reads the arguments of `npm run limit`. */
import { parse as parseNetwork } from "@vault-trader/core/chain/Network"
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import { type KeyLimits, type VaultId, vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CannotStart } from "../StartupFailure.ts"

export const usage =
  "Usage: npm run limit -- <wallet address or key id> [--vaults network/0x…,…|any] [--max-usd-per-trade N|off] " +
  "[--max-usd-per-day N|off] [--read-only on|off] [--show]"

export interface LimitArguments {
  /** A wallet's address, or the id of one of its keys. */
  readonly id: string
  /** Only the limits that were given; when empty, the limits are shown. */
  readonly changes: Partial<KeyLimits>
}

const unusable = (option: string, text: string, expected: string) =>
  new CannotStart({ message: `${option}: expected ${expected}, not '${text}'. ${usage}` })

const vaultOf = (text: string): VaultId | undefined => {
  const [name = "", address = "", ...rest] = text.trim().split("/")
  const network = parseNetwork(name)
  const pool = parseAddress(address)
  return network === undefined || pool === undefined || rest.length > 0 ? undefined : vaultId(network, pool)
}

const vaultsOf = (option: string, text: string) =>
  Effect.gen(function*() {
    if (text === "any") return { vaults: null }
    const vaults = text.split(",").map(vaultOf)
    const known = vaults.flatMap((vault) => vault ?? [])
    if (known.length < vaults.length) return yield* unusable(option, text, "network/address, comma-separated, or any")
    return { vaults: [...new Set(known)] }
  })

/** Parses USD with 18 decimals; null for off. */
const usdOf = (option: string, text: string) =>
  Effect.gen(function*() {
    if (text === "off") return null
    const amount = /^\d{1,15}(\.\d{1,18})?$/.test(text) ? BigDecimal.fromString(text) : Option.none()
    return Option.isSome(amount)
      ? toRaw(amount.value, 18)
      : yield* unusable(option, text, "USD as 250 or 250.5, or off")
  })

const changeOf = (option: string, text: string): Effect.Effect<Partial<KeyLimits>, CannotStart> => {
  switch (option) {
    case "--vaults":
      return vaultsOf(option, text)
    case "--max-usd-per-trade":
      return Effect.map(usdOf(option, text), (maxUsd18PerTrade) => ({ maxUsd18PerTrade }))
    case "--max-usd-per-day":
      return Effect.map(usdOf(option, text), (maxUsd18PerDay) => ({ maxUsd18PerDay }))
    case "--read-only":
      return text === "on" || text === "off"
        ? Effect.succeed({ readOnly: text === "on" })
        : unusable(option, text, "on or off")
    default:
      return new CannotStart({ message: usage })
  }
}

/** Parses the arguments. Fails, and nothing is changed, on an option that is unknown, repeated or without a value. */
export const read = ([id, ...words]: ReadonlyArray<string>): Effect.Effect<LimitArguments, CannotStart> =>
  Effect.gen(function*() {
    if (id === undefined || id.startsWith("--")) return yield* new CannotStart({ message: usage })
    const options = words.filter((word) => word !== "--show")
    let changes: Partial<KeyLimits> = {}
    for (let index = 0; index < options.length; index += 2) {
      const change = yield* changeOf(options[index] ?? "", options[index + 1] ?? "")
      const [name] = Object.keys(change)
      if (name !== undefined && Object.hasOwn(changes, name)) {
        return yield* new CannotStart({ message: `${options[index]} is given twice. ${usage}` })
      }
      changes = { ...changes, ...change }
    }
    return { id, changes }
  })
