/**
 * The actor of one vault's guardians: reads, decides, commits what it decided, and begins and follows actions. Its state
 * is in the rows, so that the next owner continues where this one died.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import {
  actionName,
  type Guardian,
  type GuardianMemory,
  GuardianPreview,
  Guardians,
  type GuardianTerms,
  maxActionsPerDay,
  noMemory
} from "@vault-trader/core/guardian/Guardian"
import { decide, type Step } from "@vault-trader/core/guardian/GuardianDecision"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import type { Outcome } from "@vault-trader/core/intent/Intent"
import { GuardianActionStore, type Transition } from "@vault-trader/core/intent/GuardianActionStore"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { mayTrade, parseId } from "@vault-trader/core/vault/Vault"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { resolveAll, Tokens } from "../chain/Tokens.ts"
import { contextOf, type VaultSource } from "../vault/VaultSource.ts"
import type { SliceSizer } from "../trading/SliceSizer.ts"
import * as IntentFollower from "../vault/IntentFollower.ts"
import { persist } from "../vault/BoundedPersist.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import * as GuardianReading from "./GuardianReading.ts"
import * as NextAction from "./NextAction.ts"

/** Seconds until a guardian with nothing left to do tries all of it again. */
const exhaustedSeconds = 3_600

/** Builds `preview`: what a guardian with these terms reads now, and what it would do. */
const makePreview = (source: VaultSource, pool: Address) =>
  Effect.map(
    Effect.context<Tokens | SliceSizer>(),
    (services) => ({ terms, wallet }: { readonly terms: GuardianTerms; readonly wallet: Address }) =>
      Effect.gen(function*() {
        const context = yield* contextOf(source, pool, wallet)
        const reading = yield* GuardianReading.read(source, { pool, wallet }, terms)
        const now = yield* Clock.currentTimeMillis
        const once = { terms: { ...terms, confirmations: 1 }, state: "armed", memory: noMemory, paper: false } as const
        const { memory, step } = decide(once, reading, now)
        const next = yield* Effect.option(NextAction.find(source, context, terms, noMemory))
        const action = Option.getOrUndefined(next)
        return GuardianPreview.make({
          step: step._tag,
          reading: memory.reading ?? "",
          reason: step._tag === "trip" ? `It would trip: ${step.reason}` : step.reason,
          action: action?._tag === "action" ? action.words : action?._tag === "cannot" ? action.reason : null
        })
      }).pipe(Effect.provide(services))
  )

/** Builds the change of a guardian's state after a reading; true when it is to be read again at once. */
const makeMoves = (seconds: number) =>
  Effect.map(Effect.all([GuardianStore, GuardianActionStore]), ([guardians, changes]) => {
    const noted = (guardian: Guardian, memory: GuardianMemory, reason: string, after = seconds) =>
      Effect.as(persist(guardians.record({ guardian, memory, reason, seconds: after })), false)
    const moved = (guardian: Guardian, to: Transition) =>
      Effect.gen(function*() {
        const done = yield* persist(changes.move(guardian, to))
        if (!done) return false
        const { network, terms: { _tag: kind } } = guardian
        yield* Metrics.count(Metrics.guardianEvents, { network, kind, event: to.event })
        if (to.event === "failed" || to.event === "tripped") {
          yield* Effect.logWarning(`a guardian ${to.event}: ${to.reason}`).pipe(
            Effect.annotateLogs({ guardian: guardian.id, kind, network, pool: guardian.pool })
          )
        }
        return true
      })
    return { noted, moved }
  })

/** Builds the recording of an action's outcome. */
const makeRecord =
  (network: Network, guardians: GuardianStore["Service"], changes: GuardianActionStore["Service"]) =>
  (guardianId: string, intentId: string, outcome: Outcome) =>
    Effect.gen(function*() {
      if (!(yield* changes.endAction(guardianId, intentId, outcome))) return
      const guardian = Option.getOrUndefined(yield* guardians.find(guardianId))
      if (guardian === undefined) return
      yield* Metrics.count(Metrics.guardianEvents, { network, kind: guardian.terms._tag, event: "failed" })
    })

