/**
 * The state of the fake exchange: accounts, balances, orders. An order matches once, at the current price; the rest of
 * a GTC limit order stays open, any other rest expires.
 */
import * as Decimal from "./Decimal.ts"
import * as Prices from "./Prices.ts"

interface Credentials {
  readonly apiKey: string
  readonly secret: string
}

interface NewAccount extends Credentials {
  /** True if the key may move funds away from the exchange. */
  readonly mayWithdraw?: boolean
  readonly balances: Readonly<Record<string, number>>
}

/** A fill of an order. All quantities in hundred-millionths. */
export interface Fill {
  readonly id: number
  readonly price: bigint
  readonly quantity: bigint
  readonly fee: bigint
  readonly feeAsset: string
}

export interface Order {
  readonly id: number
  readonly clientId: string
  readonly listing: Prices.Listing
  readonly side: "BUY" | "SELL"
  readonly type: "LIMIT" | "MARKET"
  readonly timeInForce: "GTC" | "IOC" | "FOK"
  /** Unix milliseconds. */
  readonly time: number
  readonly quantity: bigint
  readonly price: bigint
  status: "NEW" | "PARTIALLY_FILLED" | "FILLED" | "CANCELED" | "EXPIRED"
  readonly fills: Array<Fill>
}

export interface Account extends Credentials {
  readonly mayWithdraw: boolean
  readonly balances: Map<string, { free: bigint; locked: bigint }>
  readonly orders: Array<Order>
}

export type Refusal = "insufficient" | "lot" | "notional" | "duplicate" | "price"

interface NewOrder {
  readonly listing: Prices.Listing
  readonly clientId: string
  readonly side: "BUY" | "SELL"
  readonly type: "LIMIT" | "MARKET"
  readonly timeInForce: "GTC" | "IOC" | "FOK"
  readonly quantity: bigint | undefined
  readonly quoteQuantity: bigint | undefined
  readonly price: bigint | undefined
  readonly time: number
}

/** The fee is a thousandth of the amount received. */
const feePart = 1000n

export const filledOf = ({ fills }: Order): bigint => fills.reduce((sum, { quantity }) => sum + quantity, 0n)
export const costOf = ({ fills }: Order): bigint =>
  fills.reduce((sum, { price, quantity }) => sum + Decimal.times(price, quantity), 0n)

const isOpen = ({ status }: Order) => status === "NEW" || status === "PARTIALLY_FILLED"

export interface Books {
  readonly open: (account: NewAccount) => Account
  readonly find: (apiKey: string) => Account | undefined
  /** Returns the current price, or the one that was set. */
  readonly price: (listing: Prices.Listing, millis: number) => number
  readonly setPrice: (base: string, quote: string, price: number) => void
  /** Places an order. `part` is the percentage of the quantity that is filled if the price crosses. */
  readonly place: (account: Account, order: NewOrder, part: bigint) => Order | Refusal
  readonly cancel: (account: Account, order: Order) => void
}

/** Returns an account's balance of an asset; adds an empty one where it has none. */
const balanceOf = ({ balances }: Account, asset: string) => {
  const balance = balances.get(asset) ?? { free: 0n, locked: 0n }
  balances.set(asset, balance)
  return balance
}

const quantityOf = ({ listing, quantity, quoteQuantity }: NewOrder, at: bigint) =>
  quantity ?? Decimal.toStep(Decimal.over(quoteQuantity ?? 0n, at), Decimal.of(listing.step))

/**
 * Returns whether an open order of the account has the id. Like at the real exchange, an id is free again once its
 * order is no longer open.
 */
const isInUse = ({ orders }: Account, clientId: string) =>
  orders.some((order) => order.clientId === clientId && isOpen(order))

/** Returns why an order of this quantity is refused at the price `at`, or undefined if it is accepted. */
const refusalOf = (account: Account, order: NewOrder, at: bigint, quantity: bigint): Refusal | undefined => {
  const { listing, price, side, type } = order
  const limit = price ?? at
  if (type === "LIMIT" && (price === undefined || limit % Decimal.of(listing.tick) !== 0n)) return "price"
  if (quantity <= 0n || quantity % Decimal.of(listing.step) !== 0n) return "lot"
  if (Decimal.times(limit, quantity) < Decimal.of(listing.minNotional)) return "notional"
  const needed = side === "BUY" ? Decimal.times(type === "LIMIT" ? limit : at, quantity) : quantity
  const { free } = balanceOf(account, side === "BUY" ? listing.quote : listing.base)
  return free < needed ? "insufficient" : undefined
}

