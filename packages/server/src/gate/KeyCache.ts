/**
 * Keeps the callers of API keys in memory, for requests that read. A key that ends is removed by a notification of the
 * transaction that ended it. The cache is used only while notifications are known to arrive: this server notifies
 * itself each second, and a lease of a few seconds begins when such a notification was sent and has come back, because
 * everything that was committed before it has then arrived too. Without the lease every lookup reads the ledger.
 */
import type { Caller } from "@vault-trader/core/endpoint/Admission"
import type { Address } from "@vault-trader/core/chain/Address"
import { Notifications } from "@vault-trader/core/storage/Notifications"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { keyDigestOf } from "./KeyDigest.ts"

/** The channel of migration 0045: `ended/<wallet>`, and `ping/<server>/<number>` of the servers themselves. */
const channel = "vault_trader_keys"

/** Pause between two notifications of this server to itself. */
const pingInterval = "1 second"
/** How long the cache is used after a notification was sent that came back, milliseconds. */
const leaseMillis = 4_000
/** Pause before it listens again after its connection was lost. */
const listenRetry = "1 second"
/** Maximum number of keys in memory; the one that was stored first leaves. */
const capacity = 50_000

type KeyCaller = Caller["Service"]

/** A moment by both clocks: one of them stands still while the machine is suspended, the other one can be set back. */
interface Moment {
  /** Unix milliseconds. */
  readonly wall: number
  readonly monotonicMillis: number
}

const momentOf = (clock: Clock.Clock): Moment => ({
  wall: clock.currentTimeMillisUnsafe(),
  monotonicMillis: Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
})

const thisMoment: Effect.Effect<Moment> = Clock.clockWith((clock) => Effect.succeed(momentOf(clock)))

/** Returns true if less than the lease has passed since `from`, by both clocks. */
const isWithinLease = (from: Moment, now: Moment) =>
  now.wall >= from.wall && now.wall - from.wall < leaseMillis &&
  now.monotonicMillis - from.monotonicMillis < leaseMillis

export class KeyCache extends Context.Service<KeyCache, {
  /** Returns the key's caller from memory, or looks it up and keeps it. None of an unknown key is kept. */
  readonly caller: <E, R>(
    apiKey: Redacted.Redacted<string>,
    lookup: Effect.Effect<Option.Option<KeyCaller>, E, R>
  ) => Effect.Effect<Option.Option<KeyCaller>, E, R>
  /** Returns the key's caller if it is in memory. */
  readonly known: (apiKey: Redacted.Redacted<string>, clock: Clock.Clock) => KeyCaller | undefined
  /** Forgets a wallet's keys at once, before the notification of their end arrives. */
  readonly forget: (wallet: Address) => Effect.Effect<void>
}>()("vault-trader/server/gate/KeyCache") {
  static readonly layer: Layer.Layer<KeyCache, never, SqlClient.SqlClient> = Layer.effect(
    KeyCache,
    Effect.gen(function*() {
      const callers = new Map<string, KeyCaller>()
      /** The digest of each wallet's key: a wallet has one. */
      const digests = new Map<string, string>()
      /** Counts the ended keys: a lookup that began before one is not kept. */
      let ended = 0
      /** When the newest notification to itself was sent that has come back. */
      let leasedFrom: Moment | undefined
      /** When the notifications were sent that have not come back. */
      const pings = new Map<number, Moment>()

      const remove = (wallet: string) => {
        callers.delete(digests.get(wallet) ?? "")
        digests.delete(wallet)
      }
      const forget = (wallet: string) => {
        ended++
        remove(wallet)
      }
      const clear = Effect.sync(() => {
        ended++
        leasedFrom = undefined
        pings.clear()
        callers.clear()
        digests.clear()
      })
      const put = (digest: string, caller: KeyCaller) => {
        const oldest = digests.size >= capacity ? digests.keys().next().value : undefined
        if (oldest !== undefined) remove(oldest)
        remove(caller.wallet)
        callers.set(digest, caller)
        digests.set(caller.wallet, digest)
      }

      const notifications = yield* Effect.serviceOption(Notifications)
      if (Option.isSome(notifications)) {
        const sql = yield* SqlClient.SqlClient
        const self = crypto.randomUUID()
        let count = 0
        const received = (payload: string) => {
          const [kind, subject = "", number] = payload.split("/")
          if (kind === "ended") forget(subject)
          if (kind !== "ping" || subject !== self) return
          leasedFrom = pings.get(Number(number)) ?? leasedFrom
          for (const sent of pings.keys()) if (sent <= Number(number)) pings.delete(sent)
        }
        const ping = Effect.gen(function*() {
          count++
          pings.set(count, yield* thisMoment)
          yield* sql`select pg_notify(${channel}, ${`ping/${self}/${count}`})`
        }).pipe(Effect.ignore, Effect.repeat(Schedule.spaced(pingInterval)))
        const listen = Effect.scoped(Effect.gen(function*() {
          const take = yield* notifications.value.listen(channel)
          yield* Effect.raceFirst(Effect.forever(Effect.map(take, received)), ping)
        })).pipe(
          Effect.catch((error) => Effect.logDebug("API keys are not kept in memory", error)),
          Effect.ensuring(clear)
        )
        yield* Effect.forkScoped(Effect.repeat(listen, Schedule.spaced(listenRetry)))
      }

      const isLeased = (now: Moment) => leasedFrom !== undefined && isWithinLease(leasedFrom, now)

      return {
        known: (apiKey, clock) => isLeased(momentOf(clock)) ? callers.get(keyDigestOf(apiKey)) : undefined,
        caller: (apiKey, lookup) =>
          Effect.gen(function*() {
            if (!isLeased(yield* thisMoment)) return yield* lookup
            const digest = keyDigestOf(apiKey)
            const known = callers.get(digest)
            if (known !== undefined) return Option.some(known)
            const before = ended
            const found = yield* lookup
            if (Option.isSome(found) && before === ended) put(digest, found.value)
            return found
          }),
        forget: (wallet) => Effect.sync(() => forget(wallet))
      }
    })
  )
}
