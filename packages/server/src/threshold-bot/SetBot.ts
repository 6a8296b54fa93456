/** Decides how bots are set: from their rows, from the chain, or later, and sets a bot for a caller. */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { isOfLegs } from "@vault-trader/core/chain/PairMatch"
import { type ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  type BotSet,
  type BotTerms,
  type ThresholdBot,
  ThresholdBots
} from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { type Accepted, SignalAcceptance, type Step } from "@vault-trader/core/intent/SignalAcceptance"
import { type NewSignal, type SignalResult } from "@vault-trader/core/signal/Signal"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { AcceptanceFirst } from "../gate/AcceptanceFirst.ts"
import { read, query } from "../gate/ActorCall.ts"
import * as RequestState from "../wire/RequestState.ts"

/** A bot to set, and the wallet it is for. */
export interface BotRequest {
  readonly wallet: Address
  readonly keyId: string
  readonly network: Network
  readonly pool: Address
  readonly terms: BotTerms
  readonly idempotencyKey: string | null
  /** The alert's token; undefined for a caller with a key. */
  readonly token?: string
  /** After this time the setting is too old to act on, unix milliseconds. */
  readonly validUntil?: number | undefined
}

/** How a bot is set. `otherwise`: the failure if a setting that is to wait cannot be kept. */
export interface Prepared {
  readonly step: Extract<Step, { readonly _tag: "set" | "wait" }>
  readonly otherwise: Failure | null
}

/** How long the chain may take: the caller gets a response within three seconds even if no node responds. */
const chainTimeout = "1500 millis"

/** Returns true for failures that do not judge the request; it is stored and tried later. */
export const isUnavailable = ({ errorType }: ExecutionFailure): boolean =>
  errorType === "rpc_unavailable" || errorType === "busy"

const noInverse = ({ network, pair }: ThresholdBot) => {
  const [base = ""] = pair.split("-")
  return new ValidationFailure({
    code: "1008",
    message: `side: ${network} has no inverse token of ${base}, so short is not accepted; use long, neutral or hold`
  })
}

/** Names a failure as the inbox keeps it. */
export const reasonOf = (failure: Failure): string =>
  failure._tag === "ValidationFailure" ? `${failure.code}: ${failure.message}` : failure.message

/** Returns the result of a signal at a threshold bot that refused it. */
export const refusedAt = (
  { network, pool, terms }: Pick<BotRequest, "network" | "pool"> & {
    readonly terms: Pick<BotTerms, "base" | "quote" | "side">
  },
  failure: Failure
): SignalResult => ({
  ...{ kind: "threshold", network, pool, subaccount: null, pair: `${terms.base}-${terms.quote}`, side: terms.side },
  ...{ state: "refused", reason: reasonOf(failure), intent_id: null }
})

/**
 * Builds the function that decides how a bot is set. `isFresh`: the bot's owner is not known from its row. `bots`: those
 * of the vault, if they were read.
 */
export const BotPreparation = Effect.gen(function*() {
  const bots = yield* ThresholdBots.client
  const store = yield* ThresholdBotStore
  const waiting = yield* WaitingSettings

  /** Sets the caller's existing bot. No node is queried: wallet and assets are checked when its turn is planned. */
  const setAgain = (request: BotRequest, bot: ThresholdBot): Effect.Effect<Prepared, Failure> => {
    const { base, inverse, pair, quote } = bot
    const { idempotencyKey: key, keyId, network, pool, terms, wallet } = request
    if (terms.side === "short" && inverse === null) return noInverse(bot)
    const setting = { network, pool, wallet, keyId, ...terms, base, inverse, pair, quote }
    return Effect.succeed({ step: { _tag: "set", setting, key, isOwn: true }, otherwise: null })
  }

  /** Sets a bot that is not yet known for this wallet. The chain determines if the wallet may trade, and the legs. */
  const setNew = (request: BotRequest): Effect.Effect<Prepared, Failure> =>
    Effect.gen(function*() {
      const { idempotencyKey: key, keyId, network, pool, terms, wallet } = request
      const { autoEnable, base, quote, side } = terms
      const legs = yield* read(bots(idOf(network, pool)).legs({ wallet, base, quote, side, autoEnable }), chainTimeout)
      const setting = { network, pool, wallet, keyId, ...terms, ...legs }
      return { step: { _tag: "set" as const, setting, key, isOwn: false }, otherwise: null }
    })

  /** Stores a setting while no node responds to judge it, but only for a vault that is known to be this wallet's. */
  const orStoreForLater = (request: BotRequest) => (failure: Failure): Effect.Effect<Prepared, Failure> =>
    Effect.gen(function*() {
      if (failure._tag === "ValidationFailure" || !isUnavailable(failure)) return yield* failure
      const { network, pool, token = null, validUntil = null, wallet } = request
      if (!(yield* query(waiting.isKnown(network, pool, wallet)))) return yield* failure
      return { step: { _tag: "wait" as const, setting: { ...request, token, validUntil } }, otherwise: failure }
    })

  return (
    request: BotRequest,
    isFresh: boolean,
    bots?: ReadonlyArray<ThresholdBot>
  ): Effect.Effect<Prepared, Failure> =>
    Effect.gen(function*() {
      const known = isFresh ? [] : bots ?? (yield* query(store.ofVault(request.network, request.pool)))
      const own = known.find((bot) =>
        bot.wallet === request.wallet && isOfLegs(bot, request.terms.base, request.terms.quote)
      )
      return own === undefined
        ? yield* Effect.catch(setNew(request), orStoreForLater(request))
        : yield* setAgain(request, own)
    })
})

