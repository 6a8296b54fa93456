/** The parameters that endpoints share, each with one meaning, one code and one description. */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Address from "../chain/Address.ts"
import * as Networks from "../chain/Network.ts"
import * as ManagerSignature from "../signature/ManagerSignature.ts"
import * as VenueName from "../venue/VenueName.ts"
import * as Param from "./Param.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const addressJson = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }
const sampleAddress = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

/**
 * Parses decimal or scientific notation to an exact decimal. The length is bounded, so that `1e999999` is cheap to
 * refuse.
 */
export const readDecimal = (text: string): BigDecimal.BigDecimal | undefined =>
  /^[+-]?(\d{1,80}(\.\d{0,80})?|\.\d{1,80})([eE][+-]?\d{1,2})?$/.test(text)
    ? Option.getOrUndefined(BigDecimal.fromString(text.replace(/^\+/, "")))
    : undefined

const readNumber = (accept: (value: number) => boolean) => (text: string): number | undefined => {
  const decimal = readDecimal(text)
  if (decimal === undefined) return undefined
  const value = BigDecimal.toNumberUnsafe(decimal)
  return Number.isFinite(value) && accept(value) ? value : undefined
}

const readAddress = (text: string) => Address.parse(text)
const showText = (value: string) => value

/** A gas wallet's key. It selects the wallet that signs and is billed. */
export const ApiKey = Param.make(Schema.RedactedFromValue(Schema.String), {
  code: "1002",
  accepts: "a UUID issued by createGasWallet or getNewApiKey",
  description: "API key of the gas wallet that acts. May also be sent as `Authorization: Bearer` or `X-API-Key`.",
  example: "00000000-0000-4000-8000-000000000000",
  jsonSchema: { type: "string", format: "uuid" },
  secret: true,
  read: (text) => uuid.test(text.toLowerCase()) ? Redacted.make(text.toLowerCase()) : undefined,
  show: (value) => Redacted.value(value)
})

/** A wallet's private key, accepted in a request body only. */
export const PrivateKey = Param.make(Schema.RedactedFromValue(Schema.String), {
  accepts: "64 hex characters, with or without 0x, of a valid secp256k1 key",
  description: "The wallet's private key, in the request body only. For a wallet that holds gas and nothing else.",
  example: "<64 hex characters>",
  jsonSchema: { type: "string", pattern: "^(0x)?[0-9a-fA-F]{64}$" },
  bodyOnly: true,
  secret: true,
  read: (text) =>
    /^(0x)?[0-9a-fA-F]{64}$/i.test(text) ? Redacted.make(text.replace(/^0x/i, "").toLowerCase()) : undefined,
  show: (value) => Redacted.value(value)
})

const networkList = "base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma"

export const Network = Param.make(Networks.Network, {
  code: "1000",
  accepts: `one of ${networkList}`,
  description: `Network: ${networkList}. Case does not matter.`,
  example: "base",
  jsonSchema: { type: "string", enum: [...Networks.names, "mainnet"] },
  read: Networks.parse,
  show: showText
})

/** A network, or all of them. */
export const NetworkOrAll = Param.make(Schema.Literals([...Networks.names, "all"]), {
  code: "1000",
  accepts: `all, or one of ${networkList}`,
  description: `Network: ${networkList}; \`all\` for every configured one.`,
  example: "base",
  jsonSchema: { type: "string", enum: [...Networks.names, "mainnet", "all"] },
  read: (text) => text.toLowerCase() === "all" ? "all" as const : Networks.parse(text),
  show: showText
})

/** The vault platform's name. The accepted names are configuration, so admission checks it. */
export const Protocol = Param.make(Schema.String, {
  code: "1001",
  accepts: "the configured protocol or its alias",
  description: "Vault platform; the default protocol or its alias.",
  example: "dhedge",
  jsonSchema: { type: "string", default: "dhedge" },
  read: (text) => /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text.toLowerCase() : undefined,
  show: showText
})

export const Pool = Param.make(Address.Address, {
  code: "1004",
  accepts: "the address of a vault: 0x + 40 hex characters",
  description: "Vault address, 0x + 40 hex characters.",
  example: sampleAddress,
  jsonSchema: addressJson,
  read: readAddress,
  show: showText
})

/** Declares a list of distinct vaults with a maximum length. */
export const Pools = (maximum: number) =>
  Param.list(Pool, {
    code: "1004",
    accepts: `a list of 1 to ${maximum} different vault addresses`,
    description: `Vault addresses, 1 to ${maximum}, each once: a repeated key, a comma list or a JSON array.`,
    example: [sampleAddress],
    jsonSchema: { type: "array", items: addressJson, minItems: 1, maxItems: maximum, uniqueItems: true },
    fault: (pools) => {
      const duplicates = [...new Set(pools.filter((pool, index) => pools.indexOf(pool) !== index))]
      if (duplicates.length > 0) return `lists more than once: ${duplicates.slice(0, 5).join(", ")}`
      return pools.length > 0 && pools.length <= maximum
        ? undefined
        : `must be 1 to ${maximum} vaults, not ${pools.length}`
    }
  })

