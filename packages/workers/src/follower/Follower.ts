/**
 * The actor of one vault's follower: reads leader and vault, decides, commits what it decided, and begins and follows
 * trades. Its state is in the rows, so that the next owner continues where this one died.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import {
  type Follower,
  type FollowerMemory,
  FollowerPreview,
  Followers,
  type FollowerTerms,
  noMemory
} from "@vault-trader/core/follower/Follower"
import { decide, describeTrade, type Step } from "@vault-trader/core/follower/FollowerDecision"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { FollowerTradeStore } from "@vault-trader/core/intent/FollowerTradeStore"
import type { Outcome } from "@vault-trader/core/intent/Intent"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { mayTrade, parseId } from "@vault-trader/core/vault/Vault"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { resolveAll, Tokens } from "../chain/Tokens.ts"
import { SliceSizer } from "../trading/SliceSizer.ts"
import { persist } from "../vault/BoundedPersist.ts"
import * as IntentFollower from "../vault/IntentFollower.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import { contextOf, type VaultSource } from "../vault/VaultSource.ts"
import * as FollowerReading from "./FollowerReading.ts"
import * as TradeSize from "./TradeSize.ts"

/** Reads what a follower with these terms would do now. */
const previewOf = (source: VaultSource, pool: Address, { terms, wallet }: {
  readonly terms: FollowerTerms
  readonly wallet: Address
}) =>
  Effect.gen(function*() {
    yield* contextOf(source, pool, wallet)
    const reading = yield* FollowerReading.read(source, terms)
    const { memory, step } = decide({ terms, memory: noMemory }, reading, 1)
    return FollowerPreview.make({
      ...{ step: step._tag, reading: memory.reading ?? "", reason: step.reason, weights: memory.weights },
      trades: step._tag === "trade" ? step.legs.map(describeTrade) : []
    })
  })

/** Builds the recording of a trade's outcome. */
const makeRecord =
  (network: Network, changes: FollowerTradeStore["Service"]) =>
  (followerId: string, intentId: string, outcome: Outcome) =>
    Effect.flatMap(
      changes.endTrade(followerId, intentId, outcome),
      (gaveUp) => gaveUp ? Metrics.count(Metrics.followerEvents, { network, event: "failed" }) : Effect.void
    )

/** Where a follower trades, and how its trades are followed. */
interface Place {
  readonly source: VaultSource
  readonly pool: Address
  /** Between two readings. */
  readonly seconds: number
  readonly follow: (followerId: string, intentId: string) => Effect.Effect<void>
}

/** Builds `settle`: carries out a decision. */
const makeSettle = ({ follow, pool, seconds, source }: Place) =>
  Effect.gen(function*() {
    const followers = yield* FollowerStore
    const changes = yield* FollowerTradeStore
    const sizer = yield* SliceSizer
    const noted = (follower: Follower, memory: FollowerMemory, reason: string) =>
      persist(followers.record({ follower, memory, reason, seconds }))

    const stop = (follower: Follower, memory: FollowerMemory, reason: string) =>
      Effect.gen(function*() {
        if (!(yield* persist(changes.stop(follower, memory, reason)))) return
        const { network } = follower
        yield* Metrics.count(Metrics.followerEvents, { network, event: "stopped" })
        yield* Effect.logWarning(`a follower stopped: ${reason}`).pipe(
          Effect.annotateLogs({ follower: follower.id, network, pool, leader: follower.terms.leader })
        )
      })

    /** Begins the first trade that caps and market allow; the others wait for the next reading. */
    const trade = (follower: Follower, memory: FollowerMemory, { legs }: Extract<Step, { readonly _tag: "trade" }>) =>
      Effect.gen(function*() {
        const { terms, wallet } = follower
        const context = yield* contextOf(source, pool, wallet)
        let refused = ""
        for (const leg of legs) {
          const allowed = yield* persist(changes.clip(follower, leg))
          if (typeof allowed === "string") return yield* noted(follower, memory, allowed)
          const sized = yield* Effect.provideService(TradeSize.find(context, terms, allowed), SliceSizer, sizer)
          if (typeof sized === "string") {
            refused = `It cannot ${describeTrade(allowed)}: ${sized}`
            continue
          }
          const begun = yield* persist(changes.begin(follower, sized.trade, sized.request, memory))
          if (begun._tag === "begun") return yield* follow(follower.id, begun.intentId)
          return begun._tag === "spent" ? yield* noted(follower, memory, begun.reason) : undefined
        }
        return yield* noted(follower, memory, refused)
      })

    return (follower: Follower, memory: FollowerMemory, step: Step): Effect.Effect<void, Failure> => {
      switch (step._tag) {
        case "wait":
          return noted(follower, memory, step.reason)
        case "stop":
          return stop(follower, memory, step.reason)
        case "trade":
          return trade(follower, memory, step)
      }
    }
  })

/** Builds the actor. `seconds` is the time between two readings. */
export const FollowerLive = (seconds: number) =>
  Followers.toLayer(
    Effect.gen(function*() {
      const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
      const followers = yield* FollowerStore
      const changes = yield* FollowerTradeStore
      const tokens = yield* Tokens
      const chain = yield* (yield* Chains).get(network)
      const reader = yield* VaultReader.make({ network, pool, chain })
      const source: VaultSource = { chain, network, reader, tokens }
      const { follow } = yield* IntentFollower.make({ network, pool, record: makeRecord(network, changes) })
      const settle = yield* makeSettle({ source, pool, seconds, follow })
      const withTokens = Effect.provideService(Tokens, tokens)

      /** Reads and decides from the follower's row. */
      const wake = (followerId: string): Effect.Effect<void, Failure> =>
        Effect.gen(function*() {
          const follower = Option.getOrUndefined(yield* persist(followers.find(followerId)))
          if (follower === undefined || follower.endedAt !== null) return
          if (follower.openIntent !== null) return yield* follow(followerId, follower.openIntent)
          if (follower.state === "stopped" || (yield* persist(changes.stoppedBy(follower))) !== null) return
          const { memory } = follower
          yield* withTokens(FollowerReading.read(source, follower.terms)).pipe(
            Effect.flatMap((reading) => {
              const decision = decide(follower, reading)
              return settle(follower, decision.memory, decision.step)
            }),
            // A failed reading changes nothing: the follower says so, and reads again.
            Effect.catch((failure) => persist(followers.record({ follower, memory, reason: failure.message, seconds })))
          )
        })

      return Followers.of({
        resolve: ({ payload: { leader, names, wallet } }) =>
          Effect.gen(function*() {
            const { assets, facts } = yield* reader.state
            yield* mayTrade(facts, wallet)
            return {
              tokens: yield* resolveAll(tokens, network, names, assets),
              leaderKind: yield* FollowerReading.kindOf(source, leader)
            }
          }),
        preview: ({ payload }) => withTokens(previewOf(source, pool, payload)),
        wake: ({ payload: { followerId } }) => wake(followerId)
      })
    }).pipe(orNotServed((refuse) => ({ resolve: refuse, preview: refuse, wake: refuse }))),
    // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
    { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
  )
