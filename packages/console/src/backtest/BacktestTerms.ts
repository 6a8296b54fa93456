/** The form of a backtest: its first values, which may come from the page's URL, and the job that it is. */
import { legsOf } from "@vault-trader/core/chain/PairText"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { BacktestSearch } from "../bots/BacktestSearch.ts"
import { faultOf as botFault } from "../threshold-bot/BotFaults.ts"
import { type BotTerms, newTerms as newBot } from "../threshold-bot/BotTerms.ts"
import { faultOf as indexFault, faultOfTargets } from "../index-bot/IndexFaults.ts"
import { type IndexTerms, newTerms as newIndex, rowOf } from "../index-bot/IndexTerms.ts"
import { faultsOf } from "../vault-order/OrderFaults.ts"
import { mayOf, needsOf, type OrderFields, typeOf } from "../vault-order/OrderFields.ts"
import type { Job, Kind, Source, Values } from "./BacktestJob.ts"
import { isCost } from "./BacktestValues.ts"
import { t } from "../text/Text.ts"

/** The terms of a bot that a backtest uses. */
export const botNames = ["pair", "side", "threshold", "share", "max_usd"] as const
export const indexNames = ["interval", "max_usd", "tolerance", "quote", "min_trade_usd"] as const
export const costNames = ["cost_slippage", "cost_fee", "start_usd"] as const

export const newCosts: Values = { cost_slippage: "0.5", cost_fee: "0.1", start_usd: "100000", start: "quote" }

const newOrder: OrderFields = {
  ...{ type: "stop_loss", side: "sell", base: "WETH", quote: "USDC", paper: false, slippage: "0.5", slices: "10" },
  ...{ amount: "", share: "100", limit_price: "", stop_price: "", take_profit_price: "", trail_percent: "" },
  ...{ activation_price: "", duration: "", interval: "", expires_in: "", max_impact: "" }
}

/** Returns the values of the search that are accepted; others keep those of a new form. */
const accepted = <Name extends string>(
  search: BacktestSearch,
  names: ReadonlyArray<Name>,
  faultOf: (name: Name, value: string) => string | null
): Partial<Record<Name, string>> =>
  Object.fromEntries(names.flatMap((name) => {
    const value = search[name]
    return value === undefined || faultOf(name, value) !== null ? [] : [[name, value]]
  })) as Partial<Record<Name, string>>

/** Where a bot is to be set; nothing is read from there. */
const placeOf = ({ network = "", pool = "", wallet = "" }: BacktestSearch) => ({ network, pool, wallet })

export const botOf = (search: BacktestSearch): BotTerms => ({
  ...newBot,
  ...placeOf(search),
  ...(search.kind === "threshold" ? accepted(search, botNames, botFault) : {})
})

export const indexOf = (search: BacktestSearch): IndexTerms => {
  const rows = (search["targets"] ?? "").split(",").map((word) => rowOf(...word.split(":").slice(0, 3)))
  const isIndex = search.kind === "index"
  return {
    ...newIndex(""),
    ...placeOf(search),
    ...(isIndex ? accepted(search, indexNames, indexFault) : {}),
    ...(isIndex && faultOfTargets(rows) === undefined ? { targets: rows } : {})
  }
}

export const orderOf = (search: BacktestSearch): OrderFields => {
  if (search.kind !== "order") return newOrder
  const type = typeOf(search["type"]) ?? newOrder.type
  const [base, quote] = legsOf(search["pair"] ?? "")
  const given = {
    ...newOrder,
    type,
    side: search["side"] === "buy" ? "buy" as const : "sell" as const,
    ...(base === "" ? {} : { base, quote }),
    ...(search["amount"] === undefined ? {} : { amount: search["amount"], share: "" })
  }
  const texts = Object.fromEntries([...needsOf(given), ...mayOf(given), "amount", "share"].flatMap((name) => {
    const text = search[name]
    return text === undefined ? [] : [[name, text]]
  }))
  const faults = faultsOf({ ...given, ...texts })
  return { ...given, ...Object.fromEntries(Object.entries(texts).filter(([name]) => !(name in faults))) }
}

/** The form's values. */
export interface Terms {
  readonly kind: Kind
  readonly bot: BotTerms
  readonly index: IndexTerms
  readonly order: OrderFields
  readonly costs: Values
}

/** An asset whose prices a backtest needs. */
export interface Needed {
  readonly symbol: string
  /** The name in the list of sources. */
  readonly key: string
}

/** Returns the assets whose prices are needed: the base, or those of an index but the quote. */
export const neededOf = ({ bot, index, kind, order }: Terms): ReadonlyArray<Needed> => {
  const bases = kind === "threshold"
    ? [legsOf(bot.pair)[0]]
    : kind === "order"
    ? [order.base]
    : index.targets.map(({ asset }) => asset.trim()).filter((asset) => symbolOf(asset) !== symbolOf(index.quote))
  return [...new Set(bases.filter((base) => base !== "").map(symbolOf))].map((symbol) => ({ symbol, key: symbol }))
}

const valuesOf = ({ bot, costs, index, kind, order }: Terms): Values => {
  switch (kind) {
    case "threshold":
      return { ...costs, ...Object.fromEntries(botNames.map((name) => [name, bot[name]])) }
    case "index":
      return { ...costs, ...Object.fromEntries(indexNames.map((name) => [name, index[name]])) }
    case "order": {
      const { base, paper: _, quote, ...fields } = order
      return { ...costs, ...fields, pair: `${base}-${quote}` }
    }
  }
}

export const jobOf = (terms: Terms, sources: Readonly<Record<string, Source | undefined>>): Job => ({
  kind: terms.kind,
  values: valuesOf(terms),
  targets: terms.kind === "index" ? terms.index.targets : [],
  candles: neededOf(terms).flatMap(({ key, symbol }) => {
    const source = sources[key]
    return source === undefined ? [] : [{ symbol, source }]
  }),
  signals: terms.kind === "threshold" ? sources["signals"] ?? null : null,
  inverse: terms.kind === "threshold" ? sources["inverse"] ?? null : null
})

/** Returns the complaint about a cost, or null. */
export const costFault = (name: string, value: string): string | null =>
  name === "start" || isCost(name, value)
    ? null
    : name === "start_usd"
    ? t("Must be {accepts}", { accepts: t("an amount above 0") })
    : t("Must be {accepts}", { accepts: t("a percentage from 0 to less than 100") })

/** Returns the terms with the values of a sweep's combination. */
export const withValues = (terms: Terms, values: Values): Terms => {
  const of = (names: ReadonlyArray<string>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  const costs = { ...terms.costs, ...of(costNames) }
  switch (terms.kind) {
    case "threshold":
      return { ...terms, costs, bot: { ...terms.bot, ...of(botNames) } }
    case "index":
      return { ...terms, costs, index: { ...terms.index, ...of(indexNames) } }
    case "order":
      return { ...terms, costs, order: { ...terms.order, ...of(needsOf(terms.order)) } }
  }
}