/** Declares an address that is not a vault: trader, manager, wallet. */
export const AddressOf = (role: string) =>
  Param.make(Address.Address, {
    code: "1005",
    accepts: "an address: 0x + 40 hex characters",
    description: `Address of the ${role}, 0x + 40 hex characters.`,
    example: sampleAddress,
    jsonSchema: addressJson,
    read: readAddress,
    show: showText
  })

/** A manager's signature over the request. */
const Signature = Param.make(Schema.RedactedFromValue(Schema.String), {
  accepts: ManagerSignature.format,
  description: "The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload` " +
    "returns the data to sign. Valid for ten minutes and for a single change.",
  example: "v2.<issuedAt>.<nonce>.<0x signature>",
  jsonSchema: { type: "string" },
  secret: true,
  read: (text) =>
    Option.isSome(ManagerSignature.parse(Redacted.make(text))) || ManagerSignature.isOutdated(Redacted.make(text))
      ? Redacted.make(text)
      : undefined,
  show: (value) => Redacted.value(value)
})

/** A display name chosen by the caller. */
export const Label = Param.make(Schema.String, {
  accepts: "1 to 64 characters without line breaks",
  description: "A name for it, for people: 1 to 64 characters.",
  example: "momentum, base",
  jsonSchema: { type: "string", minLength: 1, maxLength: 64 },
  read: (text) => /^[^\p{Cc}\p{Cs}]{1,64}$/u.test(text) ? text : undefined,
  show: showText
})

/** Declares a token as callers name it: a symbol or an address (lower-cased). */
export const Asset = (role: string) =>
  Param.make(Schema.String, {
    accepts: "a token symbol (letters, digits, '.', '$', '_' or '-') or a contract address",
    description: `${role}: a token symbol (for example USDC, WETH, WBTC) or a contract address.`,
    example: "USDC",
    asset: true,
    jsonSchema: { type: "string", minLength: 1, maxLength: 42 },
    read: (text) =>
      Address.parse(text) ??
        (/^[A-Za-z0-9.$_-]{1,32}$/.test(text) && !/^0[xX][0-9a-fA-F]{8,}$/.test(text) ? text : undefined),
    show: showText
  })

const readAssetName = Schema.decodeUnknownOption(Asset("Token"))

/** A token in a list, by the same names as a token alone. */
export const AssetName = Param.make(Schema.String, {
  accepts: "a token's symbol or address",
  description: "A token.",
  example: "WETH",
  jsonSchema: { type: "string", maxLength: 64 },
  // None looks like a negative number.
  read: (text) => text.startsWith("-") ? undefined : Option.getOrUndefined(readAssetName(text)),
  show: showText
})

/** The name of a venue, `auto` or `best`. The name of a retired venue means `auto`. */
export const Platform = Param.make(Schema.Literals(VenueName.platforms), {
  accepts: `auto, best or one of ${VenueName.names.join(", ")}`,
  description:
    `Venue to use: ${
      VenueName.names.join(", ")
    }; no other venue is tried. \`auto\` (the default) walks the network's fallback chain. \`best\` quotes its venues ` +
    "side by side and takes the largest output. Retired venue names mean `auto`.",
  example: "auto",
  jsonSchema: { type: "string", default: "auto" },
  read: VenueName.parse,
  show: showText
})

/** Percent of the available balance: 0 < share ≤ 100. */
export const Share = Param.make(Schema.Number, {
  code: "1007",
  accepts: "a number above 0 and at most 100",
  description: "Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given.",
  example: 100,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 100 },
  read: readNumber((value) => value > 0 && value <= 100),
  show: String
})

/** A quantity in human units of the asset. */
export const Amount = Param.make(Schema.BigDecimal, {
  code: "1009",
  accepts: "a decimal number above 0",
  description: "Quantity in human units of the sold asset (for example 1.5).",
  example: "1.5",
  jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
  read: (text) => {
    const value = readDecimal(text)
    return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
  },
  show: (value) => BigDecimal.format(value)
})

/** A quantity in human units, zero included: an allowance of 0 revokes. */
export const Allowance = Param.make(Schema.BigDecimal, {
  code: "1009",
  accepts: "a decimal number, 0 or more",
  description: "Allowance in human units of the asset; 0 revokes. Without it the allowance is unlimited.",
  example: "1000",
  jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
  read: (text) => {
    const value = readDecimal(text)
    return value !== undefined && !BigDecimal.isNegative(value) ? value : undefined
  },
  show: (value) => BigDecimal.format(value)
})

