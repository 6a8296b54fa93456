/** Orders of the fake derivatives exchange: checked, matched, kept, cancelled. */
import type { Address } from "@vault-trader/core/chain/Address"
import { min } from "@vault-trader/core/chain/Quantity"
import { absolute, one, times } from "./Numbers.ts"
import * as OrderBook from "./OrderBook.ts"
import type { LimitOrder } from "./RawAction.ts"
import {
  account,
  leverageOf,
  listed,
  type Moment,
  type Order,
  type OrderStatus,
  priceOf,
  type State,
  summary
} from "./State.ts"

/** Millionths of the notional: the taker pays more than the maker. */
const [takerFee, makerFee] = [450n, 150n]

const minNotional = 10n * one

const end = (order: Order, status: OrderStatus, { time }: Moment) => {
  order.status = status
  order.statusTime = time
}

const positionOf = (state: State, user: Address, asset: number) =>
  account(state, user).positions.get(asset) ?? { size: 0n, cost: 0n }

/** Returns how much of an order's remaining size would only reduce the position. */
const reducible = (state: State, { asset, isBuy, left, user }: Order): bigint => {
  const { size } = positionOf(state, user, asset)
  return (isBuy ? size < 0n : size > 0n) ? min(left, absolute(size)) : 0n
}

/** Returns the position after buying or selling, and the profit of the part that closed. */
const afterTrade = (
  before: { readonly size: bigint; readonly cost: bigint },
  isBuy: boolean,
  px: bigint,
  sz: bigint
) => {
  const signed = isBuy ? sz : -sz
  const size = before.size + signed
  const isSameSide = before.size === 0n || before.size < 0n === signed < 0n
  if (isSameSide) return { size, cost: before.cost + times(px, sz), closedPnl: 0n }
  const closing = min(sz, absolute(before.size))
  const released = before.cost * closing / absolute(before.size)
  const profit = times(px, closing) - released
  const opened = sz - closing
  return {
    size,
    cost: opened > 0n ? times(px, opened) : before.cost - released,
    closedPnl: before.size > 0n ? profit : -profit
  }
}

const fill = (state: State, order: Order, px: bigint, sz: bigint, crossed: boolean, moment: Moment) => {
  const { asset, isBuy, user } = order
  const owner = account(state, user)
  const before = positionOf(state, user, asset)
  const { closedPnl, cost, size } = afterTrade(before, isBuy, px, sz)
  const fee = times(px, sz) * (crossed ? takerFee : makerFee) / 1_000_000n
  owner.cash += closedPnl - fee
  if (size === 0n) owner.positions.delete(asset)
  else owner.positions.set(asset, { size, cost })
  order.left -= sz
  const tid = 500_000 + state.fills.length
  state.fills.push({ order, tid, px, sz, crossed, fee, closedPnl, startPosition: before.size, moment })
  if (order.left === 0n) end(order, "filled", moment)
}

/** Fills an order from the book, within its limit. */
const take = (state: State, order: Order, moment: Moment) => {
  const { asset, isBuy, px } = order
  for (const level of OrderBook.within(OrderBook.facing(state, asset, isBuy), isBuy, px)) {
    const wanted = order.reduceOnly ? reducible(state, order) : order.left
    const sz = min(wanted, level.sz)
    if (sz > 0n) fill(state, order, level.px, sz, true, moment)
  }
}

/** Returns whether the account has the margin for the whole order. An order that only reduces a position always has. */
const hasMargin = (state: State, { asset, isBuy, px, sz, user }: Order): boolean => {
  const coin = listed(asset)
  if (coin === undefined) return false
  const before = positionOf(state, user, asset).size
  const after = absolute(before + (isBuy ? sz : -sz))
  if (after <= absolute(before)) return true
  const now = summary(state, account(state, user))
  const here = times(absolute(before), priceOf(state, asset)) / leverageOf(coin)
  const needed = now.margin - here + times(after, priceOf(state, asset)) / leverageOf(coin)
  return now.value - times(px, sz) * takerFee / 1_000_000n >= needed
}

/** Returns why an order is refused before matching. */
const refusal = (state: State, order: Order): OrderStatus | undefined => {
  const { asset, isBuy, px, reduceOnly, sz, timeInForce } = order
  if (!OrderBook.isPrice(asset, px) || !OrderBook.isSize(asset, sz)) return "tickRejected"
  if (reduceOnly && reducible(state, order) === 0n) return "reduceOnlyRejected"
  // A remainder may be closed however small it is.
  if (!reduceOnly && times(px, sz) < minNotional) return "minTradeNtlRejected"
  if (!reduceOnly && !hasMargin(state, order)) return "perpMarginRejected"
  const crosses = OrderBook.within(OrderBook.facing(state, asset, isBuy), isBuy, px).length > 0
  if (timeInForce === 1 && crosses) return "badAloPxRejected"
  return timeInForce === 3 && !crosses ? "iocCancelRejected" : undefined
}

/**
 * Places an order. An order for a coin that is not traded, or under a cloid its sender has used before, leaves no
 * record: the exchange says nothing about those. Other refused orders are kept and can be queried.
 */
export const place = (state: State, user: Address, wanted: LimitOrder, moment: Moment): void => {
  const isKnown = wanted.cloid !== 0n &&
    state.orders.some((other) => other.user === user && other.cloid === wanted.cloid)
  if (listed(wanted.asset) === undefined || isKnown) return
  const order: Order = {
    ...wanted,
    user,
    oid: 1000 + state.orders.length,
    placed: moment,
    left: wanted.sz,
    status: "open",
    statusTime: moment.time
  }
  const refused = refusal(state, order)
  state.orders.push(order)
  if (refused !== undefined) return end(order, refused, moment)
  if (order.timeInForce !== 1) take(state, order, moment)
  if (order.left > 0n && order.timeInForce === 3) end(order, "canceled", moment)
}

/** Cancels the matching open orders of `user`; does nothing when there are none. */
export const cancel = (state: State, user: Address, matches: (order: Order) => boolean, moment: Moment): void => {
  for (const order of state.orders) {
    if (order.user === user && order.status === "open" && matches(order)) end(order, "canceled", moment)
  }
}

/** Fills resting orders from the book as it is now, at their own limit price, oldest first. */
export const rematch = (state: State, asset: number, moment: Moment): void => {
  const found = new Map([true, false].map((isBuy) => [isBuy, 0n]))
  for (const order of state.orders) {
    if (order.asset !== asset || order.status !== "open") continue
    const { isBuy, px } = order
    const all = OrderBook.within(OrderBook.facing(state, asset, isBuy), isBuy, px).reduce(
      (total, { sz }) => total + sz,
      0n
    )
    const left = all - (found.get(isBuy) ?? 0n)
    const wanted = order.reduceOnly ? reducible(state, order) : order.left
    if (wanted === 0n) end(order, "reduceOnlyCanceled", moment)
    else if (left > 0n) {
      const sz = min(wanted, left)
      found.set(isBuy, all - left + sz)
      fill(state, order, px, sz, false, moment)
    }
  }
}