/** Builds `act`: chooses and begins the next action of a guardian that acts. */
const makeAct = (
  source: VaultSource,
  pool: Address,
  seconds: number,
  follow: (guardianId: string, intentId: string) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const changes = yield* GuardianActionStore
    const { moved, noted } = yield* makeMoves(seconds)
    const services = yield* Effect.context<Tokens | SliceSizer>()

    /** Ends a breaker that has closed all it can; reports a repair that has nothing left to do. */
    const exhausted = (guardian: Guardian, memory: GuardianMemory, reason: string) => {
      const left = memory.skipped.length === 0 ? "" : ` Left out after failures: ${memory.skipped.join(", ")}.`
      return guardian.terms._tag === "loss_breaker"
        ? moved(guardian, {
          ...{ state: "tripped", event: "done", memory, seconds },
          reason: `${reason} Nothing is left to close.${left}`
        })
        : moved(guardian, {
          ...{ state: "acting", event: "failed", memory: { ...memory, skipped: [] }, seconds: exhaustedSeconds },
          reason: `${reason} Nothing is left to do; it is tried again in an hour.${left}`
        })
    }

    return (guardian: Guardian, memory: GuardianMemory, reason: string) =>
      Effect.gen(function*() {
        const context = yield* contextOf(source, pool, guardian.wallet)
        const next = yield* Effect.provide(NextAction.find(source, context, guardian.terms, memory), services)
        if (next._tag === "none") return yield* exhausted(guardian, memory, reason)
        if (next._tag === "cannot") {
          const name = actionName(next.action)
          return yield* moved(guardian, {
            ...{
              state: "acting",
              event: "failed",
              memory: { ...memory, skipped: [...memory.skipped, name] },
              seconds: 1
            },
            reason: `It cannot ${name}: ${next.reason}`
          })
        }
        const begun = yield* persist(changes.begin(guardian, next.action, next.request, memory))
        switch (begun._tag) {
          case "begun":
            return yield* Effect.as(follow(guardian.id, begun.intentId), false)
          case "busy":
            return yield* noted(guardian, memory, `${reason} Another guardian of the vault acts first.`)
          case "spent":
            return yield* moved(guardian, {
              ...{ state: "acting", event: "failed", memory, seconds: exhaustedSeconds },
              reason: `${reason} Its ${maxActionsPerDay} actions of a day are used.`
            })
          case "changed":
            return false
        }
      })
  })

/** Builds `settle`: carries out a decision. True when the guardian is to be read again. */
const makeSettle = (
  source: VaultSource,
  pool: Address,
  seconds: number,
  follow: (guardianId: string, intentId: string) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const { moved, noted } = yield* makeMoves(seconds)
    const act = yield* makeAct(source, pool, seconds, follow)
    return (guardian: Guardian, memory: GuardianMemory, step: Step): Effect.Effect<boolean, Failure> => {
      const { reason } = step
      switch (step._tag) {
        case "wait":
          return noted(guardian, memory, reason)
        case "trip":
          return Effect.as(
            moved(guardian, {
              ...{ state: step.acts ? "acting" : "tripped", event: "tripped", memory, reason },
              seconds: step.acts ? 0 : seconds
            }),
            step.acts
          )
        case "clear":
          return Effect.as(
            moved(guardian, {
              ...{ state: "armed", event: "cleared", reason, seconds },
              memory: { ...memory, freed: null, bought: null, skipped: [], refillWei: null }
            }),
            false
          )
        case "act":
          return Effect.as(act(guardian, memory, reason), false)
      }
    }
  })

/** Builds the actor. `seconds` is the time between two readings. */
export const GuardianLive = (seconds: number) =>
  Guardians.toLayer(
    Effect.gen(function*() {
      const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
      const guardians = yield* GuardianStore
      const changes = yield* GuardianActionStore
      const tokens = yield* Tokens
      const chain = yield* (yield* Chains).get(network)
      const reader = yield* VaultReader.make({ network, pool, chain })
      const source: VaultSource = { chain, network, reader, tokens }
      const { follow } = yield* IntentFollower.make({ network, pool, record: makeRecord(network, guardians, changes) })
      const settle = yield* makeSettle(source, pool, seconds, follow)
      const preview = yield* makePreview(source, pool)

      /** Reads and decides from the guardian's row, again once an action is due. */
      const wake = (guardianId: string): Effect.Effect<void, Failure> =>
        Effect.gen(function*() {
          const guardian = Option.getOrUndefined(yield* persist(guardians.find(guardianId)))
          if (guardian === undefined || guardian.endedAt !== null) return
          if (guardian.openIntent !== null) return yield* follow(guardianId, guardian.openIntent)
          if ((yield* persist(changes.stoppedBy(guardian))) !== null) return
          const { terms, wallet } = guardian
          const again = yield* GuardianReading.read(source, { pool, wallet }, terms).pipe(
            Effect.provideService(Tokens, tokens),
            Effect.flatMap((reading) =>
              Effect.flatMap(Clock.currentTimeMillis, (now) => {
                const { memory, step } = decide(guardian, reading, now)
                return settle(guardian, memory, step)
              })
            ),
            // A failed reading changes nothing: the guardian says so, and reads again.
            Effect.catch((failure) =>
              Effect.as(
                persist(guardians.record({ guardian, memory: guardian.memory, reason: failure.message, seconds })),
                false
              )
            )
          )
          if (again) yield* wake(guardianId)
        })

      return Guardians.of({
        assets: ({ payload: { names, wallet } }) =>
          Effect.gen(function*() {
            const { assets, facts } = yield* reader.state
            yield* mayTrade(facts, wallet)
            return yield* resolveAll(tokens, network, names, assets)
          }),
        preview: ({ payload }) => preview(payload),
        wake: ({ payload: { guardianId } }) => wake(guardianId)
      })
    }).pipe(orNotServed((refuse) => ({ assets: refuse, preview: refuse, wake: refuse }))),
    // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
    { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
  )
