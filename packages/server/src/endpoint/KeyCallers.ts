/** Finds the callers of API keys: in memory, in the store, or why there is none. */
import type { Caller } from "@vault-trader/core/endpoint/Admission"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { SubKeyStore } from "@vault-trader/core/gas-wallet/SubKeyStore"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import { KeyCache } from "../gate/KeyCache.ts"
import { LastUse } from "../gate/LastUse.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { refusalOf as refusalOfSubKey } from "../gas-wallet/SubKeyCheck.ts"
import { CallerAddress } from "../wire/CallerAddress.ts"
import { keyNameOf, readParams, unservedValues } from "./AdmissionRefusals.ts"

type Params = Readonly<Record<string, unknown>>
type KeyCaller = Caller["Service"]

/**
 * Finds the caller of an API key; none if it is unknown, revoked or expired. Only reads may find it in memory. A sub-key
 * is looked up each time, with the key that made it, and is refused what it may not request.
 */
export const callerLookup = Effect.gen(function*() {
  const { digest } = yield* ApiKeyDigest
  const keys = yield* ApiKeyStore
  const { note } = yield* LastUse
  const cache = yield* KeyCache
  const subKeys = yield* SubKeyStore
  const directory = yield* Directory
  const lookup = (apiKey: Redacted.Redacted<string>) =>
    Effect.map(
      query(Effect.flatMap(digest(apiKey), keys.find)),
      Option.map(({ keyId, wallet }): KeyCaller => ({ keyId, wallet }))
    )
  const ofSubKey = (facts: EndpointFacts, params: Params, apiKey: Redacted.Redacted<string>) =>
    Effect.gen(function*() {
      const found = yield* query(Effect.flatMap(digest(apiKey), subKeys.find))
      if (Option.isNone(found)) return Option.none<KeyCaller>()
      const { bounds, keyId, wallet } = found.value
      yield* note({ _tag: "subKey", id: bounds.id })
      const refusal = refusalOfSubKey(bounds, facts, params, { address: yield* CallerAddress, directory })
      return refusal === undefined ? Option.some<KeyCaller>({ keyId, wallet, subKey: bounds }) : yield* refusal
    })
  return (facts: EndpointFacts, params: Params, apiKey: Redacted.Redacted<string>) =>
    Effect.gen(function*() {
      const found = yield* (facts.class === "readOnly" ? cache.caller(apiKey, lookup(apiKey)) : lookup(apiKey))
      if (Option.isNone(found)) return yield* ofSubKey(facts, params, apiKey)
      yield* note({ _tag: "key", id: found.value.keyId })
      return found
    })
})

/** Explains why a key has no caller: its wallet is purged, or the key is unknown or revoked. */
export const keyRefusal = Effect.gen(function*() {
  const { digest } = yield* ApiKeyDigest
  const keys = yield* ApiKeyStore
  return (keyName: string, apiKey: Redacted.Redacted<string>) =>
    Effect.map(
      query(Effect.flatMap(digest(apiKey), keys.isOfPurged)),
      (purged) =>
        new ValidationFailure({
          code: "1002",
          message: purged
            ? `${keyName}: revoked, because its wallet was never used; import the wallet's private key ` +
              "(getNewApiKey) for a new one"
            : `${keyName}: unknown or revoked`
        })
    )
})

/** Returns true when admission checks the vault that a request names. */
export const isAboutVault = (facts: EndpointFacts, params: Params) => {
  const onEveryNetwork = facts.everyNetwork && params["network"] === undefined
  return !facts.fromRows && !onEveryNetwork && facts.params.some(({ name, required }) => name === "pool" && required)
}

/** Returns the caller of a read by what is in memory: all that `admit` checks of it is its key, which is cached. */
export const knownCaller = Effect.gen(function*() {
  const directory = yield* Directory
  const cache = yield* KeyCache
  const { isNoted } = yield* LastUse
  return (facts: EndpointFacts, params: Params, clock: Clock.Clock): KeyCaller | undefined => {
    const read = readParams(params)
    const key = read[keyNameOf(facts)]
    const isChecked = facts.class === "readOnly" && facts.access === "apiKey" && !isAboutVault(facts, params) &&
      unservedValues(directory, facts, read, []).length === 0
    const caller = isChecked && key !== undefined ? cache.known(key, clock) : undefined
    return caller !== undefined && isNoted({ _tag: "key", id: caller.keyId }, clock.currentTimeMillisUnsafe())
      ? caller
      : undefined
  }
})
