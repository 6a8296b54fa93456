/**
 * Sets a bot for a caller or a chart alert. A known bot is set from its row; otherwise the chain is queried for wallet
 * and pair.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { type ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  type BotSet,
  type BotTerms,
  type ThresholdBot,
  ThresholdBots
} from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { refusable, BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { read, query } from "../gate/ActorCall.ts"
import * as RequestState from "../wire/RequestState.ts"

/** A bot to set, and the wallet it is for. */
interface BotRequest {
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

/** How long the chain may take: the caller gets a response within three seconds even if no node responds. */
const chainTimeout = "1500 millis"

/** Returns true if these legs, as a caller names them, are the bot's. */
export const isOfLegs = (bot: Pick<ThresholdBot, "base" | "quote" | "pair">, base: string, quote: string): boolean =>
  (bot.base === base.toLowerCase() && bot.quote === quote.toLowerCase()) ||
  bot.pair.toUpperCase() === `${symbolOf(base)}-${symbolOf(quote)}`.toUpperCase()

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

export const SetBot = Effect.gen(function*() {
  const bots = yield* ThresholdBots.client
  const store = yield* ThresholdBotStore
  const turns = yield* BotTurnStore
  const waiting = yield* WaitingSettings

  /** Runs a store's write. A refusal by the store is a failure; a failing database is a defect. */
  const commit = <A>(set: Effect.Effect<A, SqlError | ValidationFailure>): Effect.Effect<A, ValidationFailure> =>
    Effect.andThen(
      RequestState.note("offered"),
      Effect.flatMap(query(refusable(RequestState.committed(set))), Effect.fromResult)
    )

  /** Sets the caller's existing bot. No node is queried: wallet and assets are checked when its turn is planned. */
  const setAgain = (request: BotRequest, bot: ThresholdBot): Effect.Effect<Option.Option<BotSet>, Failure> => {
    const { base, inverse, pair, quote } = bot
    const { idempotencyKey, keyId, network, pool, terms, wallet } = request
    return terms.side === "short" && inverse === null
      ? noInverse(bot)
      : commit(turns.setOwn({ network, pool, wallet, keyId, ...terms, base, inverse, pair, quote }, idempotencyKey))
  }

  /** Sets a bot that is not yet known for this wallet. The chain determines if the wallet may trade, and the legs. */
  const setNew = (request: BotRequest): Effect.Effect<BotSet, Failure> =>
    Effect.gen(function*() {
      const { idempotencyKey, keyId, network, pool, terms, wallet } = request
      const { autoEnable, base, quote, side } = terms
      const legs = yield* read(bots(idOf(network, pool)).legs({ wallet, base, quote, side, autoEnable }), chainTimeout)
      return yield* commit(turns.set({ network, pool, wallet, keyId, ...terms, ...legs }, idempotencyKey))
    })

  /** Stores a setting while no node responds to judge it, but only for a vault that is known to be this wallet's. */
  const orStoreForLater = (request: BotRequest) => (failure: Failure): Effect.Effect<"waiting", Failure> =>
    Effect.gen(function*() {
      if (failure._tag === "ValidationFailure" || !isUnavailable(failure)) return yield* failure
      const { network, pool, token = null, validUntil = null, wallet } = request
      if (!(yield* query(waiting.isKnown(network, pool, wallet)))) return yield* failure
      yield* RequestState.note("offered")
      return (yield* query(RequestState.committed(waiting.keep({ ...request, token, validUntil }))))
        ? "waiting" as const
        : yield* failure
    })

  /** Starts the bot's turn now, in the background: without this, the next check would start it. */
  const wakeNow = ({ bot: { id, network, pool } }: BotSet) =>
    Effect.forkDetach(Effect.ignore(Effect.timeout(bots(idOf(network, pool)).wake({ botId: id }), "30 seconds")))

  return (request: BotRequest): Effect.Effect<BotSet | "waiting", Failure> =>
    Effect.gen(function*() {
      const known = yield* query(store.ofVault(request.network, request.pool))
      const own = known.find((bot) =>
        bot.wallet === request.wallet && isOfLegs(bot, request.terms.base, request.terms.quote)
      )
      const again = own === undefined ? Option.none() : yield* setAgain(request, own)
      const set = Option.isSome(again) ? again.value : yield* Effect.catch(setNew(request), orStoreForLater(request))
      if (set !== "waiting") yield* Effect.andThen(RequestState.note("settled"), wakeNow(set))
      return set
    })
})

/** The stores that setting a bot needs. */
export const SetBotStores = BotTurnStore.layer.pipe(
  Layer.provideMerge([ThresholdBotStore.layer, WaitingSettings.layer, IntentStore.layer, KillSwitch.layer])
)
