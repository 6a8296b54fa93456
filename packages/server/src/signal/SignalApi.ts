/** Handlers of the inbox of signals. Reads come from rows, so they work while chains are unreachable. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { maxBody, type NewSignal, type Signal } from "@vault-trader/core/signal/Signal"
import { SignalApi } from "@vault-trader/core/signal/SignalApi"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { WebhookTokenStore } from "@vault-trader/core/webhook/WebhookTokenStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import * as Handlers from "../wire/Handlers.ts"
import { answerTo } from "./SignalAnswer.ts"
import { SignalDelivery, SignalDeliveryStores } from "./SignalDelivery.ts"

const refuse = (message: string) => new ValidationFailure({ code: "1010", message })

const viewOf = (signal: Signal) => ({
  ...{ signal_id: signal.id, seq: String(signal.seq), source: signal.source, token_id: signal.token },
  ...{ from: signal.origin, content_type: signal.mediaType, body: signal.body },
  truncated: signal.bodyLength > maxBody,
  ...{ understood: signal.understood, state: signal.state, reason: signal.reason, results: signal.results },
  ...{ replay_of: signal.replayOf, replayed_by: signal.replayedBy },
  received_at: signal.receivedAt.toISOString()
})

/** Answers with a replay that was accepted before. */
const answerEarlier = ({ id, reason, results, state }: Signal): Effect.Effect<{
  readonly intent_id: string | null
  readonly tx_hash: null
  readonly message: string
  readonly signal_id: string
  readonly results: Signal["results"]
}, Failure> =>
  state === "refused"
    ? Effect.fail(
      refuse(
        `signal_id: was replayed as ${id}, which was refused: ${
          reason ?? results.map((result) => result.reason).join("; ")
        }`
      )
    )
    : Effect.succeed({
      intent_id: results.find(({ intent_id }) => intent_id !== null)?.intent_id ?? null,
      tx_hash: null,
      message: `It was replayed before, as ${id}.`,
      signal_id: id,
      results
    })

const replayHandlers = Handlers.part(
  SignalApi,
  Effect.gen(function*() {
    const signals = yield* SignalStore
    const tokens = yield* WebhookTokenStore
    const switches = yield* KillSwitch
    const deliver = yield* SignalDelivery

    /** Returns the signal to replay and its token. */
    const replayable = (signal_id: string) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const signal = Option.getOrUndefined(yield* query(signals.find(wallet, signal_id)))
        if (signal === undefined) return yield* refuse(`signal_id: the key's wallet has no signal ${signal_id}`)
        const { side } = signal.understood
        if (signal.state !== "refused" && signal.state !== "ignored") {
          return yield* refuse(`signal_id: is ${signal.state}; only refused and ignored signals can be replayed`)
        }
        if (side === null) return yield* refuse("signal_id: its body names no side, so there is nothing to carry out")
        const token = signal.token === null ? Option.none() : yield* query(tokens.find(wallet, signal.token))
        return Option.isNone(token)
          ? yield* refuse("signal_id: has no active webhook token, so it is not known which bots it is for")
          : { signal, side, token: token.value }
      })

    return {
      replaySignal: ({ idempotency_key, signal_id }) =>
        Effect.gen(function*() {
          const { keyId, repeats, wallet } = yield* Caller
          const earlier = yield* query(signals.replayOf(wallet, signal_id))
          if (Option.isSome(earlier)) return yield* answerEarlier(earlier.value)
          if (repeats !== undefined) {
            return yield* refuse(
              `idempotency_key: was used for another request (intent ${repeats}); use a new key for a new request`
            )
          }
          const { side, signal, token } = yield* replayable(signal_id)
          const { body, mediaType, understood } = signal
          const replay: NewSignal = {
            ...{ id: yield* Uuid.v7, source: "replay", wallet, token: token.id, origin: null },
            ...{ body, mediaType, understood, replayOf: signal.id }
          }
          const delivered = yield* deliver({
            ...{ token: { ...token, keyId }, signal: replay, side, percent: understood.percent },
            idempotencyKey: idempotency_key ?? null
          })
          if (delivered.length > 0) return yield* answerTo(replay.id, delivered, switches)
          const first = yield* query(signals.replayOf(wallet, signal_id))
          return Option.isSome(first)
            ? yield* answerEarlier(first.value)
            : yield* Effect.die(new Error("a replay that was accepted has no row"))
        })
    }
  })
)

export const SignalApiLive = Handlers.layer(
  SignalApi,
  Effect.gen(function*() {
    const signals = yield* SignalStore
    return {
      ...(yield* replayHandlers),
      getSignals: ({ cursor, limit = 20, network, pool, since, state, token_id, until }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const rows = yield* query(
            signals.list({
              ...{ wallet, network, pool, since, state, until, token: token_id, before: cursor },
              limit: limit + 1
            })
          )
          const page = rows.slice(0, limit)
          return { signals: page.map(viewOf), cursor: rows.length > limit ? page.at(-1)?.id ?? null : null }
        })
    }
  })
).pipe(Layer.provide([WebhookTokenStore.layer, SignalDeliveryStores]))
