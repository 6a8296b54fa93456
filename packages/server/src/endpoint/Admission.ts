/**
 * Admits requests before their handler runs. Checks network, protocol, key, vault, the other parameters and trader, in
 * this order; the first failure is reported. A repeat of an accepted write is admitted by its idempotency key alone.
 */
import {
  Admission,
  Caller,
  EitherAdmission,
  Manager,
  ManagerAdmission,
  Principal,
  type PrincipalOf
} from "@vault-trader/core/endpoint/Admission"
import { type EndpointFacts, factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Directory, networkNotServed } from "../gate/ServedNetworks.ts"
import { read, query } from "../gate/ActorCall.ts"
import { conflict, IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import { ManagerProof } from "../manager/ManagerProof.ts"
import { firstUpTo, rankOfKey, rankOfVault, type Refusal } from "../params/ValidationOrder.ts"

/** The parameters that admission reads. They have the same meaning in every endpoint. */
const Read = Schema.Struct({
  apiKey: Schema.optional(Schema.Redacted(Schema.String)),
  gas_wallet_api_key: Schema.optional(Schema.Redacted(Schema.String)),
  manager: Schema.optional(Schema.String),
  signature: Schema.optional(Schema.Redacted(Schema.String)),
  network: Schema.optional(Schema.String),
  protocol: Schema.optional(Schema.String),
  pool: Schema.optional(Schema.String),
  idempotency_key: Schema.optional(Schema.String)
})
const readParams = Schema.decodeUnknownSync(Read)
const allRanks = Number.POSITIVE_INFINITY

export class Gatekeeper extends Context.Service<Gatekeeper, {
  /**
   * Returns the caller of a decoded request, or fails with its first error. Returns none when no key is used: the
   * endpoint is open, or the named manager acts, whose signature was verified (and consumed if the request changes
   * something).
   */
  readonly admit: (
    facts: EndpointFacts,
    params: Readonly<Record<string, unknown>>,
    refusals: ReadonlyArray<Refusal>
  ) => Effect.Effect<Option.Option<Caller["Service"]>, Failure>
  /** Runs all checks except key and signature, for a caller whose authority over the wallet is already proven. */
  readonly admitAs: (
    facts: EndpointFacts,
    params: Readonly<Record<string, unknown>>,
    caller: Caller["Service"]
  ) => Effect.Effect<Caller["Service"], Failure>
}>()("vault-trader/server/endpoint/Gatekeeper") {
  static readonly layer: Layer.Layer<
    Gatekeeper,
    never,
    Directory | ApiKeyDigest | ApiKeyStore | IdempotentWrites | KeyLimitStore | ManagerProof | Sharding
  > = Layer.effect(
    Gatekeeper,
    Effect.gen(function*() {
      const directory = yield* Directory
      const { digest } = yield* ApiKeyDigest
      const keys = yield* ApiKeyStore
      const limits = yield* KeyLimitStore
      const proofs = yield* ManagerProof
      const writes = yield* IdempotentWrites
      const vaults = yield* Vault.client

      const refuseUpTo = (refusals: ReadonlyArray<Refusal>, limit: number) => {
        const failure = firstUpTo(refusals, limit)
        return failure === undefined ? Effect.void : Effect.fail(failure)
      }

      const callerOf = (apiKey: Redacted.Redacted<string>) =>
        Effect.map(
          query(Effect.flatMap(digest(apiKey), keys.find)),
          Option.map(({ keyId, wallet }): Caller["Service"] => ({ keyId, wallet }))
        )

      /**
       * Returns the caller of a repeat: a write whose idempotency key is already in use. A repeat is answered from the
       * ledger, so nothing else is checked. A request that does not decode was never accepted, so it is a different
       * request.
       */
      const repeating = (
        facts: EndpointFacts,
        params: Readonly<Record<string, unknown>>,
        refusals: ReadonlyArray<Refusal>,
        caller: Caller["Service"]
      ) => {
        const name = nameOf(facts, params)
        return name === undefined ? Effect.succeedNone : Effect.flatMap(
          writes.named(caller.wallet, name),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (id) =>
              refusals.length > 0 ? Effect.fail(conflict(id)) : Effect.succeedSome({ ...caller, repeats: id })
          })
        )
      }

      const vaultChecks = (
        facts: EndpointFacts,
        params: Readonly<Record<string, unknown>>,
        refusals: ReadonlyArray<Refusal>,
        wallet: Address
      ) =>
        Effect.gen(function*() {
          const { network, pool } = readParams(params)
          const where = network ?? facts.network ?? directory.defaultNetwork
          const assets = facts.params.filter(({ name, info }) => info.asset && params[name] !== undefined)
          const rest = firstUpTo(refusals, allRanks)
          const { facts: vault } = yield* read(
            vaults(idOf(where as Network, pool as Address)).describe({
              assets: rest === undefined ? assets.map(({ name }) => String(params[name])) : []
            }),
            facts.patienceMillis
          ).pipe(
            Effect.mapError((failure) => withAssetName(failure, assets.map(({ name }) => [name, String(params[name])])))
          )
          if (rest !== undefined) return yield* rest
          if (facts.trader) yield* mayTrade(vault, wallet)
        })

      /** Checks the key's limits that do not depend on the amount; amount limits are checked during planning. */
      const withinLimits = (
        facts: EndpointFacts,
        { idempotency_key, network, pool }: typeof Read.Type,
        wallet: Address
      ) =>
        Effect.flatMap(
          query(limits.refusalOfWrite({
            wallet,
            vault: pool === undefined
              ? null
              : vaultId((network ?? facts.network ?? directory.defaultNetwork) as Network, pool as Address),
            idempotencyKey: idempotency_key ?? null
          })),
          Option.match({ onNone: () => Effect.void, onSome: Effect.fail })
        )

      /** Verifies that the named manager signed this request. The last check, because it consumes the signature. */
      const signed = (facts: EndpointFacts, params: Readonly<Record<string, unknown>>, wallet: Address | undefined) => {
        const { manager, network, signature } = readParams(params)
        if (facts.subject === undefined || manager === undefined || signature === undefined) {
          return new ValidationFailure({ code: "1010", message: "Missing required parameters: manager, signature" })
        }
        const subject = facts.subject === "apiKey" ? wallet ?? manager : String(params[facts.subject])
        return Effect.flatMap(RequestDigest.of(facts.params, params), (digest) =>
          proofs.verify({
            action: facts.name,
            manager: manager as Address,
            subject: parseAddress(subject) ?? subject,
            params: digest,
            network: network as Network | undefined,
            signature,
            use: facts.class === "readOnly" ? "read" : "once"
          }))
      }

      /** Runs the checks that remain once the caller is known. */
      const rest = (
        facts: EndpointFacts,
        params: Readonly<Record<string, unknown>>,
        refusals: ReadonlyArray<Refusal>,
        { wallet }: Caller["Service"]
      ) =>
        Effect.gen(function*() {
          yield* refuseUpTo(refusals, rankOfVault)
          const aboutVault = !facts.fromRows && facts.params.some(({ name, required }) => name === "pool" && required)
          if (aboutVault) yield* vaultChecks(facts, params, refusals, wallet)
          else yield* refuseUpTo(refusals, allRanks)
          if (facts.class !== "readOnly") yield* withinLimits(facts, readParams(params), wallet)
        })

      return {
        admitAs: (facts, params, caller) =>
          Effect.gen(function*() {
            const repeat = yield* repeating(facts, params, [], caller)
            if (Option.isSome(repeat)) return repeat.value
            yield* rest(facts, params, unservedValues(directory, facts, readParams(params)), caller)
            return caller
          }).pipe(Effect.withSpan("admission", undefined, { captureStackTrace: false })),
        admit: (facts, params, syntactic) =>
          Effect.gen(function*() {
            const read = readParams(params)
            const byManager = facts.access === "manager" ||
              (facts.access === "apiKeyOrManager" && isMissing(read.apiKey, syntactic, "apiKey"))
            const refusals = [
              ...syntactic,
              ...missingProof(facts, params, syntactic, byManager),
              ...unservedValues(directory, facts, read)
            ]
            const keyName = keyNameOf(facts)
            const key = read[keyName]
            const early =
              byManager || facts.access === "open" || facts.access === "apiKeyAndManager" || key === undefined ||
                nameOf(facts, params) === undefined
                ? Option.none()
                : yield* callerOf(key)
            if (Option.isSome(early)) {
              const repeat = yield* repeating(facts, params, syntactic, early.value)
              if (Option.isSome(repeat)) return repeat
            }
            yield* refuseUpTo(refusals, rankOfKey - 1)
            if (facts.access === "open") {
              yield* refuseUpTo(refusals, allRanks)
              return Option.none()
            }
            if (byManager) {
              yield* refuseUpTo(refusals, allRanks)
              yield* signed(facts, params, undefined)
              return Option.none()
            }
            yield* refuseUpTo(refusals, rankOfKey)
            // The key is present but unusable, for instance given twice with different values.
            yield* refuseUpTo(refusals.filter(({ name }) => name === keyName), allRanks)
            if (key === undefined) {
              return yield* new ValidationFailure({ code: "1010", message: `Missing required parameter: ${keyName}` })
            }
            const found = Option.isSome(early) ? early : yield* callerOf(key)
            if (Option.isNone(found)) {
              return yield* new ValidationFailure({ code: "1002", message: `${keyName}: unknown or revoked` })
            }
            const caller = found.value
            yield* rest(facts, params, refusals, caller)
            if (facts.access === "apiKeyAndManager") {
              yield* signed(facts, params, caller.wallet)
            }
            return Option.some(caller)
          }).pipe(Effect.withSpan("admission", undefined, { captureStackTrace: false }))
      }
    })
  )
}

