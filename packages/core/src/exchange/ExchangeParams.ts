/** Parameters of the endpoints for exchange accounts. */
import * as Effect from "effect/Effect"
import * as BigDecimal from "effect/BigDecimal"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { ExchangePair } from "../market-data/MarketDataApi.ts"
import { sides, Side } from "./ExchangeDecision.ts"
import { strategies, Strategy as StrategySchema } from "./ExchangeAccount.ts"
import { ExchangeId, exchanges, defaultSlippage } from "./Exchanges.ts"

/** The key of the gas wallet that an account belongs to; the same as `apiKey` elsewhere. */
export const GasWalletApiKey = Params.ApiKey

export const Exchange = Param.make(ExchangeId, {
  accepts: `one of ${exchanges.join(", ")}`,
  description: `Exchange of the account: ${exchanges.join(", ")}.`,
  example: "binance",
  jsonSchema: { type: "string", enum: [...exchanges] },
  read: (text) => exchanges.find((id) => id === text.toLowerCase()),
  show: (value) => value
})

export const SubaccountName = Param.make(Schema.String, {
  accepts: "1 to 64 characters: letters, digits and . _ @ + -, beginning with a letter or a digit",
  description: "Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -.",
  example: "main-btc",
  jsonSchema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$" },
  read: (text) => /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/.test(text) ? text : undefined,
  show: (value) => value
})

const secret = (what: string, pattern: RegExp, accepts: string) =>
  Param.make(Schema.RedactedFromValue(Schema.String), {
    accepts,
    description: `${what}, in the request body only. Stored encrypted, never shown again.`,
    example: `<${what.toLowerCase()}>`,
    jsonSchema: { type: "string" },
    bodyOnly: true,
    secret: true,
    read: (text) => pattern.test(text) ? Redacted.make(text) : undefined,
    show: Redacted.value
  })

export const CexApiKey = secret(
  "API key of the exchange",
  /^[\x21-\x7e]{8,256}$/,
  "8 to 256 printable characters without spaces"
)
export const CexSecret = secret(
  "Secret of the exchange's API key",
  /^[\x21-\x7e]{8,512}$/,
  "8 to 512 printable characters without spaces"
)
export const CexPassphrase = secret(
  "Passphrase of the exchange's API key",
  /^[\x21-\x7e]{1,128}$/,
  "1 to 128 printable characters without spaces"
)

const settingsText =
  "a JSON object with no members other than testnet (true or false) and slippage (a percentage above 0 and at most 5)"

/** An account's settings. They never contain a URL: only the operator sets the exchanges' addresses. */
export const Settings = Param.json(
  Schema.Struct({
    testnet: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false))),
    slippage: Schema.Number.pipe(Schema.check(Schema.isGreaterThan(0)), Schema.check(Schema.isLessThanOrEqualTo(5)))
      .pipe(Schema.withDecodingDefaultType(Effect.succeed(defaultSlippage)))
  }),
  {
    exact: true,
    accepts: settingsText,
    description: `Settings of the account: ${settingsText}. Default {"testnet":false,"slippage":${defaultSlippage}}.`,
    example: { testnet: true },
    jsonSchema: {
      type: "object",
      properties: { testnet: { type: "boolean" }, slippage: { type: "number", exclusiveMinimum: 0, maximum: 5 } },
      additionalProperties: false
    }
  }
)

export const Pair = ExchangePair("Pair as the exchange lists it, BASE-QUOTE.", "BTC-USDT")

export const SideParam = Param.make(Side, {
  code: "1008",
  accepts: `one of ${sides.join(", ")}`,
  description: "long: hold the base; neutral: hold the quote; hold: do nothing.",
  example: "long",
  jsonSchema: { type: "string", enum: [...sides] },
  read: (text) => sides.find((side) => side === text.toLowerCase()),
  show: (value) => value
})

export const Strategy = Param.make(StrategySchema, {
  accepts: `one of ${strategies.join(", ")}`,
  description:
    "custom (the default): the side set with setCEXSide; trend: long while the last daily candle closed above " +
    "the mean of the last 50, else neutral.",
  example: "custom",
  jsonSchema: { type: "string", enum: [...strategies], default: "custom" },
  read: (text) => strategies.find((strategy) => strategy === text.toLowerCase()),
  show: (value) => value
})

export const MaxUsd = Param.make(Schema.BigDecimal, {
  accepts: "a number of US dollars above 0",
  description: "Maximum value of one order in US dollars.",
  example: "1000",
  jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
  read: (text) => {
    const value = Params.readDecimal(text)
    return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
  },
  show: BigDecimal.format
})

/** Declares a percentage of a bot's entry price. */
const PercentOfEntry = (below: number, description: string, example: number) =>
  Param.make(Schema.Number, {
    accepts: `a percentage above 0 and below ${below}`,
    description,
    example,
    jsonSchema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: below },
    read: (text) => {
      const decimal = Params.readDecimal(text)
      const value = decimal === undefined ? 0 : BigDecimal.toNumberUnsafe(decimal)
      return value > 0 && value < below ? value : undefined
    },
    show: String
  })

export const TakeProfit = PercentOfEntry(
  10_000,
  "Sell what the bot bought once the exchange's bid is this percentage above the average price paid. None without it.",
  10
)
export const StopLoss = PercentOfEntry(
  100,
  "Sell what the bot bought once the exchange's bid is this percentage below the average price paid. None without it.",
  5
)

/** The parameters that select an account of the key's wallet. */
export const account = { gas_wallet_api_key: GasWalletApiKey, subaccount_name: SubaccountName }
export const optionalPair = Schema.optional(Pair)
