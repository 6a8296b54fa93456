/** The terms of a backtest in its page's URL. The form checks them by the endpoints' parameters when it opens. */

/** The things that can be tested. */
export const backtestKinds = ["threshold", "index", "order"] as const
export type BacktestKind = typeof backtestKinds[number]

const names = [
  ...["wallet", "network", "pool", "pair", "side", "threshold", "share", "max_usd"],
  ...["targets", "interval", "tolerance", "min_trade_usd", "quote"],
  ...["type", "amount", "limit_price", "stop_price", "take_profit_price", "trail_percent", "activation_price"],
  ...["max_impact", "expires_in", "duration", "slices"]
] as const
const maxLength = 600

/** Texts by the names of parameters; `targets` as `WETH:40,WBTC:40:2,USDC:20`. */
export interface BacktestSearch {
  readonly kind?: BacktestKind | undefined
  readonly [name: string]: string | undefined
}

/** Takes what is a text or a number of a known name; everything else is ignored. */
export const backtestSearchOf = (search: Readonly<Record<string, unknown>>): BacktestSearch => {
  const kind = backtestKinds.find((each) => each === search["kind"])
  const texts = names.flatMap((name) => {
    const value = search[name]
    const text = typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""
    return text === "" || text.length > maxLength ? [] : [[name, text] as const]
  })
  return { ...(kind === undefined ? {} : { kind }), ...Object.fromEntries(texts) }
}

/** Returns the search of a threshold bot's backtest. */
export const searchOfBot = (terms: Readonly<Record<string, unknown>>): BacktestSearch =>
  backtestSearchOf({ ...terms, kind: "threshold" })

/** Returns the search of an index bot's backtest. */
export const searchOfIndex = (
  { targets, ...terms }: Readonly<Record<string, unknown>> & {
    readonly targets: ReadonlyArray<{ readonly asset: string; readonly weight: string; readonly tolerance: string }>
  }
): BacktestSearch =>
  backtestSearchOf({
    ...terms,
    kind: "index",
    targets: targets.map(({ asset, tolerance, weight }) =>
      [asset, weight, ...(tolerance === "" ? [] : [tolerance])].join(":")
    ).join(",")
  })
