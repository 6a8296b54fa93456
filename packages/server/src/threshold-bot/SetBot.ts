/** Setting a bot, by a caller or by a chart alert: from rows where they know the bot, else after asking the chain about wallet and pair. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { type ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type BotSet, type BotTerms, type ThresholdBot, ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { refusable, Turns } from "@vault-trader/core/threshold-bot/Turns"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { read, query } from "../gate/ActorCall.ts"
import * as RequestState from "../gate/RequestState.ts"

/** A bot to set, and for which wallet. */
export interface Asked {
  readonly wallet: Address
  readonly keyId: string
  readonly network: Network
  readonly pool: Address
  readonly terms: BotTerms
  readonly idempotencyKey: string | null
  /** The alert's token; none of a caller with a key. */
  readonly token?: string
  /** When it is too late to act on it, unix milliseconds. */
  readonly validUntil?: number | undefined
}

/** How long the chain may be asked: the caller is answered within three seconds whatever the chain does. */
const patience = "1500 millis"

/** Whether these legs, as a caller names them, are the bot's. */
export const isOfLegs = (bot: Pick<ThresholdBot, "base" | "quote" | "pair">, base: string, quote: string): boolean =>
  (bot.base === base.toLowerCase() && bot.quote === quote.toLowerCase()) || bot.pair.toUpperCase() === `${symbolOf(base)}-${symbolOf(quote)}`.toUpperCase()

/** Nobody has judged the request: it is kept. */
const isSilence = ({ errorType }: ExecutionFailure) => errorType === "rpc_unavailable" || errorType === "busy"

const noInverse = ({ network, pair }: ThresholdBot) => {
  const [base = ""] = pair.split("-")
  return new ValidationFailure({ code: "1008", message: `side: ${network} has no inverse token of ${base}, so short is not accepted for it; long, neutral and hold are` })
}

export const SetBot = Effect.gen(function*() {
  const bots = yield* ThresholdBots.client
  const store = yield* ThresholdBotStore
  const turns = yield* Turns
  const waiting = yield* WaitingSettings

  /** A refusal of the store's is an answer; a database that fails is a defect. */
  const done = <A>(set: Effect.Effect<A, SqlError | ValidationFailure>): Effect.Effect<A, ValidationFailure> =>
    Effect.andThen(RequestState.note("offered"), Effect.flatMap(query(refusable(RequestState.committed(set))), Effect.fromResult))

  /** Sets a bot of the caller's own again. No node is asked: wallet and assets are checked when its turn is planned. */
  const setAgain = (asked: Asked, bot: ThresholdBot): Effect.Effect<Option.Option<BotSet>, Failure> => {
    const { base, inverse, pair, quote } = bot
    const { idempotencyKey, keyId, network, pool, terms, wallet } = asked
    return terms.side === "short" && inverse === null
      ? noInverse(bot)
      : done(turns.setOwn({ network, pool, wallet, keyId, ...terms, base, inverse, pair, quote }, idempotencyKey))
  }

  /** Sets a bot that rows do not know as this wallet's. The chain says whether the wallet may trade and what the legs are. */
  const setNew = (asked: Asked): Effect.Effect<BotSet, Failure> =>
    Effect.gen(function*() {
      const { idempotencyKey, keyId, network, pool, terms, wallet } = asked
      const { base, quote, side } = terms
      const legs = yield* read(bots(idOf(network, pool)).legs({ wallet, base, quote, side }), patience)
      return yield* done(turns.set({ network, pool, wallet, keyId, ...terms, ...legs }, idempotencyKey))
    })

  /** Keeps a setting that only the chain can judge, while no node answers. What rows do not know as a vault of this wallet is not kept. */
  const orKept = (asked: Asked) => (failure: Failure): Effect.Effect<"waiting", Failure> =>
    Effect.gen(function*() {
      if (failure._tag === "ValidationFailure" || !isSilence(failure)) return yield* failure
      const { network, pool, token = null, validUntil = null, wallet } = asked
      if (!(yield* query(waiting.isKnown(network, pool, wallet)))) return yield* failure
      yield* RequestState.note("offered")
      return (yield* query(RequestState.committed(waiting.keep({ ...asked, token, validUntil })))) ? "waiting" as const : yield* failure
    })

  /** Has the bot's turn begin now. It would at the next check too, so nobody waits for this. */
  const hurry = ({ bot: { id, network, pool } }: BotSet) =>
    Effect.forkDetach(Effect.ignore(Effect.timeout(bots(idOf(network, pool)).wake({ botId: id }), "30 seconds")))

  return (asked: Asked): Effect.Effect<BotSet | "waiting", Failure> =>
    Effect.gen(function*() {
      const known = yield* query(store.ofVault(asked.network, asked.pool))
      const own = known.find((bot) => bot.wallet === asked.wallet && isOfLegs(bot, asked.terms.base, asked.terms.quote))
      const again = own === undefined ? Option.none() : yield* setAgain(asked, own)
      const set = Option.isSome(again) ? again.value : yield* Effect.catch(setNew(asked), orKept(asked))
      if (set !== "waiting") yield* Effect.andThen(RequestState.note("settled"), hurry(set))
      return set
    })
})
