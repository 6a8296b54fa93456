/** The parameters of the endpoints of vaults' orders. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { defaults, OrderSide, orderSides, OrderType, orderTypes } from "./VaultOrder.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const within = (text: string, accept: (value: number) => boolean): number | undefined => {
  const decimal = Params.readDecimal(text)
  const value = decimal === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(decimal)
  return Number.isFinite(value) && accept(value) ? value : undefined
}

export const Type = Param.make(OrderType, {
  accepts: `one of ${orderTypes.join(", ")}`,
  description:
    "Kind of order: `limit`, `stop_loss`, `take_profit`, `bracket` (both of these, one cancels the other), " +
    "`trailing_stop`, `twap` (over a duration), `dca` (on a schedule), `iceberg` (as the pool bears).",
  example: "limit",
  jsonSchema: { type: "string", enum: [...orderTypes] },
  read: (text) => orderTypes.find((type) => type === text.toLowerCase()),
  show: (value) => value
})

export const Side = Param.make(OrderSide, {
  accepts: `one of ${orderSides.join(", ")}`,
  description: "`sell` sells the base for the quote, `buy` buys the base with the quote.",
  example: "sell",
  jsonSchema: { type: "string", enum: [...orderSides] },
  read: (text) => orderSides.find((side) => side === text.toLowerCase()),
  show: (value) => value
})

const maxPrice = BigDecimal.make(1n, -18)

/** Declares a price in the quote per whole base. */
export const Price = (description: string, example: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a price above 0 in the quote per whole base, with 18 decimals at most",
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.isPositive(value) && BigDecimal.isLessThan(value, maxPrice) &&
          BigDecimal.normalize(value).scale <= 18
        ? value
        : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

/** Declares a percentage above 0 and below a maximum. */
export const Percent = (description: string, maximum: number, example: number) =>
  Param.make(Schema.Number, {
    accepts: `a percentage above 0 and at most ${maximum}`,
    description,
    example,
    jsonSchema: { type: "number", exclusiveMinimum: 0, maximum },
    read: (text) => within(text, (value) => value > 0 && value <= maximum),
    show: String
  })

/** Declares a whole number in a range. */
export const Whole = (description: string, minimum: number, maximum: number, example: number) =>
  Param.make(Schema.Int, {
    accepts: `a whole number from ${minimum} to ${maximum}`,
    description,
    example,
    jsonSchema: { type: "integer", minimum, maximum },
    read: (text) => within(text, (value) => Number.isInteger(value) && value >= minimum && value <= maximum),
    show: String
  })

const seconds: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 }
export const maxSeconds = 366 * 86_400

/** Parses a time (`900`, `15m`, `6h`, `1d`) into seconds; undefined unless it is from a minute to a year. */
const readSeconds = (text: string): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,9})([smhd]?)$/.exec(text.toLowerCase()) ?? []
  const value = Number(count) * (seconds[unit] ?? Number.NaN)
  return value >= 60 && value <= maxSeconds ? value : undefined
}

/** Declares a length of time. */
export const Time = (description: string, example: string) =>
  Param.make(Schema.Int, {
    accepts: `a whole number of seconds from 60 to ${maxSeconds}, or as 15m, 6h, 1d`,
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9]{1,9}[smhd]?$" },
    read: readSeconds,
    show: String
  })

export const OrderId = Param.make(Schema.String, {
  accepts: "the UUID that placeOrder returned",
  description: "Id of an order of a vault.",
  example: "01936f5a-0000-7000-8000-000000000001",
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => uuid.test(text.toLowerCase()) ? text.toLowerCase() : undefined,
  show: (value) => value
})

/** The terms that can be amended. */
export const amendable = {
  limit_price: Schema.optional(
    Price("Worst price, net of the pool's fee: never sold below it, never bought above it.", "3000")
  ),
  stop_price: Schema.optional(
    Price("Price at which a stop triggers: falling to it for a sale, rising to it for a purchase.", "2500")
  ),
  take_profit_price: Schema.optional(
    Price("Price at which a take-profit triggers: rising to it for a sale, falling to it for a purchase.", "3500")
  ),
  trail_percent: Schema.optional(Percent("Distance of a trailing stop from the best price, percent of it.", 90, 5)),
  trail_amount: Schema.optional(Price("Distance of a trailing stop from the best price, in the quote.", "150")),
  activation_price: Schema.optional(Price("Price from which a trailing stop trails; at once without it.", "3200")),
  max_impact: Schema.optional(Percent(
    "Percent that a slice may lose to the pool, compared with the vault's oracle. The order is executed in slices that " +
      `the pool bears. Default ${defaults.maxImpact} for twap and iceberg; other types are one slice without it.`,
    50,
    defaults.maxImpact
  )),
  slippage: Schema.optional(Params.Slippage),
  expires_in: Schema.optional(
    Time("Time from now after which the order expires; default 30 days, twice the duration of a twap.", "7d")
  )
}
