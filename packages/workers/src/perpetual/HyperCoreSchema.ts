/** Schemas of the info API's responses. Numbers are decimal text there; unused fields are ignored. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import type { OrderState } from "@vault-trader/core/perpetual/OrderStatus"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Decimal text, unchanged. */
const Decimal = Schema.String.check(Schema.isPattern(/^-?\d{1,40}(\.\d{1,40})?$/u))

/** Converts decimal text to an integer with the given decimals, rounded towards zero. */
export const toUnits = (text: string, decimals: number): bigint => toRaw(BigDecimal.fromStringUnsafe(text), decimals)

const Meta = Schema.Struct({
  universe: Schema.Array(Schema.Struct({
    name: Schema.String,
    szDecimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })),
    maxLeverage: Schema.Number,
    onlyIsolated: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false))),
    isDelisted: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false)))
  }))
})

const MarketContext = Schema.Struct({
  markPx: Decimal,
  midPx: Schema.NullOr(Decimal).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
  oraclePx: Decimal,
  funding: Decimal.pipe(Schema.withDecodingDefaultType(Effect.succeed("0"))),
  openInterest: Decimal.pipe(Schema.withDecodingDefaultType(Effect.succeed("0")))
})

export const Markets = Schema.Tuple([Meta, Schema.Array(MarketContext)])

/** A traded contract. Its number is its index in HyperCore's own list. */
export interface HyperCoreMarket {
  readonly asset: number
  readonly coin: string
  readonly sizeDecimals: number
  readonly maxLeverage: number
  readonly isolatedOnly: boolean
  readonly context: typeof MarketContext.Type
}

export const listMarkets = ([{ universe }, contexts]: typeof Markets.Type): ReadonlyArray<HyperCoreMarket> =>
  universe.flatMap(
    ({ isDelisted, maxLeverage, name: coin, onlyIsolated: isolatedOnly, szDecimals: sizeDecimals }, asset) => {
      const context = contexts[asset]
      return context === undefined || isDelisted
        ? []
        : [{ asset, coin, sizeDecimals, maxLeverage, isolatedOnly, context }]
    }
  )

export const Account = Schema.Struct({
  marginSummary: Schema.Struct({ accountValue: Decimal, totalNtlPos: Decimal, totalMarginUsed: Decimal }),
  withdrawable: Decimal,
  assetPositions: Schema.Array(Schema.Struct({
    position: Schema.Struct({
      coin: Schema.String,
      szi: Decimal,
      entryPx: Schema.NullOr(Decimal).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
      positionValue: Decimal,
      unrealizedPnl: Decimal,
      liquidationPx: Schema.NullOr(Decimal).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
      marginUsed: Decimal,
      leverage: Schema.Struct({ value: Schema.Number })
    })
  })),
  /** HyperCore's own clock, unix milliseconds. */
  time: Schema.Number
})

export const Spot = Schema.Struct({
  balances: Schema.Array(
    Schema.Struct({
      coin: Schema.String,
      total: Decimal,
      hold: Decimal.pipe(Schema.withDecodingDefaultType(Effect.succeed("0")))
    })
  )
})

/** Decimals of USDC on HyperCore's spot side. */
export const spotDecimals = 8

export const freeUsdc = ({ balances }: typeof Spot.Type): bigint => {
  const usdc = balances.find(({ coin }) => coin === "USDC")
  const free = usdc === undefined ? 0n : toUnits(usdc.total, spotDecimals) - toUnits(usdc.hold, spotDecimals)
  return free > 0n ? free : 0n
}

const sides = { A: "sell", B: "buy" } as const

const orderFields = {
  coin: Schema.String,
  side: Schema.Literals(["A", "B"]),
  limitPx: Decimal,
  sz: Decimal,
  origSz: Decimal,
  oid: Schema.Int,
  timestamp: Schema.Number,
  reduceOnly: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false))),
  tif: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
  cloid: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultType(Effect.succeed(null)))
}

export const OpenOrder = Schema.Struct(orderFields)

export const OrderStatus = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("order"),
    order: Schema.Struct({ order: OpenOrder, status: Schema.String, statusTimestamp: Schema.Number })
  }),
  Schema.Struct({ status: Schema.Literal("unknownOid") })
])

/** An order. `at` is when it reached HyperCore, unix milliseconds. */
export interface OrderRecord extends OrderState {
  readonly at: number
}

export const sideOf = ({ side }: Pick<typeof OpenOrder.Type, "side">) => sides[side]

export const toOrderRecord = (answer: typeof OrderStatus.Type): Option.Option<OrderRecord> => {
  if (answer.status !== "order") return Option.none()
  const { order, status } = answer.order
  return Option.some({
    oid: order.oid,
    cloid: order.cloid as Hex | null,
    coin: order.coin,
    side: sideOf(order),
    price: order.limitPx,
    size: order.origSz,
    remaining: order.sz,
    status,
    at: order.timestamp
  })
}

export const Fill = Schema.Struct({
  coin: Schema.String,
  px: Decimal,
  sz: Decimal,
  oid: Schema.Int,
  time: Schema.Number
})

/** An entry of HyperCore's ledger. Entries of unused kinds carry only their type. */
export const LedgerEntry = Schema.Struct({
  time: Schema.Number,
  hash: Schema.String,
  delta: Schema.Struct({
    type: Schema.String,
    usdc: Schema.optional(Decimal),
    amount: Schema.optional(Decimal),
    token: Schema.optional(Schema.String),
    toPerp: Schema.optional(Schema.Boolean),
    destination: Schema.optional(Schema.String),
    user: Schema.optional(Schema.String)
  })
})
