/**
 * The state of the fake derivatives exchange. It follows from the chain's events alone, so it can be rebuilt at any
 * time.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { type Coin, coins } from "../contract/Coins.ts"
import { absolute, times } from "./Numbers.ts"
import type { LimitOrder, RawAction } from "./RawAction.ts"

/** The time and the transaction of an event. */
export interface Moment {
  /** Unix milliseconds of the block. */
  readonly time: number
  readonly hash: string
}

export interface Position {
  /** Coins, 8 decimals; negative when short. */
  size: bigint
  /** Amount they were bought or sold for, 8 decimals, never negative. */
  cost: bigint
}

export type OrderStatus =
  | "open"
  | "filled"
  | "canceled"
  | "reduceOnlyCanceled"
  | "tickRejected"
  | "minTradeNtlRejected"
  | "perpMarginRejected"
  | "reduceOnlyRejected"
  | "badAloPxRejected"
  | "iocCancelRejected"

export interface Order extends LimitOrder {
  readonly oid: number
  readonly user: Address
  readonly placed: Moment
  left: bigint
  status: OrderStatus
  statusTime: number
}

export interface Fill {
  readonly order: Order
  readonly tid: number
  readonly px: bigint
  readonly sz: bigint
  /** True if the order took from the book, false if it rested there. */
  readonly crossed: boolean
  readonly fee: bigint
  readonly closedPnl: bigint
  readonly startPosition: bigint
  readonly moment: Moment
}

/** An account. Amounts in USD, 8 decimals. */
export interface Account {
  /** Balance of the perpetuals part, including gains and losses of closed positions. */
  cash: bigint
  /** Balance of the spot part. */
  spot: bigint
  /** Total deposited from the chain, 6 decimals. */
  credited: bigint
  readonly positions: Map<number, Position>
}

/** A movement of money other than by trading. Amounts in USD, 8 decimals. */
export type Movement =
  | { readonly _tag: "deposit"; readonly amount: bigint }
  | { readonly _tag: "classTransfer"; readonly amount: bigint; readonly toPerp: boolean }
  | { readonly _tag: "spotTransfer"; readonly amount: bigint; readonly from: Address; readonly to: Address }
  | {
    readonly _tag: "send"
    readonly amount: bigint
    readonly from: Address
    readonly to: Address
    readonly isFromPerp: boolean
    readonly isToPerp: boolean
  }

/** An action held until `resume`. */
interface HeldAction extends Moment {
  readonly user: Address
  readonly action: RawAction | undefined
}

export interface State {
  readonly accounts: Map<Address, Account>
  readonly orders: Array<Order>
  readonly fills: Array<Fill>
  readonly movements: Array<{ readonly user: Address; readonly moment: Moment; readonly movement: Movement }>
  /** Middle of the book, mark and oracle price in one, by asset. */
  readonly prices: Map<number, bigint>
  /** Coins an order finds in a book, where a depth is configured. */
  readonly depths: Map<number, bigint>
  /** Number of next actions to drop silently. */
  drops: number
  /** True while actions are held. */
  isHolding: boolean
  readonly held: Array<HeldAction>
  /** Payments from the exchange to the chain, 6 decimals, in order. */
  readonly payments: Array<{ readonly to: Address; readonly amount: bigint }>
  /** State that was already reported to the chain. */
  readonly reported: {
    readonly prices: Map<number, bigint>
    readonly accounts: Map<Address, { readonly worth: bigint; readonly credited: bigint }>
    paid: number
  }
  /** Time of the last event, unix milliseconds. */
  time: number
}

const startingPrices = () => new Map(coins.map(({ price }, asset) => [asset, price]))

/** Returns the state before the first event. */
export const initial = (): State => ({
  accounts: new Map(),
  orders: [],
  fills: [],
  movements: [],
  prices: startingPrices(),
  depths: new Map(),
  drops: 0,
  isHolding: false,
  held: [],
  payments: [],
  reported: { prices: startingPrices(), accounts: new Map(), paid: 0 },
  time: 0
})

/** Returns the coin if it is traded. */
export const listed = (asset: number): Coin | undefined => {
  const coin = coins[asset]
  return coin?.isListed === true ? coin : undefined
}

export const priceOf = ({ prices }: State, asset: number): bigint => prices.get(asset) ?? 0n

/** Returns a user's account, opening it if there is none yet. */
export const account = ({ accounts }: State, user: Address): Account => {
  const found = accounts.get(user) ?? { cash: 0n, spot: 0n, credited: 0n, positions: new Map<number, Position>() }
  accounts.set(user, found)
  return found
}

/** Returns the exchange's default leverage, which cannot be changed here. */
export const leverageOf = ({ maxLeverage }: Coin): bigint => BigInt(Math.min(20, maxLeverage))

const sum = (account: Account, of: (position: Position, asset: number) => bigint) =>
  Array.from(account.positions).reduce((total, [asset, position]) => total + of(position, asset), 0n)

export const notional = (state: State, { size }: Position, asset: number): bigint =>
  times(absolute(size), priceOf(state, asset))

export const unrealized = (state: State, { cost, size }: Position, asset: number): bigint =>
  times(size, priceOf(state, asset)) - (size < 0n ? -cost : cost)

export const margin = (state: State, position: Position, asset: number): bigint => {
  const coin = coins[asset]
  return coin === undefined ? 0n : notional(state, position, asset) / leverageOf(coin)
}

/** Returns the margin below which the real exchange closes positions. This one does not. */
export const maintenance = (state: State, position: Position, asset: number): bigint => {
  const coin = coins[asset]
  return coin === undefined ? 0n : notional(state, position, asset) / BigInt(2 * coin.maxLeverage)
}

/** Summarises an account's perpetuals, in USD with 8 decimals. */
export const summary = (state: State, account: Account) => {
  const total = (of: typeof notional) => sum(account, (position, asset) => of(state, position, asset))
  const value = account.cash + total(unrealized)
  const [notionals, used] = [total(notional), total(margin)]
  // An account must keep its margin, and at least a tenth of its positions.
  const required = used > notionals / 10n ? used : notionals / 10n
  return {
    value,
    notional: notionals,
    margin: used,
    maintenance: total(maintenance),
    /** Value without that of the coins. */
    raw: value - sum(account, ({ size }, asset) => times(size, priceOf(state, asset))),
    withdrawable: value > required ? value - required : 0n
  }
}

/** Returns an account's total value in the chain's USDC, 6 decimals. */
export const worth = (state: State, account: Account): bigint => {
  const total = summary(state, account).value + account.spot
  return total > 0n ? total / 100n : 0n
}
