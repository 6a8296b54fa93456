/** Handlers of sub-keys. Admission refuses them to a sub-key. */
import { endpoints as catalogue } from "@vault-trader/core/Catalogue"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { defaultDays, maxSubKeys, sells, viewOf } from "@vault-trader/core/gas-wallet/SubKey"
import { SubKeyApi } from "@vault-trader/core/gas-wallet/SubKeyApi"
import { SubKeyStore } from "@vault-trader/core/gas-wallet/SubKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import * as Handlers from "../wire/Handlers.ts"
import { requiredScope } from "./SubKeyCheck.ts"

const refused = (message: string) => new ValidationFailure({ code: "1010", message })

/** Returns what is wrong with the bounds of a new sub-key. */
const faultOf = (
  { endpoints, max_usd_per_day, scopes = [] }: Handlers.Params<typeof SubKeyApi, "createSubKey">
): ValidationFailure | undefined => {
  if (sells(scopes) && max_usd_per_day === undefined) {
    return refused("Missing required parameter: max_usd_per_day, because a scope may sell")
  }
  for (const name of endpoints ?? []) {
    const facts = catalogue.find((each) => each.name === name)
    const scope = facts === undefined ? undefined : requiredScope(facts)
    if (scope === undefined || scope === null) {
      return refused(`endpoints: ${name} is ${scope === null ? "not for sub-keys" : "no endpoint"}`)
    }
    if (scope !== "read" && !scopes.some((each) => each === scope)) {
      return refused(`endpoints: ${name} needs the scope ${scope}, which scopes does not have`)
    }
  }
  return undefined
}

export const SubKeyApiLive = Handlers.layer(
  SubKeyApi,
  Effect.gen(function*() {
    const keys = yield* SubKeyStore
    const { digest } = yield* ApiKeyDigest
    return {
      createSubKey: (params) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          const fault = faultOf(params)
          if (fault !== undefined) return yield* fault
          const { days, endpoints, label, max_usd_per_day, max_usd_per_trade, scopes, sources, vaults } = params
          const apiKey = Redacted.make<string>(crypto.randomUUID())
          const created = yield* query(Effect.flatMap(digest(apiKey), (hashed) =>
            keys.create({
              ...{ wallet, parentId: keyId, digest: hashed, lastFour: Redacted.value(apiKey).slice(-4) },
              label: label ?? null,
              scopes: scopes ?? [],
              endpoints: endpoints ?? null,
              vaults: vaults === undefined || vaults.includes("any") ?
                null :
                vaults.flatMap((vault) => vault === "any" ? [] : vault),
              maxUsd18PerTrade: max_usd_per_trade ?? max_usd_per_day ?? null,
              maxUsd18PerDay: max_usd_per_day ?? null,
              sources: sources ?? null,
              days: days ?? defaultDays
            })))
          if (created === "ended") {
            return yield* new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })
          }
          if (created === "full") {
            return yield* refused(
              `apiKey: its wallet has ${maxSubKeys} sub-keys, the maximum; revoke some first (revokeSubKey)`
            )
          }
          const view = viewOf(created)
          return {
            address: wallet,
            apiKey,
            sub_key: view,
            message: `The sub-key is shown only in this response. It ends on ${view.expires_at}.`
          }
        }),
      getSubKeys: () =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          return { sub_keys: (yield* query(keys.ofWallet(wallet))).map(viewOf) }
        }),
      revokeSubKey: ({ sub_key_id }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const revoked = yield* query(keys.revoke(wallet, sub_key_id === "all" ? null : sub_key_id))
          return revoked === 0 && sub_key_id !== "all"
            ? yield* refused("sub_key_id: the wallet has no such sub-key, or it has ended; /getSubKeys lists them")
            : { revoked, message: `Ended ${revoked} sub-key${revoked === 1 ? "" : "s"}.` }
        })
    }
  })
).pipe(Layer.provide(SubKeyStore.layer))
