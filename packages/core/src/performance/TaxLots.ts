/**
 * A vault's lots: purchases and sales by receipts, with what the samples show that no receipt explains (deposits,
 * withdrawals, interest). The proceeds of a sale, and the cost of what it bought, are the value of what was received.
 */
import type { Address } from "../chain/Address.ts"
import { csv } from "../billing/Csv.ts"
import { format } from "../chain/Quantity.ts"
import type { DetailedPoint } from "./Allocation.ts"
import { type LedgerTrade, sourceName } from "./LedgerTrade.ts"
import { gainOf, type Lot, type LotResult, match, type Matched, type Movement } from "./Lots.ts"
import type { Disposal, LotMethod, OpenLot } from "./Performance.ts"

/** The origin of a movement of a vault. */
export interface LotSource {
  readonly symbol: string
  readonly decimals: number
  readonly tradeId: string | null
  readonly txHash: Disposal["disposed_tx"]
  readonly name: string
}
export type VaultLots = LotResult<LotSource>

/** Milliseconds before and after a sample without the end of an intent: its receipt may be of a block beyond the sample. */
const quiet = { before: 15_000, after: 60_000 }

/** Checks whether no intent ended around a time; `next` is the first one that ended after it. */
const isQuiet = (trades: ReadonlyArray<LedgerTrade>, next: number, at: number): boolean => {
  const [before, after] = [trades[next - 1], trades[next]]
  return (before === undefined || before.at.getTime() < at - quiet.before) &&
    (after === undefined || after.at.getTime() > at + quiet.after)
}

const outside = "not by a trade of this service"

const ofLoan = ({ at, id, loan, ...trade }: LedgerTrade): ReadonlyArray<Movement<LotSource>> =>
  loan === null ? [] : [{
    ...{ kind: loan.kind, asset: loan.moved.asset, quantity: loan.moved.raw, time: at.getTime(), usd18: null },
    about: {
      ...{ symbol: loan.moved.symbol, decimals: loan.moved.decimals, tradeId: id, txHash: trade.txHash },
      name: sourceName(trade)
    }
  }]

const ofTrade = (trade: LedgerTrade): ReadonlyArray<Movement<LotSource>> => {
  if (trade.swap === null) return ofLoan(trade)
  const { bought, sold } = trade.swap
  const common = { time: trade.at.getTime(), usd18: bought.usd18 }
  const about = { tradeId: trade.id, txHash: trade.txHash, name: sourceName(trade) }
  return [
    {
      ...{ ...common, kind: "sold" as const, asset: sold.asset, quantity: sold.raw },
      about: { ...about, symbol: sold.symbol, decimals: sold.decimals }
    },
    {
      ...{ ...common, kind: "bought" as const, asset: bought.asset, quantity: bought.raw },
      about: { ...about, symbol: bought.symbol, decimals: bought.decimals }
    }
  ]
}

/** Returns the movements that make what the ledger knows equal to what the vault holds at a sample. */
const unexplainedAt = (
  point: DetailedPoint,
  held: ReadonlyMap<string, bigint>
): ReadonlyArray<Movement<LotSource>> =>
  point.details.assets.flatMap(({ asset, balance, decimals, position, price18, symbol }) => {
    const difference = balance - (held.get(asset) ?? 0n)
    if (position || difference === 0n) return []
    const quantity = difference > 0n ? difference : -difference
    return [{
      ...{ kind: difference > 0n ? "bought" as const : "left" as const, asset, quantity, time: point.at.getTime() },
      usd18: price18 === null ? null : quantity * price18 / 10n ** BigInt(decimals),
      about: { symbol, decimals, tradeId: null, txHash: null, name: outside }
    }]
  })

/** Returns all movements in order. Both lists are in the order of time. */
const movementsOf = (trades: ReadonlyArray<LedgerTrade>, points: ReadonlyArray<DetailedPoint>) => {
  const held = new Map<string, bigint>()
  const lent = new Map<string, bigint>()
  const movements: Array<Movement<LotSource>> = []
  const apply = (each: ReadonlyArray<Movement<LotSource>>) => {
    for (const given of each) {
      const before = held.get(given.asset) ?? 0n
      const away = lent.get(given.asset) ?? 0n
      // Only what is known to be there is lent, and only what was lent comes back: the next sample shows the interest.
      const bound = given.kind === "lent" ? before : given.kind === "returned" ? away : given.quantity
      const movement = given.quantity > bound ? { ...given, quantity: bound } : given
      const { asset, kind, quantity } = movement
      const after = kind === "bought" || kind === "returned" ? before + quantity : before - quantity
      // Below zero: the purchase of what was sold is not in the ledger.
      held.set(asset, after < 0n ? 0n : after)
      if (kind === "lent") lent.set(asset, away + quantity)
      if (kind === "returned") lent.set(asset, away - quantity)
      movements.push(movement)
    }
  }
  let next = 0
  for (const point of points) {
    for (; next < trades.length && trades[next]!.at <= point.at; next++) apply(ofTrade(trades[next]!))
    if (isQuiet(trades, next, point.at.getTime())) apply(unexplainedAt(point, held))
  }
  for (; next < trades.length; next++) apply(ofTrade(trades[next]!))
  return movements
}

