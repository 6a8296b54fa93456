/** Parameters of the endpoints about prices and charges. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"

/**
 * The action to charge: an endpoint or a price class. Valid names depend on the catalogue, so the handler refuses
 * unknown ones.
 */
export const Action = Param.make(Schema.String, {
  accepts: "an action that all-actions lists",
  description:
    "Action: the name of an endpoint (for example vaultTrade) or a price class (trade, approve, lend, …), as listed by all-actions.",
  example: "vaultTrade",
  jsonSchema: { type: "string", minLength: 1, maxLength: 64 },
  read: (text) => /^[A-Za-z0-9/_-]{1,64}$/.test(text) ? text : undefined,
  show: (value) => value
})

/** The caller's name for an order at an exchange. Each order is charged once. */
export const OrderId = Param.make(Schema.String, {
  accepts: "1 to 128 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit",
  description:
    "Your name for the order, for example the exchange's order id. An order is charged once, even if the request " +
    "is repeated. Without it, idempotency_key is required.",
  example: "coinbase-7f2a91",
  jsonSchema: { type: "string", minLength: 1, maxLength: 128 },
  read: (text) => /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(text) ? text : undefined,
  show: (value) => value
})

const isoDay = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/

/** Parses ISO 8601 (UTC) or unix seconds. */
const readTime = (text: string): Date | undefined => {
  const at = /^\d{9,11}$/.test(text)
    ? new Date(Number(text) * 1000)
    : isoDay.test(text)
    ? new Date(text.length > 10 && !text.endsWith("Z") ? `${text}Z` : text)
    : undefined
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at
}

/** Declares a point in time. */
export const Time = (description: string) =>
  Param.make(Schema.Date, {
    accepts: "a day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z) or unix seconds",
    description: `${description} A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z) or unix seconds.`,
    example: "2026-11-20",
    jsonSchema: { type: "string" },
    read: readTime,
    show: (value) => value.toISOString()
  })

/** The format of the rows: JSON, or JSON and a CSV table. */
export const Format = Param.make(Schema.Literals(["json", "csv"]), {
  accepts: "json or csv",
  description: "`csv` also returns the rows as a table, as text in the field `csv`; default json.",
  example: "json",
  jsonSchema: { type: "string", enum: ["json", "csv"], default: "json" },
  read: (text) =>
    text.toLowerCase() === "json" ? "json" as const : text.toLowerCase() === "csv" ? "csv" as const : undefined,
  show: (value) => value
})
