/**
 * The limits of a key. They belong to the wallet behind the key, so a rotated key has the same limits. All are off by
 * default. USD values have 18 decimals and come from the vaults' own oracle.
 */
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { format } from "../chain/Quantity.ts"
import { explain } from "../failure/Explanation.ts"
import type { ExecutionFailure } from "../failure/Failure.ts"

/** The name of a vault in limits: `network/address`. */
export const VaultId = Schema.TemplateLiteral([Network, "/", "0x", Schema.String]).pipe(
  Schema.check(Schema.isPattern(/^[a-z]+\/0x[0-9a-f]{40}$/u))
)
export type VaultId = typeof VaultId.Type

export const vaultId = (network: Network, pool: Address): VaultId => `${network}/${pool}`

export const KeyLimits = Schema.Struct({
  /** Null: every vault the wallet may trade. An empty list: none. */
  vaults: Schema.NullOr(Schema.Array(VaultId)),
  /** Maximum value that one intent may sell; null: off. */
  maxUsd18PerTrade: Schema.NullOr(Schema.BigIntFromString),
  /** Maximum value that the intents of one day (UTC) may sell together; null: off. */
  maxUsd18PerDay: Schema.NullOr(Schema.BigIntFromString),
  /** Reads are allowed, writes are refused. */
  readOnly: Schema.Boolean
}).annotate({ identifier: "KeyLimits" })
export type KeyLimits = typeof KeyLimits.Type

/** No limits. */
export const none = KeyLimits.make({ vaults: null, maxUsd18PerTrade: null, maxUsd18PerDay: null, readOnly: false })

export const isNone = (limits: KeyLimits): boolean =>
  limits.vaults === null && limits.maxUsd18PerTrade === null && limits.maxUsd18PerDay === null && !limits.readOnly

/** Checks whether these limits need the value of a request. */
export const aboutWorth = ({ maxUsd18PerDay, maxUsd18PerTrade }: KeyLimits): boolean =>
  maxUsd18PerTrade !== null || maxUsd18PerDay !== null

const smaller = (one: bigint | null, other: bigint | null) =>
  one === null ? other : other === null || one < other ? one : other

/** Combines two sets of limits: what either refuses is refused. A manager can so lower limits without raising one. */
export const tightest = (one: KeyLimits, other: KeyLimits): KeyLimits =>
  KeyLimits.make({
    vaults: one.vaults === null
      ? other.vaults
      : one.vaults.filter((vault) => other.vaults === null || other.vaults.includes(vault)),
    maxUsd18PerTrade: smaller(one.maxUsd18PerTrade, other.maxUsd18PerTrade),
    maxUsd18PerDay: smaller(one.maxUsd18PerDay, other.maxUsd18PerDay),
    readOnly: one.readOnly || other.readOnly
  })

/** Returns limits as responses and audit entries show them; amounts in USD. */
export const keyLimitsView = ({ maxUsd18PerDay, maxUsd18PerTrade, readOnly, vaults }: KeyLimits) => ({
  vaults,
  max_usd_per_trade: maxUsd18PerTrade === null ? null : format(maxUsd18PerTrade, 18),
  max_usd_per_day: maxUsd18PerDay === null ? null : format(maxUsd18PerDay, 18),
  read_only: readOnly
})

/** Checks whether two sets of limits are the same, whatever the order of their vaults. */
export const isSame = (one: KeyLimits, other: KeyLimits): boolean => {
  const vaultsOfAll = [one, other].map(({ vaults }) => vaults === null ? null : [...new Set(vaults)].sort().join(" "))
  return vaultsOfAll[0] === vaultsOfAll[1] && one.maxUsd18PerTrade === other.maxUsd18PerTrade &&
    one.maxUsd18PerDay === other.maxUsd18PerDay && one.readOnly === other.readOnly
}

/** Checks whether `to` allows anything that `from` refuses. */
export const isRaise = (from: KeyLimits, to: KeyLimits): boolean => !isSame(tightest(from, to), to)

const cent = 10n ** 16n
/** Rounds up, so that no message shows an exceeding value as equal to the limit. */
export const roundedUp = (usd18: bigint) => `${format((usd18 + cent - 1n) / cent, 2)} USD`
const roundedDown = (usd18: bigint) => `${format((usd18 > 0n ? usd18 : 0n) / cent, 2)} USD`
const exactly = (usd18: bigint) => `${format(usd18, 18)} USD`

/**
 * Returns why a write on this vault is refused regardless of its value. `vault` is null for a write that is not about a
 * vault.
 */
export const refusalOf = (limits: KeyLimits, vault: VaultId | null): ExecutionFailure | undefined => {
  if (limits.readOnly) {
    return explain({ _tag: "KeyReadOnly", vault })
  }
  if (vault === null || limits.vaults === null || limits.vaults.includes(vault)) return undefined
  return explain({ _tag: "KeyTradesOtherVaults", allowed: limits.vaults, vault })
}

/**
 * Returns the vaults whose limits apply to a write: its own, or those it names when it runs under its wallet's address.
 */
export const vaultsOf = (
  { network, pool, wallet }: { readonly network: Network; readonly pool: Address; readonly wallet: Address },
  named: ReadonlyArray<Address> = []
): ReadonlyArray<VaultId> => (pool === wallet ? named : [pool]).map((vault) => vaultId(network, vault))

/** Returns why a write on these vaults is refused regardless of its value. */
export const refusalOfAll = (limits: KeyLimits, vaults: ReadonlyArray<VaultId>): ExecutionFailure | undefined =>
  (vaults.length === 0 ? [null] : vaults).map((vault) => refusalOf(limits, vault)).find((refusal) =>
    refusal !== undefined
  )

/** The value an intent sells, and the value the wallet's other intents of that day sell. */
interface Worth {
  /** Null when the oracle has no price. */
  readonly usd18: bigint | null
  readonly others: bigint
}

/** Returns why a write of this value is refused; every limit in USD refuses an unknown value. */
export const refusalOfWorth = (limits: KeyLimits, { others, usd18 }: Worth): ExecutionFailure | undefined => {
  const { maxUsd18PerDay, maxUsd18PerTrade } = limits
  if (!aboutWorth(limits)) return undefined
  if (usd18 === null) return explain({ _tag: "SaleUnpriced" })
  const worth = roundedUp(usd18)
  const day = maxUsd18PerDay === null
    ? null
    : { left: roundedDown(maxUsd18PerDay - others), max: exactly(maxUsd18PerDay) }
  if (maxUsd18PerTrade !== null && usd18 > maxUsd18PerTrade) {
    return explain({ _tag: "KeySaleTooLarge", max: exactly(maxUsd18PerTrade), day, worth })
  }
  // A request that sells nothing is never refused because of other sales.
  if (maxUsd18PerDay === null || day === null || usd18 === 0n || usd18 + others <= maxUsd18PerDay) return undefined
  return explain({ _tag: "KeyDayExceeded", ...day, worth })
}