export const lotsOf = (
  trades: ReadonlyArray<LedgerTrade>,
  points: ReadonlyArray<DetailedPoint>,
  method: LotMethod
): VaultLots => match(movementsOf(trades, points), method)

const isKnown = ({ cost18, proceeds18 }: Matched): boolean => cost18 !== null && proceeds18 !== null

/** Sums the known gains of sales; null without one. */
export const realisedOf = (sold: ReadonlyArray<Matched>): bigint | null => sold.some(isKnown) ? gainOf(sold) : null

/** Prices of the newest sample. */
export type LotPrices = ReadonlyMap<string, bigint>

/** Computes value minus cost of a lot; null where one of them is not known. */
const gainOfLot = (lot: Lot<LotSource>, prices: LotPrices) => {
  const price18 = prices.get(lot.asset)
  const value18 = price18 === undefined ? null : lot.quantity * price18 / 10n ** BigInt(lot.about.decimals)
  return { value18, gain18: value18 === null || lot.cost18 === null ? null : value18 - lot.cost18 }
}

/** Sums the known gains of the lots that are held; null without one. */
export const unrealisedOf = (open: ReadonlyArray<Lot<LotSource>>, prices: LotPrices): bigint | null => {
  const known = open.flatMap((lot) => gainOfLot(lot, prices).gain18 ?? [])
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0n)
}

const iso = (time: number) => new Date(time).toISOString()
const usd = (raw18: bigint | null) => raw18 === null ? null : format(raw18, 18)
const dayMillis = 86_400_000

export const disposalOf = (sale: Matched<LotSource>): Disposal => ({
  asset: sale.asset as Address,
  symbol: sale.about.symbol,
  quantity: format(sale.quantity, sale.about.decimals),
  acquired_at: sale.lot === null ? null : iso(sale.lot.time),
  disposed_at: iso(sale.time),
  proceeds_usd: usd(sale.proceeds18),
  cost_usd: usd(sale.cost18),
  gain_usd: usd(sale.cost18 === null || sale.proceeds18 === null ? null : sale.proceeds18 - sale.cost18),
  holding_days: sale.lot === null ? null : Math.floor((sale.time - sale.lot.time) / dayMillis),
  acquired_tx: sale.lot?.about.txHash ?? null,
  disposed_tx: sale.about.txHash,
  disposed_by: sale.about.name
})

export const openLotOf = (lot: Lot<LotSource>, prices: LotPrices): OpenLot => {
  const { gain18, value18 } = gainOfLot(lot, prices)
  return {
    asset: lot.asset as Address,
    symbol: lot.about.symbol,
    quantity: format(lot.quantity, lot.about.decimals),
    acquired_at: iso(lot.time),
    cost_usd: usd(lot.cost18),
    value_usd: usd(value18),
    unrealised_usd: usd(gain18),
    acquired_tx: lot.about.txHash
  }
}

/** Says what the figures lack. */
export const notesOf = (sold: ReadonlyArray<Matched<LotSource>>, { left, open }: VaultLots): ReadonlyArray<string> => {
  const unknown = sold.filter((sale) => !isKnown(sale))
  const inflows = open.some(({ about }) => about.tradeId === null) ||
    sold.some(({ lot }) => lot !== null && lot.about.tradeId === null)
  return [
    ...(unknown.length === 0 ? [] : [
      `${unknown.length} of ${sold.length} disposals have no gain: their purchase is in neither the ledger nor a ` +
      "sample, or the vault's oracle had no price."
    ]),
    ...(inflows
      ? [
        "Deposits and other receipts that no trade explains are lots with the sampled price as their cost, from the " +
        "first sample that shows them."
      ]
      : []),
    ...(left.length === 0 ? [] : [
      `${left.length} parts of lots left without a sale (withdrawals, fees, what others have lent); they are no disposals.`
    ]),
    "Costs and proceeds are without gas and charges."
  ]
}

const lotColumns = [
  ...["asset", "symbol", "quantity", "acquired_at", "disposed_at", "holding_days", "proceeds_usd"] as const,
  ...["cost_usd", "gain_usd", "acquired_tx", "disposed_tx", "disposed_by", "method"] as const
]

/** Writes disposals as a table for tax software. */
export const taxCsv = (disposals: ReadonlyArray<Disposal>, method: LotMethod): string =>
  csv(lotColumns, disposals.map((disposal) => ({ ...disposal, method })))
