/** Errors in the parameters that admission reads. These have the same meaning in every endpoint. */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type DirectoryShape, notServedReason } from "../gate/ServedNetworks.ts"
import { firstUpTo, type Refusal } from "../params/RequestParams.ts"

type Secret = Redacted.Redacted<string> | undefined

/** The parameters that admission reads. */
export interface AdmissionParams {
  readonly apiKey: Secret
  readonly gas_wallet_api_key: Secret
  readonly manager: string | undefined
  readonly signature: Secret
  readonly privateKey: Secret
  readonly wallet: string | undefined
  readonly network: string | undefined
  readonly protocol: string | undefined
  readonly pool: string | undefined
  readonly idempotency_key: string | undefined
}

const textOf = (value: unknown) => typeof value === "string" ? value : undefined
// Parameters are decoded by their declarations, where the only redacted values are texts.
const secretOf = (value: unknown) => Redacted.isRedacted(value) ? value as Redacted.Redacted<string> : undefined

/** Picks the parameters that admission reads from decoded ones. */
export const readParams = (params: unknown): AdmissionParams => {
  const given: Readonly<Record<string, unknown>> = { ...(params as object) }
  return {
    apiKey: secretOf(given["apiKey"]),
    gas_wallet_api_key: secretOf(given["gas_wallet_api_key"]),
    manager: textOf(given["manager"]),
    signature: secretOf(given["signature"]),
    privateKey: secretOf(given["privateKey"]),
    wallet: textOf(given["wallet"]),
    network: textOf(given["network"]),
    protocol: textOf(given["protocol"]),
    pool: textOf(given["pool"]),
    idempotency_key: textOf(given["idempotency_key"])
  }
}

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
