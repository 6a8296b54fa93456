/** Handlers of followers. Removing and showing one needs only the database, for the wallet that set it. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  defaults,
  type Follower,
  Followers,
  FollowerTerms,
  type LeaderKind
} from "@vault-trader/core/follower/Follower"
import { FollowerApi } from "@vault-trader/core/follower/FollowerApi"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { eventViewOf, tradeViewOf, viewOf } from "@vault-trader/core/follower/FollowerView"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { FollowerTradeStore } from "@vault-trader/core/intent/FollowerTradeStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query, read } from "../gate/ActorCall.ts"
import * as NamedAsset from "../vault/NamedAsset.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as Handlers from "../wire/Handlers.ts"

type Params = Handlers.Params<typeof FollowerApi, "setFollower">

const hiddenMessage =
  "The follower of another wallet is shown only to keys of the vault's trader, its manager and wallets in the manager's " +
  "list."

const refused = (message: string) => new ValidationFailure({ code: "1010", message })

/** Returns the tokens that the parameters name: the base, then `assets`, then `without`. */
const namesOf = ({ assets = [], base = "USDC", without = [] }: Params) => [base, ...assets, ...without]

/** Pairs the names of both lists with their parameters; admission has checked the base. */
const namedIn = ({ assets, without }: Params) => [
  ...NamedAsset.namedIn("assets", assets),
  ...NamedAsset.namedIn("without", without)
]

/** Builds the terms; `tokens`: those of `namesOf`, resolved in the vault. */
const termsOf = (params: Params, leaderKind: LeaderKind, [base, ...named]: ReadonlyArray<Token>) =>
  Effect.gen(function*() {
    const { assets, leader, max_usd, max_usd_interval } = params
    if (base === undefined) return yield* Effect.die(new Error("a follower's base was not resolved"))
    const listed = assets === undefined ? null : named.slice(0, assets.length)
    const without = named.slice(assets?.length ?? 0)
    const both = listed?.find(({ address }) => without.some((each) => each.address === address))
    if (both !== undefined) return yield* refused(`without: ${both.symbol} is in assets, too`)
    if ([...listed ?? [], ...without].some(({ address }) => address === base.address)) {
      return yield* refused(`assets: the base ${base.symbol} is always part of the trades; name other assets only`)
    }
    if (params.interval !== undefined && max_usd_interval === undefined) {
      return yield* refused("interval: belongs to max_usd_interval, which is missing")
    }
    return FollowerTerms.make({
      ...{ leader, leaderKind, base, assets: listed, without },
      ratio: params.ratio ?? defaults.ratio,
      threshold: params.threshold ?? defaults.threshold,
      maxWeight: params.max_weight ?? null,
      maxUsd18: Quantity.toRaw(max_usd, 18),
      maxUsdInInterval18: max_usd_interval === undefined ? null : Quantity.toRaw(max_usd_interval, 18),
      intervalSeconds: params.interval ?? defaults.intervalSeconds,
      delaySeconds: params.delay ?? defaults.delay,
      slippage: params.slippage ?? defaults.slippage,
      maxImpact: params.max_impact ?? defaults.maxImpact
    })
  })

const settingHandlers = Handlers.part(
  FollowerApi,
  Effect.gen(function*() {
    const actors = yield* Followers.client
    const store = yield* FollowerTradeStore
    const switches = yield* KillSwitch

    return {
      setFollower: (params) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          const { dryRun, leader, network, pool } = params
          if (leader === pool) return yield* refused("leader: a vault cannot follow itself")
          const actor = actors(idOf(network, pool))
          const { leaderKind, tokens } = yield* Effect.mapError(
            read(actor.resolve({ wallet, leader, names: namesOf(params) })),
            (failure) => NamedAsset.withParamName(failure, namedIn(params))
          )
          const terms = yield* termsOf(params, leaderKind, tokens)
          // Also before it is set: a leader that cannot be read is refused.
          const plan = yield* read(actor.preview({ wallet, terms }))
          if (dryRun === true) {
            return { data: null, plan, message: `Dry run: nothing was set. ${plan.reading} ${plan.reason}` }
          }
          const setting = yield* query(store.set({ network, pool, wallet, keyId, terms }))
          if (setting._tag === "circle") {
            return yield* refused(
              `leader: follows ${pool} itself, through ${setting.through}; vaults cannot follow each other in a circle`
            )
          }
          const { follower } = setting
          // Reads now, in the background: without this, the next reading would be the first.
          yield* Effect.forkDetach(
            Effect.ignore(Effect.timeout(actor.wake({ followerId: follower.id }), "30 seconds"))
          )
          const stopped = stopping(yield* query(switches.list), follower)
          const waits = stopped === null ? "" : `${stopped}; the follower waits. `
          return {
            data: viewOf(follower, stopped),
            plan,
            message: `The vault follows the leader. ${waits}Call getFollowers for what it does.`
          }
        })
    }
  })
)

const readingHandlers = Handlers.part(
  FollowerApi,
  Effect.gen(function*() {
    const store = yield* FollowerStore
    const changes = yield* FollowerTradeStore
    const switches = yield* KillSwitch
    const traderNow = yield* TraderNow
    const accessOf = yield* StrategyReaders.make
    const shown = (follower: Follower) =>
      Effect.map(query(switches.list), (on) => viewOf(follower, stopping(on, follower)))

    return {
      removeFollower: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const found = Option.getOrUndefined(yield* query(store.ofVault(network, pool)))
          if (found?.wallet !== wallet) yield* traderNow({ network, pool }, wallet)
          const removed = found === undefined
            ? undefined
            : Option.getOrUndefined(yield* query(changes.remove(found.id)))
          return removed === undefined
            ? { data: null, message: "The vault follows no leader; nothing changed." }
            : { data: yield* shown(removed), message: "The vault no longer follows the leader." }
        }),
      getFollowers: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const [own, following] = yield* query(
            Effect.all([store.ofVault(network, pool), store.ofLeader(network, pool, wallet)])
          )
          const isHidden = Option.exists(own, (each) => each.wallet !== wallet) &&
            !(yield* accessOf({ network, pool }, wallet)).reads
          const followers = yield* Effect.forEach(
            [...(isHidden ? [] : Option.toArray(own)), ...following],
            (follower) =>
              Effect.gen(function*() {
                const [trades, events] = yield* query(
                  Effect.all([store.trades(follower.id), store.events(follower.id)])
                )
                return {
                  ...{ data: yield* shown(follower), trades: trades.map(tradeViewOf) },
                  events: events.map(eventViewOf)
                }
              })
          )
          return { followers, message: isHidden ? hiddenMessage : null }
        })
    }
  })
)

export const FollowerApiLive = Handlers.layer(
  FollowerApi,
  Effect.gen(function*() {
    return { ...(yield* settingHandlers), ...(yield* readingHandlers) }
  })
).pipe(
  Layer.provide([FollowerTradeStore.layer, FollowerStore.layer, ManagerStore.layer]),
  Layer.provide([IntentStore.layer, KillSwitch.layer])
)