/** Returns the endpoint's name for its API key parameter. */
const keyNameOf = ({ params }: EndpointFacts) =>
  params.some(({ name }) => name === "gas_wallet_api_key") ? "gas_wallet_api_key" : "apiKey"

/** Returns true if the parameter was not given at all. An unusable value counts as given. */
const isMissing = (value: unknown, syntactic: ReadonlyArray<Refusal>, name: string): boolean =>
  value === undefined && !syntactic.some((refusal) => refusal.name === name)

/**
 * Returns the missing parameters of an endpoint that takes one of two proofs and therefore declares all of them
 * optional.
 */
const missingProof = (
  facts: EndpointFacts,
  params: Readonly<Record<string, unknown>>,
  syntactic: ReadonlyArray<Refusal>,
  byManager: boolean
): ReadonlyArray<Refusal> => {
  if (facts.access !== "apiKeyOrManager" || !byManager) return []
  const lacks = (name: string) => isMissing(params[name], syntactic, name)
  const names = lacks("manager") && lacks("signature")
    ? ["apiKey, or manager and signature"]
    : [...new Set(["manager", "signature", facts.subject ?? "manager"])].filter(lacks)
  return names.map((name) => ({ code: "1010", name, missing: true, message: "is missing" }))
}

const unservedValues = (
  directory: Directory["Service"],
  facts: EndpointFacts,
  { network = facts.network, protocol }: typeof Read.Type
): ReadonlyArray<Refusal> => [
  ...(network === undefined || network === "all" || directory.networks.some((served) => served === network)
    ? []
    : [{
      code: "1000" as const,
      name: "network",
      missing: false,
      message: networkNotServed(directory, network).message.replace(/^network: /, "")
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

/** Prefixes the failure with the parameter's name: the vault's actor quotes only the asset it does not know. */
const withAssetName = (failure: Failure, assets: ReadonlyArray<readonly [string, string]>): Failure => {
  const named = assets.find(([, text]) => failure.message.startsWith(`'${text}'`))
  return failure._tag === "ExecutionFailure" || named === undefined
    ? failure
    : new ValidationFailure({ code: failure.code, message: `${named[0]}: ${failure.message}` })
}

const wrongMiddleware = new ExecutionFailure({
  errorType: "internal",
  message: "An endpoint is behind the wrong admission middleware."
})

/** The middlewares of all handlers that act for a wallet or a manager. */
export const AdmissionLive = Layer.mergeAll(
  Layer.effect(
    Admission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Caller,
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({ onNone: () => Effect.fail(wrongMiddleware), onSome: Effect.succeed })
        )
      ))
  ),
  Layer.effect(
    ManagerAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Manager,
        Effect.andThen(admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []), managerOf(payload))
      ))
  ),
  Layer.effect(
    EitherAdmission,
    Effect.map(Gatekeeper, ({ admit }) => (handler, { payload, rpc }) =>
      Effect.provideServiceEffect(
        handler,
        Principal,
        Effect.flatMap(
          admit(factsOf(rpc), payload as Readonly<Record<string, unknown>>, []),
          Option.match({
            onNone: (): Effect.Effect<PrincipalOf, ExecutionFailure> =>
              Effect.map(managerOf(payload), (manager) => ({ _tag: "manager", manager })),
            onSome: (caller) => Effect.succeed<PrincipalOf>({ _tag: "key", caller })
          })
        )
      ))
  )
)

/** Returns the manager named by an admitted payload. */
const managerOf = (payload: unknown) => {
  const { manager } = readParams(payload)
  return manager === undefined ? wrongMiddleware : Effect.succeed(manager as Address)
}