/** Builds the function that carries out the steps of a signal, which `prepare` decides. */
export const SignalCommit = Effect.gen(function*() {
  const bots = yield* ThresholdBots.client
  const acceptance = yield* SignalAcceptance

  const { accepting, turn } = yield* AcceptanceFirst

  /** Starts the bot's turn in the background: without this, the next check would start it. */
  const wakeSoon = ({ bot: { id, network, pool } }: BotSet) =>
    Effect.forkDetach(
      Effect.andThen(turn, Effect.ignore(Effect.timeout(bots(idOf(network, pool)).wake({ botId: id }), "30 seconds")))
    )

  /**
   * Commits a signal and returns its results; none if it is a replay that was accepted before. When a bot has
   * another owner by then, decides again, without its row.
   */
  const commit = <R>(
    signal: NewSignal,
    prepare: (isFresh: boolean) => Effect.Effect<ReadonlyArray<Step>, Failure, R>,
    isFresh = false
  ): Effect.Effect<ReadonlyArray<Accepted>, Failure, R> =>
    Effect.gen(function*() {
      const steps = yield* prepare(isFresh)
      yield* RequestState.note("offered")
      // A refusal is a value here: only a failing database is a defect.
      const committed = yield* query(
        RequestState.committed(
          Effect.catchTags(acceptance.accept(signal, steps), {
            BotMoved: () => Effect.succeed("moved" as const),
            AlreadyReplayed: () => Effect.succeed("replayed" as const)
          })
        )
      )
      if (committed === "replayed") return []
      if (committed === "moved") {
        return isFresh
          ? yield* Effect.die(new Error("a bot that was set without its row has another owner"))
          : yield* commit(signal, prepare, true)
      }
      if (committed.some(({ set }) => set !== null)) yield* RequestState.note("settled")
      yield* Effect.forEach(committed, ({ set }) => set === null ? Effect.void : wakeSoon(set), { discard: true })
      return committed
    })
  return <R>(
    signal: NewSignal,
    prepare: (isFresh: boolean) => Effect.Effect<ReadonlyArray<Step>, Failure, R>
  ): Effect.Effect<ReadonlyArray<Accepted>, Failure, R> => accepting(commit(signal, prepare))
})

/** Describes a caller's request as the inbox keeps it: its parameters without the credential. */
const signalOf = ({ network, pool, terms, wallet }: BotRequest) =>
  Effect.map(Effect.all([Uuid.v7, Audit.Actor]), ([id, { from }]): NewSignal => ({
    id,
    source: "setBot",
    wallet,
    token: null,
    origin: from,
    mediaType: null,
    body: JSON.stringify({ network, pool, ...terms, maxUsd: BigDecimal.format(terms.maxUsd) }),
    understood: {
      ...{ side: terms.side, percent: terms.share, price: null, timestamp: null },
      ...{ placeholders: [], unknown_words: [] }
    },
    replayOf: null
  }))

/** Builds the function that sets a bot for a caller. */
export const SetBot = Effect.gen(function*() {
  const prepare = yield* BotPreparation
  const commit = yield* SignalCommit
  const signals = yield* SignalStore

  return (request: BotRequest): Effect.Effect<BotSet | "waiting", Failure> =>
    Effect.gen(function*() {
      const signal = yield* signalOf(request)
      let otherwise: Failure | null = null
      const committed = yield* Effect.result(commit(signal, (isFresh) =>
        Effect.map(prepare(request, isFresh), (prepared) => {
          otherwise = prepared.otherwise
          return [prepared.step]
        })))
      if (Result.isFailure(committed)) {
        yield* query(signals.record(signal, [refusedAt(request, committed.failure)]))
        return yield* committed.failure
      }
      const [accepted] = committed.success
      if (accepted === undefined) {
        return yield* Effect.die(new Error("a signal without a bot"))
      }
      if (accepted.set !== null) {
        return accepted.set
      }
      if (accepted.result.state === "waiting") {
        return "waiting"
      }
      return yield* accepted.refusal ?? otherwise ?? Effect.die(new Error("a bot refused without a reason"))
    })
})

/** The stores that setting a bot needs. */
export const SetBotStores = SignalAcceptance.layer.pipe(
  Layer.provideMerge(BotTurnStore.layer),
  Layer.provideMerge([
    ThresholdBotStore.layer,
    WaitingSettings.layer,
    IntentStore.layer,
    KillSwitch.layer,
    SignalStore.layer,
    AcceptanceFirst.layer
  ])
)
