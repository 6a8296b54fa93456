/** The kinds of orders. Constants only. */

export const orderTypes = [
  "limit",
  "stop_loss",
  "take_profit",
  "bracket",
  "trailing_stop",
  "twap",
  "dca",
  "iceberg"
] as const
export type OrderType = typeof orderTypes[number]
