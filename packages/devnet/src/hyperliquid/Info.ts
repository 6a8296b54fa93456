/** Answers to `POST /info`, in the shapes the real exchange documents. */
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import { AddressResult } from "../contract/Deployer.ts"
import { coins } from "../contract/Coins.ts"
import { absolute, one, over, show, showUsd } from "./Numbers.ts"
import * as OrderBook from "./OrderBook.ts"
import {
  type Account,
  type Fill,
  leverageOf,
  listed,
  maintenance,
  margin,
  type Movement,
  notional,
  type Order,
  type Position,
  priceOf,
  type State,
  summary,
  unrealized
} from "./State.ts"

const User = { user: AddressResult }
const since = { startTime: Schema.Int, endTime: Schema.optional(Schema.Int) }

/** The supported requests. Any other is not understood. */
export const Question = Schema.Union([
  Schema.Struct({ type: Schema.Literals(["meta", "metaAndAssetCtxs", "allMids", "spotMeta"]) }),
  Schema.Struct({
    type: Schema.Literals([
      "clearinghouseState",
      "spotClearinghouseState",
      "openOrders",
      "frontendOpenOrders",
      "userFills"
    ]),
    ...User
  }),
  Schema.Struct({ type: Schema.Literals(["userFillsByTime", "userNonFundingLedgerUpdates"]), ...User, ...since }),
  Schema.Struct({
    type: Schema.Literal("orderStatus"),
    ...User,
    oid: Schema.Union([Schema.Int, Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{32}$/))])
  }),
  Schema.Struct({ type: Schema.Literal("l2Book"), coin: Schema.String })
])
export type Question = typeof Question.Type

const meta = {
  universe: coins.map(({ isListed, maxLeverage, name, onlyIsolated, szDecimals }) => ({
    szDecimals,
    name,
    maxLeverage,
    ...(onlyIsolated ? { onlyIsolated } : {}),
    ...(isListed ? {} : { isDelisted: true })
  }))
}

const spotMeta = {
  universe: [],
  tokens: [{
    name: "USDC",
    szDecimals: 8,
    weiDecimals: 8,
    index: 0,
    tokenId: "0x6d1e7cde53ba9467b783cb7c530ce054",
    isCanonical: true,
    evmContract: null,
    fullName: null
  }]
}

/** Returns an asset's context. There is no funding here, and open interest is that of this exchange's accounts only. */
const context = (state: State, asset: number) => {
  const px = show(priceOf(state, asset))
  const isTraded = listed(asset) !== undefined
  const open = Array.from(state.accounts.values()).reduce(
    (sum, { positions }) => sum + absolute(positions.get(asset)?.size ?? 0n),
    0n
  )
  return {
    ...{
      funding: "0.0",
      openInterest: show(open),
      prevDayPx: px,
      dayNtlVlm: "0.0",
      premium: isTraded ? "0.0" : null,
      oraclePx: px,
      markPx: px
    },
    ...{ midPx: isTraded ? px : null, impactPxs: null, dayBaseVlm: "0.0" }
  }
}

const nameOf = (asset: number) => coins[asset]?.name ?? ""

/** Returns the price at which the position would be liquidated if nothing else changed. */
const liquidation = (state: State, account: Account, { size }: Position, asset: number) => {
  const coin = coins[asset]
  const all = summary(state, account)
  if (coin === undefined) return null
  const side = size > 0n ? 1n : -1n
  const free = all.value - all.maintenance
  const leeway = one - side * one / BigInt(2 * coin.maxLeverage)
  const px = priceOf(state, asset) - side * over(over(free, absolute(size)), leeway)
  return px > 0n ? show(px) : null
}

