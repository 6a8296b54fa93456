/**
 * An API key with bounds of its own, for an agent or a script. It acts for the wallet of the key that made it, and can
 * do nothing that this key cannot do at that moment.
 */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import type { Scope } from "../endpoint/ChangeScope.ts"
import { KeyLimits, keyLimitsView, VaultId } from "./KeyLimits.ts"

/**
 * The scopes of changes that a sub-key may have. Bots, orders and exchange bots are none of them: what they trade later
 * is no request of the key, and its maximums would not count it.
 */
export const subKeyScopes = ["trade", "lend", "liquidity", "perpetuals", "fees", "switches"] as const satisfies //
ReadonlyArray<Scope>

export const SubKeyScope = Schema.Literals(subKeyScopes)
export type SubKeyScope = typeof SubKeyScope.Type

/** Changes in these scopes that no sub-key may make. */
export const withheldFromSubKeys: ReadonlySet<string> = new Set([
  "withdrawFromPerpetuals",
  "setVaultGroup",
  "removeVaultGroup"
])

/** Changes whose vaults only their handler knows: it checks each of them for a sub-key with a list of vaults. */
export const vaultsCheckedLater: ReadonlySet<string> = new Set(["tradeGroup"])

/** Returns true if a sub-key with these scopes can sell something, so that it needs a maximum. */
export const sells = (scopes: ReadonlyArray<SubKeyScope>): boolean =>
  scopes.some((scope) => scope !== "fees" && scope !== "switches")

/** Maximum number of sub-keys of a wallet that have not ended. */
export const maxSubKeys = 50
/** Maximum number of days from the creation of a sub-key to its end. */
export const maxDays = 90
export const defaultDays = 7

/** The bounds of a sub-key, as they are checked at every request. */
export const SubKeyBounds = Schema.Struct({
  id: Schema.String,
  /** Empty: reads only. */
  scopes: Schema.Array(SubKeyScope),
  /** The names of the only endpoints; null: all reads, and all changes of the scopes. */
  endpoints: Schema.NullOr(Schema.Array(Schema.String)),
  vaults: Schema.NullOr(Schema.Array(VaultId)),
  maxUsd18PerTrade: Schema.NullOr(Schema.BigIntFromString),
  maxUsd18PerDay: Schema.NullOr(Schema.BigIntFromString),
  /** The only client addresses, as addresses and blocks; null: any. */
  sources: Schema.NullOr(Schema.Array(Schema.String))
}).annotate({ identifier: "SubKeyBounds" })
export type SubKeyBounds = typeof SubKeyBounds.Type

/** A sub-key as its owner sees it. */
export const SubKey = Schema.Struct({
  ...SubKeyBounds.fields,
  wallet: Address,
  lastFour: Schema.String,
  label: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  usedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "SubKey" })
export type SubKey = typeof SubKey.Type

/** Returns the bounds that are checked as a wallet's limits are, for the requests of this sub-key alone. */
export const limitsOf = (
  { maxUsd18PerDay, maxUsd18PerTrade, scopes, vaults }: Pick<
    SubKeyBounds,
    "maxUsd18PerDay" | "maxUsd18PerTrade" | "scopes" | "vaults"
  >
): KeyLimits => KeyLimits.make({ vaults, maxUsd18PerTrade, maxUsd18PerDay, readOnly: scopes.length === 0 })

/** A sub-key on the wire. */
export const SubKeyView = Schema.Struct({
  sub_key_id: Schema.String,
  last_four: Schema.String,
  label: Schema.NullOr(Schema.String),
  scopes: Schema.Array(SubKeyScope),
  endpoints: Schema.NullOr(Schema.Array(Schema.String)),
  vaults: Schema.NullOr(Schema.Array(VaultId)),
  max_usd_per_trade: Schema.NullOr(Schema.String),
  max_usd_per_day: Schema.NullOr(Schema.String),
  sources: Schema.NullOr(Schema.Array(Schema.String)),
  created_at: Schema.String,
  expires_at: Schema.String,
  last_used_at: Schema.NullOr(Schema.String)
})

/** Returns a sub-key as responses and audit entries show it. */
export const viewOf = (key: SubKey): typeof SubKeyView.Type => {
  const { max_usd_per_day, max_usd_per_trade, vaults } = keyLimitsView(limitsOf(key))
  const { createdAt, endpoints, expiresAt, id, label, lastFour, scopes, sources, usedAt } = key
  return {
    ...{ sub_key_id: id, last_four: lastFour, label, scopes, endpoints, vaults, max_usd_per_trade, max_usd_per_day },
    ...{ sources, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() },
    last_used_at: usedAt?.toISOString() ?? null
  }
}
