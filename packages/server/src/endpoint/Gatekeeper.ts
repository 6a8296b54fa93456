/**
 * Admits requests before their handler runs. Checks network, protocol, key, vault, the other parameters and trader, in
 * this order; the first failure is reported. A repeat of an accepted write is admitted by its idempotency key alone.
 */
import type { Caller, CredentialOf } from "@vault-trader/core/endpoint/Admission"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { SubKeyStore } from "@vault-trader/core/gas-wallet/SubKeyStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as RecordedSpan from "@vault-trader/core/telemetry/RecordedSpan"
import type * as Clock from "effect/Clock"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type KeyCache } from "../gate/KeyCache.ts"
import { type LastUse } from "../gate/LastUse.ts"
import { conflict, IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import type { ManagerProof } from "../manager/ManagerProof.ts"
import { rankOfKey, rankOfVault, type Refusal } from "../params/RequestParams.ts"
import { kindOf, missingCredential, strongAdmission } from "./CredentialAdmission.ts"
import { callerLookup, isAboutVault, keyRefusal, knownCaller } from "./KeyCallers.ts"
import { limitCheck, quarantineCheck, signatureCheck, vaultCheck } from "./AdmissionChecks.ts"
import {
  allRanks,
  type AdmissionParams,
  isMissing,
  keyNameOf,
  missingProof,
  readParams,
  refuseUpTo,
  unservedValues
} from "./AdmissionRefusals.ts"

type Params = Readonly<Record<string, unknown>>
type KeyCaller = Caller["Service"]

/** A request to admit, with all errors of its parameters. */
interface Request {
  readonly facts: EndpointFacts
  readonly params: Params
  readonly read: AdmissionParams
  readonly refusals: ReadonlyArray<Refusal>
}

/**
 * Returns the caller of a repeat: a write whose idempotency key is already in use. A repeat is answered from the
 * ledger, so nothing else is checked. A request that does not decode was never accepted, so it is a different request.
 */
const repeatLookup = Effect.map(
  IdempotentWrites,
  (writes) => (facts: EndpointFacts, params: Params, syntactic: ReadonlyArray<Refusal>, caller: KeyCaller) => {
    const name = nameOf(facts, params)
    return name === undefined ? Effect.succeedNone : Effect.flatMap(
      writes.named(caller.wallet, name),
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (id) =>
          syntactic.length > 0 ? Effect.fail(conflict(id)) : Effect.succeedSome({ ...caller, repeats: id })
      })
    )
  }
)

/** Runs the checks that remain once the caller is known. */
const remainingChecks = Effect.gen(function*() {
  const checkVault = yield* vaultCheck
  const checkLimits = yield* limitCheck
  const checkQuarantine = yield* quarantineCheck
  return ({ facts, params, refusals }: Omit<Request, "read">, { wallet }: KeyCaller) =>
    Effect.gen(function*() {
      yield* refuseUpTo(refusals, rankOfVault)
      if (isAboutVault(facts, params)) yield* checkVault(facts, params, refusals, wallet)
      else yield* refuseUpTo(refusals, allRanks)
      if (facts.class !== "readOnly") yield* checkLimits(facts, params, wallet)
      yield* checkQuarantine(facts, params, wallet)
    })
})

/** Admits a request with an API key. `early`: its caller, if it was already looked up. */
const keyAdmission = Effect.gen(function*() {
  const callerOf = yield* callerLookup
  const refusalOf = yield* keyRefusal
  const checkRest = yield* remainingChecks
  const checkSignature = yield* signatureCheck
  return (request: Request, early: Option.Option<KeyCaller>) =>
    Effect.gen(function*() {
      const { facts, params, read, refusals } = request
      const keyName = keyNameOf(facts)
      const key = read[keyName]
      yield* refuseUpTo(refusals, rankOfKey)
      // The key is present but unusable, for instance given twice with different values.
      yield* refuseUpTo(refusals.filter(({ name }) => name === keyName), allRanks)
      if (key === undefined) {
        return yield* new ValidationFailure({ code: "1010", message: `Missing required parameter: ${keyName}` })
      }
      const found = Option.isSome(early) ? early : yield* callerOf(facts, params, key)
      if (Option.isNone(found)) {
        return yield* Effect.flatMap(refusalOf(keyName, key), Effect.fail)
      }
      const caller = found.value
      yield* checkRest(request, caller)
      if (facts.access === "apiKeyAndManager") yield* checkSignature(facts, params, caller.wallet)
      return caller
    })
})

/** Returns true when the manager's signature is the request's only proof. */
const isByManager = (facts: EndpointFacts, read: AdmissionParams, syntactic: ReadonlyArray<Refusal>) =>
  facts.access === "manager" ||
  (facts.access === "apiKeyOrManager" && isMissing(read[keyNameOf(facts)], syntactic, keyNameOf(facts)))

const traced = RecordedSpan.withSpan("admission")