const assetPosition = (state: State, account: Account, asset: number, position: Position) => {
  const coin = coins[asset]
  const [gain, used] = [unrealized(state, position, asset), margin(state, position, asset)]
  return {
    type: "oneWay",
    position: {
      coin: nameOf(asset),
      szi: show(position.size),
      leverage: { type: "cross", value: coin === undefined ? 1 : Number(leverageOf(coin)) },
      entryPx: show(over(position.cost, absolute(position.size))),
      positionValue: showUsd(notional(state, position, asset)),
      unrealizedPnl: showUsd(gain),
      returnOnEquity: show(used === 0n ? 0n : over(gain, used)),
      liquidationPx: liquidation(state, account, position, asset),
      marginUsed: showUsd(used),
      maxLeverage: coin?.maxLeverage ?? 1,
      cumFunding: { allTime: "0.0", sinceOpen: "0.0", sinceChange: "0.0" }
    }
  }
}

const emptyAccount = (): Account => ({ cash: 0n, spot: 0n, credited: 0n, positions: new Map<number, Position>() })
const accountOf = ({ accounts }: State, user: Address) => accounts.get(user) ?? emptyAccount()

const clearinghouse = (state: State, user: Address, time: number) => {
  const owner = accountOf(state, user)
  const all = summary(state, owner)
  const margins = {
    accountValue: showUsd(all.value),
    totalNtlPos: showUsd(all.notional),
    totalRawUsd: showUsd(all.raw),
    totalMarginUsed: showUsd(all.margin)
  }
  const maintenanceUsed = Array.from(owner.positions).reduce(
    (sum, [asset, position]) => sum + maintenance(state, position, asset),
    0n
  )
  return {
    marginSummary: margins,
    crossMarginSummary: margins,
    crossMaintenanceMarginUsed: showUsd(maintenanceUsed),
    withdrawable: showUsd(all.withdrawable),
    assetPositions: Array.from(owner.positions, ([asset, position]) => assetPosition(state, owner, asset, position)),
    time
  }
}

const spot = (state: State, user: Address) => {
  const { spot } = accountOf(state, user)
  return { balances: spot === 0n ? [] : [{ coin: "USDC", token: 0, total: show(spot), hold: "0.0", entryNtl: "0.0" }] }
}

const cloidOf = ({ cloid }: Order) => cloid === 0n ? null : `0x${cloid.toString(16).padStart(32, "0")}`
const tifs = { 1: "Alo", 2: "Gtc", 3: "Ioc" } as const

const openOrder = (order: Order) => ({
  ...{
    coin: nameOf(order.asset),
    side: order.isBuy ? "B" : "A",
    limitPx: show(order.px),
    sz: show(order.left),
    oid: order.oid
  },
  ...{ timestamp: order.placed.time, origSz: show(order.sz), cloid: cloidOf(order) }
})

const frontendOrder = (order: Order) => ({
  ...openOrder(order),
  ...{ triggerCondition: "N/A", isTrigger: false, triggerPx: "0.0", children: [], isPositionTpsl: false },
  ...{ reduceOnly: order.reduceOnly, orderType: "Limit", tif: tifs[order.timeInForce] }
})

const orderStatus = (state: State, user: Address, oid: number | string) => {
  const order = state.orders.find((each) =>
    each.user === user && (typeof oid === "number" ? each.oid === oid : cloidOf(each) === oid.toLowerCase())
  )
  return order === undefined
    ? { status: "unknownOid" }
    : {
      status: "order",
      order: { order: frontendOrder(order), status: order.status, statusTimestamp: order.statusTime }
    }
}

/** Returns what the fill did to the position, in the exchange's words. */
const direction = ({ order: { isBuy }, startPosition, sz }: Fill) => {
  const end = startPosition + (isBuy ? sz : -sz)
  if (startPosition > 0n && end < 0n) return "Long > Short"
  if (startPosition < 0n && end > 0n) return "Short > Long"
  if (isBuy) return startPosition < 0n ? "Close Short" : "Open Long"
  return startPosition > 0n ? "Close Long" : "Open Short"
}

