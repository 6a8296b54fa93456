/** Parameters of the endpoints about perpetual contracts. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Networks from "../chain/Network.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import * as Cloids from "./Cloid.ts"
import { maxSlippage, Side as SideSchema, defaultSlippage, tifs } from "./Perpetual.ts"

/** Default network of the endpoints for perpetual contracts. */
export const defaultNetwork: Networks.Network = "hyperliquid"

export const Coin = Param.make(Schema.String, {
  accepts: "the name of a perpetual contract: 1 to 16 letters and digits",
  description:
    "The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL); `getPerpetualMarkets` lists them. Case does not matter.",
  example: "ETH",
  jsonSchema: { type: "string", pattern: "^[A-Za-z0-9]{1,16}$" },
  read: (text) => /^[A-Za-z0-9]{1,16}$/.test(text) ? text : undefined,
  show: (value) => value
})

const sides: Readonly<Record<string, typeof SideSchema.Type>> = { buy: "buy", long: "buy", sell: "sell", short: "sell" }

export const Side = Param.make(SideSchema, {
  code: "1008",
  accepts: "buy or sell (or long for buy, short for sell)",
  description: "`buy` or `sell`; `long` means buy, `short` means sell. Case does not matter.",
  example: "buy",
  jsonSchema: { type: "string", enum: Object.keys(sides) },
  read: (text) => Object.hasOwn(sides, text.toLowerCase()) ? sides[text.toLowerCase()] : undefined,
  show: (value) => value
})

const quantity = (description: string, example: string, code: "1009" | "1010") =>
  Param.make(Schema.BigDecimal, {
    code,
    accepts: "a decimal number above 0",
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

export const Size = quantity(
  "Size in coins, rounded down to the contract's size decimals. Overrides `usd` when both are given.",
  "0.25",
  "1009"
)
export const Usd = quantity("Size in USD: the largest size that is not worth more.", "500", "1009")
export const Price = quantity(
  "Worst acceptable price, USD per coin. Without it the order is a market order: `ioc` at the mid price and `slippage`.",
  "3000",
  "1010"
)

export const Tif = Param.make(Schema.Literals(tifs), {
  accepts: `one of ${tifs.join(", ")}`,
  description:
    "Time in force: `ioc` fills at once what it can, `gtc` rests until it is filled or cancelled, `alo` may only " +
    "rest. Default gtc with a price, ioc without.",
  example: "gtc",
  jsonSchema: { type: "string", enum: [...tifs] },
  read: (text) => tifs.find((tif) => tif === text.toLowerCase()),
  show: (value) => value
})

export const ReduceOnly = Params.Flag("Only reduce a position. Without `size` and `usd`, the whole position is closed.")

export const Slippage = Param.make(Schema.Number, {
  accepts: `a percentage above 0 and at most ${maxSlippage}`,
  description:
    `Percent by which a market order's price may be worse than the mid price; default ${defaultSlippage}, at ` +
    `most ${maxSlippage}, the limit of the vault platform's guard.`,
  example: defaultSlippage,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: maxSlippage, default: defaultSlippage },
  read: (text) => {
    const value = Params.readDecimal(text)
    const percent = value === undefined ? 0 : BigDecimal.toNumberUnsafe(value)
    return percent > 0 && percent <= maxSlippage ? percent : undefined
  },
  show: String
})

export const Cloid = Param.make(Schema.String, {
  accepts: "0x + 32 hex characters",
  description: "The order's client id, 0x + 32 hex characters, as placePerpetualOrder returned it.",
  example: "0x01936f5a000070008000000000000000",
  jsonSchema: { type: "string", pattern: "^0x[0-9a-fA-F]{32}$" },
  read: (text) => Cloids.parse(text),
  show: (value) => value
})

export const Oid = Param.make(Schema.BigInt, {
  accepts: "an order's number: a whole number",
  description: "The order's number at HyperCore.",
  example: "91490942",
  jsonSchema: { type: "string", pattern: "^[0-9]+$" },
  read: (text) => /^\d{1,18}$/.test(text) ? BigInt(text) : undefined,
  show: String
})

/** The network; default `hyperliquid`. */
export const Network = Param.make(Networks.Network, {
  code: "1000",
  accepts: `one of ${Networks.names.join(", ")}`,
  description: "Network, default hyperliquid: the only one with perpetual contracts.",
  example: "hyperliquid",
  jsonSchema: { type: "string", enum: [...Networks.names, "mainnet"], default: defaultNetwork },
  read: Networks.parse,
  show: (value) => value
})
