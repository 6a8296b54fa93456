/** The endpoints as commands of vault-trader: the fold over the catalogue. */
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import type { ParamDescription } from "@vault-trader/core/endpoint/Param"
import type { EndpointCommand, EndpointOption, OptionType } from "../cli/CommandTable.ts"
import { type ClientMethod, clientMethods, isKey, snakeCase } from "./ClientMethod.ts"

/** Names that are shorter than an endpoint's. */
const shortNames: Readonly<Record<string, string>> = {
  trade: "vaultTrade",
  composition: "poolComposition",
  balance: "getGasBalance",
  capabilities: "getCapabilities",
  intent: "getIntent",
  intents: "getIntents",
  "create-wallet": "createGasWallet",
  "new-key": "getNewApiKey",
  bots: "getAllBots",
  price: "token-price",
  candles: "getCandles",
  charges: "getCharges",
  report: "getReport",
  positions: "getPerpetualPositions"
}

type Json = Readonly<Record<string, unknown>>

const kebabCase = (name: string): string => snakeCase(name).replaceAll("_", "-")

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

const typeOf = ({ info }: ParamDescription): OptionType => {
  const { pattern, type } = info.jsonSchema as Json
  if (info.kind === "list") return "list"
  if (info.kind === "json" && type !== "string") return "json"
  if (type === "boolean") return "flag"
  if (type === "integer" || type === "number") return type
  return pattern === "^[0-9.eE+-]+$" ? "number" : "text"
}

/** Returns the accepted values; undefined when they are not a list of words. */
const valuesOf = ({ info }: ParamDescription): ReadonlyArray<string> | undefined => {
  const schema = info.jsonSchema as Json
  const values = info.kind === "list" ? (schema["items"] as Json | undefined)?.["enum"] : schema["enum"]
  if (!isTexts(values)) return undefined
  return Array.isArray(schema["type"]) && schema["type"].includes("boolean") ? [...values, "true", "false"] : values
}

/**
 * Returns true when a profile's network or vault may be used. An optional network is filled in only where it says where
 * a vault is, not where it narrows a question or where the endpoint has a default of its own.
 */
const isFromProfile = ({ everyNetwork, network, params }: EndpointFacts, { name, required }: ParamDescription) =>
  (name === "pool" && required) ||
  (name === "network" &&
    (required ||
      (network === undefined && !everyNetwork && params.some((param) => param.name === "pool" && param.required))))

const optionOf = (facts: EndpointFacts, param: ParamDescription): EndpointOption => {
  const { description, info, name, required } = param
  const values = valuesOf(param)
  const fallback = (info.jsonSchema as Json)["default"]
  // A signature is valid for one request only.
  const isSecret = info.secret && name !== "signature"
  return {
    name: kebabCase(name),
    param: name,
    type: typeOf(param),
    required,
    description,
    accepts: info.accepts,
    ...(values === undefined ? {} : { values }),
    ...(fallback === undefined ? {} : { fallback: typeof fallback === "string" ? fallback : JSON.stringify(fallback) }),
    ...(isSecret ? { secret: true } : {}),
    ...(isFromProfile(facts, param) ? { fromProfile: true } : {})
  }
}

const exampleOf = ({ exampleRequest, params }: EndpointFacts): Json =>
  Object.fromEntries(
    Object.entries(exampleRequest).filter(([name]) =>
      !params.some((param) => param.name === name && (isKey(param) || param.info.secret))
    )
  )

const commandOf = (group: string, facts: EndpointFacts, { key, kind, name, path }: ClientMethod): EndpointCommand => {
  const params = facts.params.filter((param) => !isKey(param))
  const options = [...params.filter(({ required }) => required), ...params.filter(({ required }) => !required)]
  return {
    name: kebabCase(name),
    aliases: Object.entries(shortNames).filter(([, endpoint]) => endpoint === facts.name).map(([short]) => short),
    endpoint: facts.name,
    group,
    summary: facts.summary,
    path,
    kind,
    key,
    ...(facts.network === undefined ? {} : { network: facts.network }),
    options: options.map((param) => optionOf(facts, param)),
    example: exampleOf(facts)
  }
}

/** The commands, in the order of the catalogue. */
export const endpointCommands: ReadonlyArray<EndpointCommand> = Object.entries(endpointsByTitle).flatMap((
  [group, endpoints]
) =>
  endpoints.flatMap((facts) =>
    clientMethods.filter(({ endpoint }) => endpoint === facts.name).map((method) => commandOf(group, facts, method))
  )
)
