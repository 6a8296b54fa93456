/**
 * The state of a chain after a block: balances, nonces, contracts. It is immutable, so every old block keeps its own at
 * no cost.
 */
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import { createHash } from "node:crypto"
import type { Address } from "@vault-trader/core/chain/Address"

export interface Token {
  readonly _tag: "Token"
  readonly symbol: string
  readonly decimals: number
}
export interface Vault {
  readonly _tag: "Vault"
  readonly managerLogic: Address
}
export interface ManagerLogic {
  readonly _tag: "ManagerLogic"
  readonly vault: Address
  readonly manager: Address
  readonly trader: Address
  readonly assets: ReadonlyArray<{ readonly asset: Address; readonly isDeposit: boolean }>
}
/** Contracts without their own state; they read the chain's. */
export interface Stateless {
  readonly _tag: "Multicall" | "Factory" | "Quoter" | "Router" | "Guard" | "Pair"
}
export type Contract = Token | Vault | ManagerLogic | Stateless

/** A pool of two tokens. Reserves are virtual: those of a full-range pool with the same depth around the price. */
export interface Pair {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** Hundredths of a basis point. */
  readonly fee: number
  readonly reserve0: bigint
  readonly reserve1: bigint
}

export interface AssetInfo {
  /** USD per whole token, 18 decimals. */
  readonly price: bigint
  readonly assetType: number
  /** Unix seconds; `undefined` for a price that never becomes stale. */
  readonly updatedAt: bigint | undefined
}

export interface Guard {
  readonly address: Address
  /** A closed guard lets its contract be approved, never called. */
  readonly kind: "router" | "closed"
}

/** State of the vault platform's factory. */
export interface Platform {
  readonly paused: boolean
  readonly tradingPaused: HashSet.HashSet<Address>
  readonly assets: HashMap.HashMap<Address, AssetInfo>
  readonly guards: HashMap.HashMap<Address, Guard>
  /** Millionths of the value that a vault may lose to swaps, forgiven linearly within a day. */
  readonly slippageBudget: bigint
}

export interface World {
  /** All amounts by key: native balances, nonces, token balances, allowances, slippage. Zeros are not stored. */
  readonly slots: HashMap.HashMap<string, bigint>
  readonly contracts: HashMap.HashMap<Address, Contract>
  readonly pairs: HashMap.HashMap<string, Pair>
  readonly platform: Platform
}

export const empty: World = {
  slots: HashMap.empty(),
  contracts: HashMap.empty(),
  pairs: HashMap.empty(),
  platform: {
    paused: false,
    tradingPaused: HashSet.empty(),
    assets: HashMap.empty(),
    guards: HashMap.empty(),
    slippageBudget: 100_000n
  }
}

export const slot = ({ slots }: World, key: string): bigint => Option.getOrElse(HashMap.get(slots, key), () => 0n)

export const withSlot = (world: World, key: string, value: bigint): World => ({
  ...world,
  slots: value === 0n ? HashMap.remove(world.slots, key) : HashMap.set(world.slots, key, value)
})

export const native = (owner: Address) => `native/${owner}`
export const nonce = (owner: Address) => `nonce/${owner}`
export const balance = (token: Address, owner: Address) => `balance/${token}/${owner}`
export const allowance = (token: Address, owner: Address, spender: Address) => `allowance/${token}/${owner}/${spender}`
/** Key of the base fees paid so far, which no account holds. */
export const burnt = "burnt"

/** Moves an amount between two keys; returns `undefined` when there is not enough. */
export const move = (world: World, from: string, to: string, amount: bigint): World | undefined => {
  const held = slot(world, from)
  if (held < amount) return undefined
  const less = withSlot(world, from, held - amount)
  return withSlot(less, to, slot(less, to) + amount)
}

export const contractAt = ({ contracts }: World, at: Address): Contract | undefined =>
  Option.getOrUndefined(HashMap.get(contracts, at))

export const withContract = (world: World, at: Address, contract: Contract): World => ({
  ...world,
  contracts: HashMap.set(world.contracts, at, contract)
})

const pairKey = (one: Address, other: Address, fee: number) =>
  one < other ? `${one}/${other}/${fee}` : `${other}/${one}/${fee}`

export const pairOf = ({ pairs }: World, one: Address, other: Address, fee: number): Pair | undefined =>
  Option.getOrUndefined(HashMap.get(pairs, pairKey(one, other, fee)))

export const withPair = (world: World, pair: Pair): World => ({
  ...world,
  pairs: HashMap.set(world.pairs, pairKey(pair.token0, pair.token1, pair.fee), pair)
})

/** Returns the address for a name, the same in every run. */
export const addressOf = (name: string): Address => `0x${createHash("sha256").update(name).digest("hex").slice(-40)}`

/** Returns the whole state as sorted lines: two states are equal when these are. */
export const lines = (world: World): ReadonlyArray<string> => {
  const print = (value: unknown) =>
    JSON.stringify(value, (_, part: unknown) => typeof part === "bigint" ? part.toString() : part)
  const map = <A>(name: string, entries: Iterable<readonly [string, A]>) =>
    Array.from(entries, ([key, value]) => `${name}/${key} ${print(value)}`)
  const { assets, guards, paused, slippageBudget, tradingPaused } = world.platform
  return [
    ...map("slot", world.slots),
    ...map("contract", world.contracts),
    ...map("pair", world.pairs),
    ...map("asset", assets),
    ...map("guard", guards),
    ...Array.from(tradingPaused, (vault) => `trading paused ${vault}`),
    `paused ${paused}`,
    `slippage budget ${slippageBudget}`
  ].sort()
}
