/**
 * The state of the fake exchange: accounts, balances, orders. An order matches once, at the current price; the rest of
 * a GTC limit order stays open, any other rest expires.
 */
import * as Decimal from "./Decimal.ts"
import * as Prices from "./Prices.ts"

export interface Credentials {
  readonly apiKey: string
  readonly secret: string
}

export interface NewAccount extends Credentials {
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

export interface NewOrder {
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

export const make = (): Books => {
  const accounts = new Map<string, Account>()
  const prices = new Map<string, number>()
  let orderId = 1000
  let tradeId = 5000

  const holding = (account: Account, asset: string) => {
    const found = account.balances.get(asset) ?? { free: 0n, locked: 0n }
    account.balances.set(asset, found)
    return found
  }
  const price = (listing: Prices.Listing, millis: number) =>
    prices.get(`${listing.base}/${listing.quote}`) ?? Prices.at(listing, millis)

  const quantityOf = ({ listing, quantity, quoteQuantity }: NewOrder, at: bigint) =>
    quantity ?? Decimal.toStep(Decimal.over(quoteQuantity ?? 0n, at), Decimal.of(listing.step))

  const fill = (account: Account, order: Order, at: bigint, quantity: bigint) => {
    const { listing: { base, quote }, side } = order
    const cost = Decimal.times(at, quantity)
    const [paidAsset, paid, receivedAsset, received] = side === "BUY"
      ? [quote, cost, base, quantity] as const
      : [base, quantity, quote, cost] as const
    const fee = received / feePart
    holding(account, paidAsset).free -= paid
    holding(account, receivedAsset).free += received - fee
    order.fills.push({ id: tradeId++, price: at, quantity, fee, feeAsset: receivedAsset })
  }

  const lock = (account: Account, order: Order, sign: 1n | -1n) => {
    const rest = order.quantity - filledOf(order)
    const [asset, amount] = order.side === "BUY"
      ? [order.listing.quote, Decimal.times(order.price, rest)] as const
      : [order.listing.base, rest] as const
    const held = holding(account, asset)
    held.free -= sign * amount
    held.locked += sign * amount
  }

  return {
    open: ({ balances, mayWithdraw = false, ...credentials }) => {
      const account: Account = {
        ...credentials,
        mayWithdraw,
        balances: new Map(
          Object.entries(balances).map(([asset, amount]) => [asset, { free: Decimal.of(amount), locked: 0n }])
        ),
        orders: []
      }
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
      // Like the real exchange: an id is in use while its order is open, and free afterwards.
      if (account.orders.some((other) => other.clientId === clientId && isOpen(other))) return "duplicate"
      const now = price(listing, time)
      const at = side === "BUY" ? Prices.ask(listing, now) : Prices.bid(listing, now)
      const quantity = quantityOf(wanted, at)
      const limit = wanted.price ?? at
      if (type === "LIMIT" && (wanted.price === undefined || limit % Decimal.of(listing.tick) !== 0n)) return "price"
      if (quantity <= 0n || quantity % Decimal.of(listing.step) !== 0n) return "lot"
      if (Decimal.times(limit, quantity) < Decimal.of(listing.minNotional)) return "notional"
      const needed = side === "BUY" ? Decimal.times(type === "LIMIT" ? limit : at, quantity) : quantity
      if (holding(account, side === "BUY" ? listing.quote : listing.base).free < needed) return "insufficient"
      const order: Order = {
        id: orderId++,
        clientId,
        listing,
        side,
        type,
        timeInForce,
        time,
        quantity,
        price: type === "LIMIT" ? limit : 0n,
        status: "NEW",
        fills: []
      }
      account.orders.push(order)
      const crosses = type === "MARKET" || (side === "BUY" ? limit >= at : limit <= at)
      const found = crosses ? Decimal.toStep(quantity * part / 100n, Decimal.of(listing.step)) : 0n
      if (found > 0n) fill(account, order, at, found)
      if (found === quantity) order.status = "FILLED"
      else if (type === "MARKET" || timeInForce !== "GTC") order.status = "EXPIRED"
      else {
        order.status = found > 0n ? "PARTIALLY_FILLED" : "NEW"
        lock(account, order, 1n)
      }
      return order
    },
    cancel: (account, order) => {
      if (!isOpen(order)) return
      lock(account, order, -1n)
      order.status = "CANCELED"
    }
  }
}
