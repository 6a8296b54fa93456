/**
 * Records when credentials were last used: at most one write a minute for each, in batches, and never in the way of a
 * request. A use that cannot be stored is forgotten; the next minute's is stored.
 */
import { type CredentialUse, LastUseStore, type TimedUse } from "@vault-trader/core/gas-wallet/LastUseStore"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How long uses are collected before they are stored together. */
const collectFor = "2 seconds"
/** Maximum number of uses that are remembered; further ones are dropped until the next minute. */
const maxRemembered = 20_000
const minuteMillis = 60_000

const keyOf = (use: CredentialUse) => `${use._tag}/${use.id}/${use._tag === "manager" ? use.wallet : ""}`

export class LastUse extends Context.Service<LastUse, {
  /** Notes a use of a credential that was verified. Returns at once. */
  readonly note: (use: CredentialUse) => Effect.Effect<void>
  /** Returns true when a use in this minute is noted already. `now`: unix milliseconds of the service's clock. */
  readonly isNoted: (use: CredentialUse, now: number) => boolean
}>()("vault-trader/server/gate/LastUse") {
  static readonly layer: Layer.Layer<LastUse, never, LastUseStore> = Layer.effect(
    LastUse,
    Effect.gen(function*() {
      const store = yield* LastUseStore
      const scope = yield* Effect.scope
      let minute = -1
      let isScheduled = false
      const noted = new Set<string>()
      let collected: Array<TimedUse> = []
      const flush = Effect.suspend(() => {
        isScheduled = false
        const uses = collected
        collected = []
        return uses.length === 0
          ? Effect.void
          : Effect.catch(store.put(uses), (error) => Effect.logDebug("last uses were not stored", error))
      })
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(flush, collectFor)))
      return {
        isNoted: (use, now) => Math.floor(now / minuteMillis) === minute && noted.has(keyOf(use)),
        note: (use) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            const now = Math.floor(at / minuteMillis)
            if (now !== minute) {
              minute = now
              noted.clear()
            }
            const key = keyOf(use)
            if (noted.has(key) || noted.size >= maxRemembered) return Effect.void
            noted.add(key)
            collected.push({ ...use, at })
            if (isScheduled) return Effect.void
            isScheduled = true
            return Effect.asVoid(Effect.forkIn(Effect.delay(flush, collectFor), scope))
          })
      }
    })
  )
}

export const LastUseLive = Layer.provide(LastUse.layer, LastUseStore.layer)
