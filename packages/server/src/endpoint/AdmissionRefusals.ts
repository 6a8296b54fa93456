/** Errors in the parameters that admission reads. These have the same meaning in every endpoint. */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type DirectoryShape, notServedReason } from "../gate/ServedNetworks.ts"
import { firstUpTo, type Refusal } from "../params/RequestParams.ts"

/** The parameters that admission reads. */
export const AdmissionParams = Schema.Struct({
  apiKey: Schema.optional(Schema.Redacted(Schema.String)),
  gas_wallet_api_key: Schema.optional(Schema.Redacted(Schema.String)),
  manager: Schema.optional(Schema.String),
  signature: Schema.optional(Schema.Redacted(Schema.String)),
  privateKey: Schema.optional(Schema.Redacted(Schema.String)),
  wallet: Schema.optional(Schema.String),
  network: Schema.optional(Schema.String),
  protocol: Schema.optional(Schema.String),
  pool: Schema.optional(Schema.String),
  idempotency_key: Schema.optional(Schema.String)
})
export type AdmissionParams = typeof AdmissionParams.Type

export const readParams = Schema.decodeUnknownSync(AdmissionParams)

export const allRanks = Number.POSITIVE_INFINITY

/** Fails with the first refusal up to this rank, if there is one. */
export const refuseUpTo = (refusals: ReadonlyArray<Refusal>, limit: number) => {
  const failure = firstUpTo(refusals, limit)
  return failure === undefined ? Effect.void : Effect.fail(failure)
}

/** Returns true if the parameter was not given at all. An unusable value counts as given. */
export const isMissing = (value: unknown, syntactic: ReadonlyArray<Refusal>, name: string): boolean =>
  value === undefined && !syntactic.some((refusal) => refusal.name === name)

/** Returns the endpoint's name for its API key parameter. */
export const keyNameOf = ({ params }: EndpointFacts): "apiKey" | "gas_wallet_api_key" =>
  params.some(({ name }) => name === "gas_wallet_api_key") ? "gas_wallet_api_key" : "apiKey"

/**
 * Returns the missing parameters of an endpoint that takes one of two proofs and therefore declares all of them
 * optional.
 */
export const missingProof = (
  facts: EndpointFacts,
  params: Readonly<Record<string, unknown>>,
  syntactic: ReadonlyArray<Refusal>,
  byManager: boolean
): ReadonlyArray<Refusal> => {
  if (facts.access !== "apiKeyOrManager" || !byManager) return []
  const lacks = (name: string) => isMissing(params[name], syntactic, name)
  const names = lacks("manager") && lacks("signature")
    ? [`${keyNameOf(facts)}, or manager and signature`]
    : [...new Set(["manager", "signature", facts.subject ?? "manager"])].filter(lacks)
  return names.map((name) => ({ code: "1010", name, missing: true, message: "is missing" }))
}

/** Returns true for a write that has to name its network and does not. */
const lacksNetwork = (
  { namesRequired = false }: DirectoryShape,
  facts: EndpointFacts,
  network: string | undefined,
  syntactic: ReadonlyArray<Refusal>
) =>
  namesRequired && facts.class === "movesFunds" && facts.network === undefined &&
  facts.params.some(({ name, required }) => name === "network" && !required) && isMissing(network, syntactic, "network")

/** Returns the errors of a network or protocol that this service does not serve, and of a network that is not named. */
export const unservedValues = (
  directory: DirectoryShape,
  facts: EndpointFacts,
  { network = facts.network, protocol }: AdmissionParams,
  syntactic: ReadonlyArray<Refusal>
): ReadonlyArray<Refusal> => [
  ...(lacksNetwork(directory, facts, network, syntactic)
    ? [{ code: "1010" as const, name: "network", missing: true, message: "is missing" }]
    : []),
  ...(network === undefined || network === "all" || directory.networks.some((served) => served === network)
    ? []
    : [{
      code: "1000" as const,
      name: "network",
      missing: false,
      message: notServedReason(directory, network)
    }]),
  ...(protocol === undefined || directory.protocols.includes(protocol)
    ? []
    : [{
      code: "1001" as const,
      name: "protocol",
      missing: false,
      message: `must be one of ${directory.protocols.join(", ")}`
    }])
]
