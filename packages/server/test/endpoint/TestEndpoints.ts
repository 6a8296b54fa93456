/** Test endpoints: one of each kind that the wire treats differently. */
import * as Endpoint from "@vault-trader/core/endpoint/Endpoint"
import * as Param from "@vault-trader/core/endpoint/Param"
import * as Params from "@vault-trader/core/endpoint/Params"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"

const Pools = Param.list(Params.Pool, {
  code: "1004",
  accepts: "a list of vault addresses",
  description: "Vaults.",
  example: [`0x${"ab".repeat(20)}`],
  jsonSchema: { type: "array" }
})
const Targets = Param.json(Schema.Array(Schema.Struct({ asset: Schema.String, weight: Schema.Number })), {
  accepts: "a list of {asset, weight}",
  description: "Targets.",
  example: [],
  jsonSchema: { type: "array" }
})

/** Every kind of parameter, and every one whose misuse has its own code. */
const everything = {
  apiKey: Params.ApiKey,
  network: Params.Network,
  protocol: Schema.optional(Params.Protocol),
  pool: Params.Pool,
  trader: Schema.optional(Params.AddressOf("trader")),
  asset: Schema.optional(Params.Asset("Asset")),
  share: Schema.optional(Params.Share),
  amount: Schema.optional(Params.Amount),
  slippage: Schema.optional(Params.Slippage),
  dryRun: Schema.optional(Params.DryRun),
  pools: Schema.optional(Pools),
  targets: Schema.optional(Targets)
}

const base = { summary: "A test.", success: {}, example: {} }

export const Reads = Endpoint.make("reads", { ...base, class: "readOnly", params: everything })
export const Moves = Endpoint.make("moves", { ...base, class: "movesFunds", trader: true, params: everything })
export const Configures = Endpoint.make("configures", {
  ...base,
  class: "changesConfig",
  access: "open",
  method: "POST",
  methods: ["POST"],
  params: { privateKey: Params.PrivateKey }
})

export const Managed = Endpoint.make("managed", {
  ...base,
  class: "changesConfig",
  access: "manager",
  subject: "wallet",
  params: { wallet: Params.AddressOf("wallet"), ...Params.managerParams }
})
export const Both = Endpoint.make("both", {
  ...base,
  class: "changesConfig",
  access: "apiKeyAndManager",
  subject: "apiKey",
  params: { apiKey: Params.ApiKey, ...Params.managerParams, label: Schema.optional(Params.Label) }
})
export const Either = Endpoint.make("either", {
  ...base,
  class: "readOnly",
  access: "apiKeyOrManager",
  params: { ...Params.keyOrManager, network: Schema.optional(Params.Network) }
})

const [reads, moves, configures, managed, both, either] = Endpoint.factsOfGroup(
  RpcGroup.make(Reads, Moves, Configures, Managed, Both, Either)
)
if (
  reads === undefined || moves === undefined || configures === undefined || managed === undefined ||
  both === undefined || either === undefined
) {
  throw new Error("a test endpoint is missing")
}

export const facts = { reads, moves, configures, managed, both, either }

/** Returns a parameter of an endpoint. */
export const paramOf = (endpoint: Endpoint.EndpointFacts, name: string): Param.ParamDescription => {
  const found = endpoint.params.find((param) => param.name === name)
  if (found === undefined) throw new Error(`${endpoint.name} has no parameter ${name}`)
  return found
}
