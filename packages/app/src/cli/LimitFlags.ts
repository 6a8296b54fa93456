/** The flags of `vault-trader limit`, and the limits they change. */
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { parse as parseNetwork } from "@vault-trader/core/chain/Network"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import { type KeyLimits, type VaultId, vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import * as BigDecimal from "effect/BigDecimal"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as ParsedParam from "./ParsedParam.ts"

const vaultOf = (text: string): VaultId | undefined => {
  const [name = "", address = "", ...rest] = text.trim().split("/")
  const network = parseNetwork(name)
  const pool = parseAddress(address)
  return network === undefined || pool === undefined || rest.length > 0 ? undefined : vaultId(network, pool)
}

/** Parses a list of vaults without repetitions; null for any vault. */
const vaultsOf = (text: string): ReadonlyArray<VaultId> | null | undefined => {
  if (text === "any") return null
  const vaults = text.split(",").map(vaultOf)
  const known = vaults.flatMap((vault) => vault ?? [])
  return known.length < vaults.length ? undefined : [...new Set(known)]
}

/** Parses USD with 18 decimals; null for off. */
const usdOf = (text: string): bigint | null | undefined => {
  if (text === "off") return null
  const amount = /^\d{1,15}(\.\d{1,18})?$/.test(text) ? BigDecimal.fromString(text) : Option.none()
  return Option.isSome(amount) ? toRaw(amount.value, 18) : undefined
}

const usdFlag = (name: string) => ParsedParam.flag(name, "USD|off", "USD as 250 or 250.5, or off", usdOf)
const onOffOf = (text: string) => text === "on" ? true : text === "off" ? false : undefined

/** The limits to change. Limits without a flag stay as they are. */
export const limitFlags = {
  vaults: ParsedParam.flag("vaults", "list|any", "network/address, comma-separated, or any", vaultsOf).pipe(
    Flag.withDescription("Vaults the wallet may trade, as base/0x…,optimism/0x…"),
    ParsedParam.optional
  ),
  maxUsd18PerTrade: usdFlag("max-usd-per-trade").pipe(
    Flag.withDescription("Most that one trade may sell"),
    ParsedParam.optional
  ),
  maxUsd18PerDay: usdFlag("max-usd-per-day").pipe(
    Flag.withDescription("Most that the trades of a day (UTC) may sell"),
    ParsedParam.optional
  ),
  readOnly: ParsedParam.flag("read-only", "on|off", "on or off", onOffOf).pipe(
    Flag.withDescription("Whether the key may only read"),
    ParsedParam.optional
  )
}

/** Returns only the limits that were given. */
export const changesOf = (given: Command.Command.Config.Infer<typeof limitFlags>): Partial<KeyLimits> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