export class Gatekeeper extends Context.Service<Gatekeeper, {
  /**
   * Returns the caller of a decoded request, or fails with its first error. Returns none when no key is used: the
   * endpoint is open, or the named manager acts, whose signature was verified (and consumed if the request changes
   * something).
   */
  readonly admit: (
    facts: EndpointFacts,
    params: Params,
    refusals: ReadonlyArray<Refusal>
  ) => Effect.Effect<Option.Option<KeyCaller>, Failure>
  /**
   * Returns the caller that `admit` would return for a decoded read without errors, where everything it checks is in
   * memory; undefined for every other request.
   */
  readonly admitKnown: (facts: EndpointFacts, params: Params, clock: Clock.Clock) => KeyCaller | undefined
  /** Returns the strongest proof of a request that accepts every kind, or fails with its first error. */
  readonly admitBy: (
    facts: EndpointFacts,
    params: Params,
    refusals: ReadonlyArray<Refusal>
  ) => Effect.Effect<CredentialOf, Failure>
  /** Runs all checks except key and signature, for a caller whose authority over the wallet is already proven. */
  readonly admitAs: (
    facts: EndpointFacts,
    params: Params,
    caller: KeyCaller
  ) => Effect.Effect<KeyCaller, Failure>
}>()("vault-trader/server/endpoint/Gatekeeper") {
  static readonly layer: Layer.Layer<
    Gatekeeper,
    never,
    | Directory
    | ApiKeyDigest
    | ApiKeyStore
    | IdempotentWrites
    | KeyCache
    | KeyLimitStore
    | LaneQuarantineStore
    | LastUse
    | ManagerProof
    | ManagerStore
    | Sharding
    | SubKeyStore
  > = Layer.effect(
    Gatekeeper,
    Effect.gen(function*() {
      const directory = yield* Directory
      const callerOf = yield* callerLookup
      const repeatOf = yield* repeatLookup
      const checkRest = yield* remainingChecks
      const checkSignature = yield* signatureCheck
      const admitKey = yield* keyAdmission
      const admitStrong = yield* strongAdmission
      const admitKnown = yield* knownCaller
      const admitBy = (facts: EndpointFacts, params: Params, syntactic: ReadonlyArray<Refusal>) =>
        Effect.gen(function*(): Effect.fn.Return<CredentialOf, Failure> {
          const read = readParams(params)
          const refusals = [
            ...syntactic,
            ...missingCredential(read, syntactic),
            ...unservedValues(directory, facts, read, syntactic)
          ]
          const kind = kindOf(read, syntactic)
          const request = { facts, params, read, refusals }
          if (kind !== "key") return yield* admitStrong(request, kind, (apiKey) => callerOf(facts, params, apiKey))
          yield* refuseUpTo(refusals, rankOfKey - 1)
          const { keyId, wallet } = yield* admitKey(request, Option.none())
          if (read.wallet === undefined || read.wallet === wallet) return { _tag: "key", wallet, keyId }
          return yield* new ValidationFailure({
            code: "1005",
            message: `wallet: the key belongs to ${wallet}; omit wallet, or sign as the manager`
          })
        }).pipe(traced)
      return {
        admitKnown,
        admitBy,
        admitAs: (facts, params, caller) =>
          Effect.gen(function*() {
            const repeat = yield* repeatOf(facts, params, [], caller)
            if (Option.isSome(repeat)) return repeat.value
            yield* checkRest(
              { facts, params, refusals: unservedValues(directory, facts, readParams(params), []) },
              caller
            )
            return caller
          }).pipe(traced),
        admit: (facts, params, syntactic) =>
          Effect.gen(function*() {
            if (facts.access === "anyProof") {
              yield* admitBy(facts, params, syntactic)
              return Option.none()
            }
            const read = readParams(params)
            const byManager = isByManager(facts, read, syntactic)
            const refusals = [
              ...syntactic,
              ...missingProof(facts, params, syntactic, byManager),
              ...unservedValues(directory, facts, read, syntactic)
            ]
            const key = read[keyNameOf(facts)]
            const mayRepeat = !byManager && facts.access !== "open" && facts.access !== "apiKeyAndManager" &&
              nameOf(facts, params) !== undefined
            const early = mayRepeat && key !== undefined ? yield* callerOf(facts, params, key) : Option.none()
            if (Option.isSome(early)) {
              const repeat = yield* repeatOf(facts, params, syntactic, early.value)
              if (Option.isSome(repeat)) return repeat
            }
            yield* refuseUpTo(refusals, rankOfKey - 1)
            if (facts.access !== "open" && !byManager) {
              return Option.some(yield* admitKey({ facts, params, read, refusals }, early))
            }
            yield* refuseUpTo(refusals, allRanks)
            if (byManager) yield* checkSignature(facts, params, undefined)
            return Option.none()
          }).pipe(traced)
      }
    })
  )
}

/** The gatekeeper with the stores that only it needs. */
export const GatekeeperLive = Layer.provide(Gatekeeper.layer, [
  ApiKeyStore.layer,
  KeyLimitStore.layer,
  LaneQuarantineStore.layer,
  ManagerStore.layer,
  SubKeyStore.layer
])