/** Percent the outcome may be worse than quote and oracle: 0 < slippage ≤ 5. */
export const Slippage = Param.make(Schema.Number, {
  accepts: "a percentage above 0 and at most 5",
  description: "Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5.",
  example: 0.5,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 5, default: 0.5 },
  read: readNumber((value) => value > 0 && value <= 5),
  show: String
})

/** Declares a flag: true, false, 1 or 0, in any case. */
export const Flag = (description: string, fallback = false) =>
  Param.make(Schema.Boolean, {
    accepts: "true, false, 1 or 0",
    description,
    example: true,
    jsonSchema: { type: "boolean", default: fallback },
    read: (text) =>
      ({ true: true, "1": true, false: false, "0": false } as Record<string, boolean>)[text.toLowerCase()],
    show: String
  })

export const DryRun = Flag("Simulate and quote without submitting: returns the plan and sends nothing.")

/** The lifetime of a request's transaction: 10 seconds to a day. */
export const ValidFor = Param.make(Schema.Int, {
  accepts: "whole seconds from 10 to 86400",
  description:
    "Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for swaps, " +
    "600 for everything else. After that it is cancelled and the request fails with 2016.",
  example: 300,
  jsonSchema: { type: "integer", minimum: 10, maximum: 86_400 },
  read: readNumber((value) => Number.isInteger(value) && value >= 10 && value <= 86_400),
  show: String
})

/**
 * The caller's key for a request. Repeats with the same key and request return the first intent's outcome, for 7 days.
 */
export const IdempotencyKey = Param.make(Schema.String, {
  accepts: "1 to 255 printable ASCII characters",
  description:
    "Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the `Idempotency-Key` header.",
  example: "signal-2026-11-20T10:00Z",
  jsonSchema: { type: "string", minLength: 1, maxLength: 255 },
  read: (text) => /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined,
  show: showText
})

export const IntentId = Param.make(Schema.String, {
  accepts: "the UUID that an earlier response returned as intent_id",
  description: "Id of an intent: the `intent_id` of an earlier response.",
  example: "01936f5a-0000-7000-8000-000000000000",
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => uuid.test(text.toLowerCase()) ? text.toLowerCase() : undefined,
  show: showText
})

/** Declares the number of rows per page. */
export const Limit = (maximum: number, fallback: number) =>
  Param.make(Schema.Number, {
    accepts: `a whole number from 1 to ${maximum}`,
    description: `Rows per page, 1 to ${maximum}, default ${fallback}.`,
    example: fallback,
    jsonSchema: { type: "integer", minimum: 1, maximum, default: fallback },
    read: readNumber((value) => Number.isInteger(value) && value >= 1 && value <= maximum),
    show: String
  })

export const Cursor = Param.make(Schema.String, {
  accepts: "the cursor of an earlier page",
  description: "Start of the next page: the `cursor` of the previous page.",
  example: "01936f5a-0000-7000-8000-000000000000",
  jsonSchema: { type: "string" },
  read: (text) => uuid.test(text.toLowerCase()) ? text.toLowerCase() : undefined,
  show: showText
})

/** The parameters that authenticate a manager's request. */
export const managerParams = { manager: AddressOf("manager who signed the request"), signature: Signature }

/** The parameters that authenticate a request on endpoints that accept a key or a manager. */
export const keyOrManager = {
  apiKey: Schema.optional(ApiKey),
  manager: Schema.optional(managerParams.manager),
  signature: Schema.optional(Signature)
}

/**
 * The network a manager acts on. A contract wallet has authority only on its own network; an account can limit its
 * request to one.
 */
export const ManagerNetwork = Param.make(Networks.Network, {
  code: "1000",
  accepts: `one of ${networkList}`,
  description:
    "The network of a manager that is a contract wallet: its signature is valid only there. Without it the " +
    "request covers all networks, which only an account can sign.",
  example: "base",
  jsonSchema: { type: "string", enum: [...Networks.names, "mainnet"] },
  read: Networks.parse,
  show: showText
})

/** `managed` for requests that a contract wallet may sign for its own network. */
export const managedOn = { ...managerParams, network: Schema.optional(ManagerNetwork) }

/** `keyOrManager` for requests that a contract wallet may sign for its own network. */
export const keyOrManagerOn = { ...keyOrManager, network: Schema.optional(ManagerNetwork) }

/**
 * The parameters that prove authority over one wallet: its private key, a manager's signature (which needs `wallet`, or
 * the key), or its API key.
 */
export const anyProof = {
  ...keyOrManager,
  wallet: Schema.optional(AddressOf("gas wallet")),
  privateKey: Schema.optional(PrivateKey)
}

/** The two size parameters of endpoints that move funds. */
export const sizeParams = { share: Schema.optional(Share), amount: Schema.optional(Amount) }
