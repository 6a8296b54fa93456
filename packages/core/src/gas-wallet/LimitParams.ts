/** The parameters that bound what a key may do: vaults, and US dollars. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Quantity from "../chain/Quantity.ts"
import * as Param from "../endpoint/Param.ts"
import { readDecimal } from "../endpoint/Params.ts"
import { VaultId } from "./KeyLimits.ts"

const sampleVault = "base/0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

/** Parses US dollars to 18 decimals. */
const readUsd = (text: string): bigint | undefined => {
  const amount = /^\d{1,15}(\.\d{1,18})?$/.test(text) ? readDecimal(text) : undefined
  return amount === undefined ? undefined : Quantity.toRaw(amount, 18)
}

/** Builds a list of vaults; `any` is all of them. */
export const Vaults = (description: string) =>
  Param.list(
    Param.make(Schema.Union([VaultId, Schema.Literal("any")]), {
      accepts: "network/address, or any",
      description: "A vault, or any.",
      example: sampleVault,
      jsonSchema: { type: "string" },
      read: (text) =>
        text.toLowerCase() === "any"
          ? "any" as const
          : Option.getOrUndefined(Schema.decodeUnknownOption(VaultId)(text.toLowerCase())),
      show: (value) => value
    }),
    {
      accepts: "a list of up to 100 vaults as network/address, or any",
      description: description,
      example: [sampleVault],
      jsonSchema: { type: "array", items: { type: "string" }, maxItems: 100 },
      fault: (vaults) =>
        vaults.length > 1 && vaults.includes("any")
          ? "must be either `any` alone or vaults"
          : vaults.length <= 100
          ? undefined
          : `must be at most 100 vaults, not ${vaults.length}`
    }
  )

/** Builds a parameter of USD with 18 decimals; `off` removes the limit. */
export const UsdOrOff = (what: string) =>
  Param.make(Schema.Union([Schema.BigInt, Schema.Literal("off")]), {
    accepts: "US dollars as 250 or 250.5, or off",
    description: `${what}, or \`off\`.`,
    example: "250",
    jsonSchema: { type: "string" },
    read: (text) => text.toLowerCase() === "off" ? "off" as const : readUsd(text),
    show: (value) => value === "off" ? value : Quantity.format(value, 18)
  })

/** Builds a parameter of USD with 18 decimals. */
export const Usd = (description: string) =>
  Param.make(Schema.BigInt, {
    accepts: "US dollars as 250 or 250.5",
    description,
    example: "250",
    jsonSchema: { type: "string" },
    read: readUsd,
    show: (value) => Quantity.format(value, 18)
  })
