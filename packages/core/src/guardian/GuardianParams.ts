/** The parameters of the endpoints of guardians. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Percent, Time, Whole } from "../vault-order/OrderParams.ts"
import { defaults, GuardianKind, guardianKinds, RepairMethod, repairMethods } from "./Guardian.ts"

export const Kind = Param.make(GuardianKind, {
  accepts: `one of ${guardianKinds.join(", ")}`,
  description:
    "Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and orders after a loss, " +
    "`oracle` refuses trades on old prices and off the peg, `gas` reports a wallet that is low.",
  example: "health_factor",
  jsonSchema: { type: "string", enum: [...guardianKinds] },
  read: (text) => guardianKinds.find((kind) => kind === text.toLowerCase()),
  show: (value) => value
})

const decimal = (text: string, accept: (value: BigDecimal.BigDecimal) => boolean) => {
  const value = Params.readDecimal(text)
  return value !== undefined && BigDecimal.normalize(value).scale <= 18 && accept(value) ? value : undefined
}

/** Declares a health factor. */
const Factor = (description: string, example: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a health factor above 1 and at most 100",
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9.]+$" },
    read: (text) =>
      decimal(
        text,
        (value) =>
          BigDecimal.isGreaterThan(value, BigDecimal.make(1n, 0)) &&
          BigDecimal.isLessThanOrEqualTo(value, BigDecimal.make(100n, 0))
      ),
    show: (value) => BigDecimal.format(value)
  })

/** Declares an amount of native token. */
const Native = (description: string, example: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "an amount above 0 of the network's native token, at most 1000000, with 18 decimals at most",
    description,
    example,
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) =>
      decimal(
        text,
        (value) => BigDecimal.isPositive(value) && BigDecimal.isLessThanOrEqualTo(value, BigDecimal.make(1_000_000n, 0))
      ),
    show: (value) => BigDecimal.format(value)
  })

const Method = Param.make(RepairMethod, {
  accepts: `one of ${repairMethods.join(", ")}`,
  description: "A way to raise the health factor.",
  example: "repay",
  jsonSchema: { type: "string", enum: [...repairMethods] },
  read: (text) => repairMethods.find((method) => method === text.toLowerCase()),
  show: (value) => value
})

const once = <A>(items: ReadonlyArray<A>) => new Set(items).size === items.length && items.length > 0

export const terms = {
  floor: Schema.optional(
    Factor("Of a health_factor guardian: the health factor below which it acts, 1.05 at least.", "1.25")
  ),
  target: Schema.optional(Factor("Of a health_factor guardian: the health factor that it restores.", "1.5")),
  prefer: Schema.optional(Param.list(Method, {
    accepts: `a list of ${repairMethods.join(", ")}, each once`,
    description:
      "Of a health_factor guardian: what it may do, in the order of preference. `repay` with the vault's balance of " +
      "the debt's asset, `unlend` what is supplied of it, `sell` other tokens, `deleverage`: sell collateral. Default " +
      `${defaults.prefer.join(",")}.`,
    example: [...defaults.prefer],
    jsonSchema: { type: "array", items: { type: "string", enum: [...repairMethods] }, uniqueItems: true, minItems: 1 },
    fault: (methods) => once(methods) ? undefined : "must have each method once, and one at least"
  })),
  max_daily_loss: Schema.optional(
    Percent("Of a loss_breaker: the loss of the share price since the beginning of the day (UTC), percent.", 90, 5)
  ),
  max_total_loss: Schema.optional(
    Percent("Of a loss_breaker: the loss of the share price since its peak, percent.", 90, 15)
  ),
  close_into: Schema.optional(
    Params.Asset("Of a loss_breaker: the asset that the vault's tokens are sold for when it trips; nothing without it")
  ),
  close_positions: Schema.optional(
    Params.Flag(
      "Of a loss_breaker with close_into: also close loans, supplies and liquidity positions. Default true."
    )
  ),
  max_age: Schema.optional(
    Time("Of an oracle guardian: how old the oracle's answer for a token may be.", "1h")
  ),
  max_depeg: Schema.optional(
    Percent("Of an oracle guardian: how far a stablecoin may be off 1 USD, percent.", 50, 2)
  ),
  assets: Schema.optional(Param.list(Params.AssetName, {
    accepts: "a list of up to 20 tokens by symbol or address, each once",
    description: "Of an oracle guardian: the tokens that it watches; all that the vault may hold without it.",
    example: ["WETH", "USDC"],
    jsonSchema: { type: "array", items: { type: "string", maxLength: 64 }, minItems: 1, maxItems: 20 },
    fault: (assets) => once(assets) && assets.length <= 20 ? undefined : "must be 1 to 20 different tokens"
  })),
  min_gas: Schema.optional(
    Native("Of a gas guardian: the wallet's native token below which it reports.", "0.005")
  ),
  target_gas: Schema.optional(
    Native(
      "Of a gas guardian: the native token that its proposed refill restores; three times min_gas without it.",
      "0.02"
    )
  ),
  slippage: Schema.optional(Params.Slippage),
  confirmations: Schema.optional(Whole(
    `Readings in a row, each of a later block, after which it acts; default ${defaults.confirmations}.`,
    2,
    20,
    defaults.confirmations
  ))
}