/** Fills a quantity of an order at the price `at`, as the trade `id`. */
const fill = (account: Account, order: Order, at: bigint, quantity: bigint, id: number): void => {
  const { listing: { base, quote }, side } = order
  const cost = Decimal.times(at, quantity)
  const [paidAsset, paid, receivedAsset, received] = side === "BUY"
    ? [quote, cost, base, quantity] as const
    : [base, quantity, quote, cost] as const
  const fee = received / feePart
  balanceOf(account, paidAsset).free -= paid
  balanceOf(account, receivedAsset).free += received - fee
  order.fills.push({ id, price: at, quantity, fee, feeAsset: receivedAsset })
}

/** Locks the balance that the rest of an order needs, or releases it with the sign −1. */
const lock = (account: Account, order: Order, sign: 1n | -1n): void => {
  const rest = order.quantity - filledOf(order)
  const [asset, amount] = order.side === "BUY"
    ? [order.listing.quote, Decimal.times(order.price, rest)] as const
    : [order.listing.base, rest] as const
  const balance = balanceOf(account, asset)
  balance.free -= sign * amount
  balance.locked += sign * amount
}

/** Fills `part` percent of an order if its price crosses `at`, and sets its status. */
const match = (account: Account, order: Order, at: bigint, part: bigint, nextTradeId: () => number): void => {
  const { listing, price, quantity, side, timeInForce, type } = order
  const crosses = type === "MARKET" || (side === "BUY" ? price >= at : price <= at)
  const fillable = crosses ? Decimal.toStep(quantity * part / 100n, Decimal.of(listing.step)) : 0n
  if (fillable > 0n) fill(account, order, at, fillable, nextTradeId())
  if (fillable === quantity) order.status = "FILLED"
  else if (type === "MARKET" || timeInForce !== "GTC") order.status = "EXPIRED"
  else {
    order.status = fillable > 0n ? "PARTIALLY_FILLED" : "NEW"
    lock(account, order, 1n)
  }
}

const makeAccount = ({ balances, mayWithdraw = false, ...credentials }: NewAccount): Account => ({
  ...credentials,
  mayWithdraw,
  balances: new Map(
    Object.entries(balances).map(([asset, amount]) => [asset, { free: Decimal.of(amount), locked: 0n }])
  ),
  orders: []
})

export const make = (): Books => {
  const accounts = new Map<string, Account>()
  const prices = new Map<string, number>()
  let orderId = 1000
  let tradeId = 5000

  const price = (listing: Prices.Listing, millis: number) =>
    prices.get(`${listing.base}/${listing.quote}`) ?? Prices.at(listing, millis)

  return {
    open: (wanted) => {
      const account = makeAccount(wanted)
      accounts.set(account.apiKey, account)
      return account
    },
    find: (apiKey) => accounts.get(apiKey),
    price,
    setPrice: (base, quote, value) => {
      prices.set(`${base}/${quote}`, value)
    },
    place: (account, wanted, part) => {
      const { clientId, listing, side, time, timeInForce, type } = wanted
      if (isInUse(account, clientId)) return "duplicate"
      const now = price(listing, time)
      const at = side === "BUY" ? Prices.ask(listing, now) : Prices.bid(listing, now)
      const quantity = quantityOf(wanted, at)
      const refusal = refusalOf(account, wanted, at, quantity)
      if (refusal !== undefined) return refusal
      const order: Order = {
        id: orderId++,
        clientId,
        listing,
        side,
        type,
        timeInForce,
        time,
        quantity,
        price: type === "LIMIT" ? wanted.price ?? at : 0n,
        status: "NEW",
        fills: []
      }
      account.orders.push(order)
      match(account, order, at, part, () => tradeId++)
      return order
    },
    cancel: (account, order) => {
      if (!isOpen(order)) return
      lock(account, order, -1n)
      order.status = "CANCELED"
    }
  }
}
