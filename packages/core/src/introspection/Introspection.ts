/** The response of `/llmIntrospect`: the catalogue, its conventions and codes, derived from the endpoints' facts. */
import { type Prices, defaultPrices, usdOf } from "../billing/PriceList.ts"
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import * as Network from "../chain/Network.ts"
import { executionCodes, validationCodes } from "../failure/Failure.ts"
import { lenders } from "../lending/Lending.ts"
import * as VenueName from "../venue/VenueName.ts"
import { categoryOf } from "./Llms.ts"
import { boxed, unboxed } from "./MediaType.ts"

const conventions = {
  transport:
    "Parameters in the query string, a JSON body or a form body, merged. GET and POST unless an endpoint says otherwise.",
  success: "HTTP 200; every top-level field is a one-element array; status is ['success'].",
  pending: "HTTP 200, status ['pending'] with intent_id: accepted and not final yet; call getIntent.",
  validation_failure: "HTTP 200, status ['fail'], status_code ['10xx'], message.",
  execution_failure: "HTTP 400, flat object with status, status_code '2xxx', error_type, message, intent_id. Final.",
  throttled: "HTTP 503 with an HTML body and Retry-After: back off and retry; about 30 requests a minute, burst 20.",
  key: "apiKey parameter, 'Authorization: Bearer <key>' or 'X-API-Key'. Server side only.",
  idempotency: "Idempotency-Key header or idempotency_key parameter on every endpoint of class movesFunds.",
  dry_run: "dryRun=true returns the plan and sends nothing.",
  amounts: "Decimal strings in human units; percentages and USD are numbers."
}

/** Sequences of calls that reach a goal (spec 4.11), limited to endpoints that exist. */
const recipes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "signal to trade": ["isPoolTrader", "approve", "vaultTrade"],
  "idle collateral": ["approve", "lenderAV3/lend", "lenderAV3/getHealthFactor", "lenderAV3/unlend"],
  "fee sweep, with dryRun first": ["mintAllFeesByManager", "mintAllFeesByManager"],
  "index": ["setIndexBot", "previewIndexBot", "rebalancePool"],
  "quickstart": ["createGasWallet", "isPoolTrader", "poolComposition", "approve", "vaultTrade"],
  "follow up": ["vaultTrade", "getIntent"]
}

const usageNotes = [
  "Create a gas wallet once (createGasWallet), keep both secrets, fund it, and set it as the vault's trader.",
  "Approve each asset once per venue before the first trade (approve), and bots only after that (setBot).",
  "Plan with dryRun=true first. Send every write with an Idempotency-Key and repeat it with the same key after a timeout.",
  "pending means accepted: call getIntent with intent_id; do not send the request again under another key.",
  "A fail with a 10xx code changed nothing: correct the parameter that the message names. A 2xxx code is final.",
  "share (percent of the balance) wins over amount; neither means everything.",
  "Never put an API key or a private key into a URL, a browser or a repository.",
  `For answers without boxes send Accept: ${unboxed}.`
]

/** The parts of the service's configuration that callers choose from. */
interface Served {
  readonly networks: ReadonlyArray<Network.Network>
  readonly defaultNetwork: Network.Network
  /** The first is the default. */
  readonly protocols: ReadonlyArray<string>
}

export type ByTitle = Readonly<Record<string, ReadonlyArray<EndpointFacts>>>

/** A category's name in a URL, and its endpoints. */
export interface Category {
  readonly category: string
  readonly endpoints: ReadonlyArray<EndpointFacts>
}

/** Returns the categories: the groups of the catalogue. */
export const categories = (endpointsByTitle: ByTitle): ReadonlyArray<Category> =>
  Object.entries(endpointsByTitle).map(([title, endpoints]) => ({ category: categoryOf(title), endpoints }))

const networksOf = ({ defaultNetwork, networks }: Served) =>
  networks.map((name) => ({
    name,
    chain_id: Network.facts[name].chainId,
    native_token: Network.facts[name].native,
    is_default: name === defaultNetwork
  }))

const platforms = {
  choices: ["auto", "best"],
  venues: VenueName.names,
  lenders: ["auto", ...lenders],
  retired: VenueName.retiredVenues
}

const errorCodes: Readonly<Record<string, string>> = {
  ...validationCodes,
  ...Object.fromEntries(Object.entries(executionCodes).map(([type, code]) => [code, type]))
}

const described = (facts: EndpointFacts, category: string, prices: Prices) => ({
  name: facts.name,
  category,
  paths: facts.paths,
  methods: facts.methods,
  method: facts.method,
  class: facts.class,
  access: facts.access,
  charge: facts.charge,
  price_usd: usdOf(facts.charge, prices),
  listed: facts.listed,
  summary: facts.summary,
  parameters: facts.params.map(({ name, required, description, info }) => ({
    name,
    required,
    description,
    schema: info.jsonSchema,
    in: info.bodyOnly ? ["body"] : ["query", "body"]
  })),
  example: facts.example
})

/** Returns an endpoint in one line: its name, its class, the required parameters besides the key, and its summary. */
const line = ({ class: kind, name, params, summary }: EndpointFacts): string => {
  const required = params.filter((param) => param.required && !/apiKey|api_key/.test(param.name))
  return `${name} (${[kind, ...required.map((param) => param.name)].join(" ")}): ${summary.split(/[.;:] /)[0] ?? ""}`
}

interface Options {
  readonly version: string
  readonly prices?: Prices
  readonly served: Served
}

/** Builds the fields that do not depend on the chosen endpoints. */
const about = (all: ReadonlyArray<Category>, { served, version }: Options) => ({
  service: { name: "Vault Trader", version, reference: "/__docs__", openapi: "/openapi.json" },
  api_info: {
    name: "Vault Trader",
    version,
    description: "Trade a managed on-chain vault over HTTP.",
    documents: { openapi: "/openapi.json", reference: "/__docs__", llms: "/llms.txt", llms_full: "/llms-full.txt" },
    media_types: [boxed, unboxed],
    authentication: ["Authorization: Bearer <apiKey>", "X-API-Key: <apiKey>", "apiKey parameter"],
    filters: "?endpoint=<name or path>, ?category=<category>, ?compact=true",
    categories: all.map(({ category }) => category)
  },
  networks: networksOf(served),
  protocols: served.protocols,
  platforms,
  usage_notes: usageNotes,
  error_codes: errorCodes
})

/** Builds the fields of the response besides `status`, with the endpoints of these categories. */
export const introspection = (
  all: ReadonlyArray<Category>,
  chosen: ReadonlyArray<Category>,
  options: Options
) => ({
  ...about(all, options),
  conventions,
  codes: {
    validation: validationCodes,
    execution: Object.fromEntries(Object.entries(executionCodes).map(([type, code]) => [code, type]))
  },
  endpoints: chosen.flatMap(({ category, endpoints }) =>
    endpoints.map((facts) => described(facts, category, options.prices ?? defaultPrices))
  ),
  recipes
})

/** Builds the same response in a few thousand tokens: a line for each endpoint, and nothing that is said twice. */
export const compactIntrospection = (
  all: ReadonlyArray<Category>,
  chosen: ReadonlyArray<Category>,
  options: Options
) => ({
  ...about(all, options),
  conventions: {},
  codes: {},
  endpoints: chosen.map(({ category, endpoints }) => ({ category, endpoints: endpoints.map(line) })),
  recipes
})
