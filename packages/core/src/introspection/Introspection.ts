/** The response of `/llmIntrospect`: the catalogue, its conventions and codes, derived from the endpoints' facts. */
import { type Prices, defaultPrices, usdOf } from "../billing/PriceList.ts"
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../failure/Failure.ts"

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

/** Builds the fields of the response besides `status`. */
export const introspection = (
  endpoints: ReadonlyArray<EndpointFacts>,
  service: { readonly version: string },
  prices: Prices = defaultPrices
) => ({
  service: { name: "Vault Trader", version: service.version, reference: "/__docs__", openapi: "/openapi.json" },
  conventions,
  codes: {
    validation: validationCodes,
    execution: Object.fromEntries(Object.entries(executionCodes).map(([type, code]) => [code, type]))
  },
  endpoints: endpoints.map((facts) => ({
    name: facts.name,
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
  })),
  recipes
})