const fillBody = (fill: Fill) => {
  const { closedPnl, crossed, fee, moment, order, px, startPosition, sz, tid } = fill
  return {
    ...{
      coin: nameOf(order.asset),
      px: show(px),
      sz: show(sz),
      side: order.isBuy ? "B" : "A",
      time: moment.time,
      startPosition: show(startPosition)
    },
    ...{
      dir: direction(fill),
      closedPnl: showUsd(closedPnl),
      hash: moment.hash,
      oid: order.oid,
      crossed,
      fee: showUsd(fee),
      tid,
      feeToken: "USDC"
    },
    ...(order.cloid === 0n ? {} : { cloid: cloidOf(order) })
  }
}

const fillsOf = (state: State, user: Address) => state.fills.filter(({ order }) => order.user === user)
const openOf = (state: State, user: Address) =>
  state.orders.filter((order) => order.user === user && order.status === "open").reverse()

const dexOf = (isPerp: boolean) => isPerp ? "" : "spot"

const delta = (movement: Movement) => {
  switch (movement._tag) {
    case "deposit":
      return { type: "deposit", usdc: showUsd(movement.amount) }
    case "classTransfer":
      return { type: "accountClassTransfer", usdc: showUsd(movement.amount), toPerp: movement.toPerp }
    case "spotTransfer":
      return {
        ...{
          type: "spotTransfer",
          token: "USDC",
          amount: show(movement.amount),
          usdcValue: show(movement.amount),
          user: movement.from,
          destination: movement.to
        },
        ...{ fee: "0.0", nativeTokenFee: "0.0", nonce: null }
      }
    case "send":
      return {
        ...{
          type: "send",
          user: movement.from,
          destination: movement.to,
          sourceDex: dexOf(movement.isFromPerp),
          destinationDex: dexOf(movement.isToPerp)
        },
        ...{
          token: "USDC",
          amount: show(movement.amount),
          usdcValue: show(movement.amount),
          fee: "0.0",
          nativeTokenFee: "0.0",
          nonce: 0,
          feeToken: ""
        }
      }
  }
}

const book = (state: State, coin: string, time: number) => {
  const asset = coins.findIndex(({ isListed, name }) => isListed && name === coin)
  const levels = (isBuy: boolean) =>
    OrderBook.facing(state, asset, isBuy).map(({ px, sz }) => ({ px: show(px), sz: show(sz), n: 1 }))
  return asset < 0 ? null : { coin, time, levels: [levels(false), levels(true)] }
}

/** Maximum number of entries in one response, like the real API's. */
const maxEntries = 2000

/** Returns the response body. `time` is the exchange's, unix milliseconds. */
export const answer = (state: State, time: number, question: Question): unknown => {
  switch (question.type) {
    case "meta":
      return meta
    case "metaAndAssetCtxs":
      return [meta, coins.map((_, asset) => context(state, asset))]
    case "allMids":
      return Object.fromEntries(
        coins.flatMap(({ isListed, name }, asset) => isListed ? [[name, show(priceOf(state, asset))]] : [])
      )
    case "spotMeta":
      return spotMeta
    case "clearinghouseState":
      return clearinghouse(state, question.user, time)
    case "spotClearinghouseState":
      return spot(state, question.user)
    case "openOrders":
      return openOf(state, question.user).map(openOrder)
    case "frontendOpenOrders":
      return openOf(state, question.user).map(frontendOrder)
    case "orderStatus":
      return orderStatus(state, question.user, question.oid)
    case "userFills":
      return fillsOf(state, question.user).slice(-maxEntries).reverse().map(fillBody)
    case "userFillsByTime": {
      const { endTime = Number.MAX_SAFE_INTEGER, startTime } = question
      return fillsOf(state, question.user).filter(({ moment: { time } }) => time >= startTime && time <= endTime).slice(
        0,
        maxEntries
      ).map(fillBody)
    }
    case "userNonFundingLedgerUpdates": {
      const { endTime = Number.MAX_SAFE_INTEGER, startTime } = question
      return state.movements
        .filter(({ moment: { time }, user }) => user === question.user && time >= startTime && time <= endTime)
        .map(({ moment: { hash, time }, movement }) => ({ time, hash, delta: delta(movement) }))
    }
    case "l2Book":
      return book(state, question.coin, time)
  }
}
