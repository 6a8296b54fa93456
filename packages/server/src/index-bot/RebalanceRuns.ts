/** Answers an admitted rebalance: commits the run, wakes its bot and waits a while for the outcome. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure, type ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IndexBots, notSet, defaults } from "@vault-trader/core/index-bot/IndexBot"
import type { IndexRun, LegOutcome } from "@vault-trader/core/index-bot/IndexRun"
import type { RunStart, NewRun } from "@vault-trader/core/index-bot/IndexRunStart"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { isDatabaseError } from "@vault-trader/core/telemetry/DatabaseErrors"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { awaitOutcome, bounded, query } from "../gate/ActorCall.ts"
import { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import * as RequestState from "../wire/RequestState.ts"
import { conflict } from "../gate/IdempotentWrites.ts"
import * as IndexBotViews from "./IndexBotViews.ts"

const commitRetry = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 seconds" }))

const pending = (id: string, run: IndexRun | undefined) => {
  const last = run?.legs.findLast(({ intentId }) => intentId !== null)
  return {
    status: "pending" as const,
    intent_id: last?.intentId ?? null,
    tx_hash: last?.outcome?.txHash ?? null,
    message: `Run ${id} is in progress${
      run === undefined ? "" : `, at trade ${run.legs.length}`
    }. Call getIndexBot for the outcome.`
  }
}

const isFailure = (outcome: LegOutcome | null): outcome is LegOutcome & { readonly failure: Failure } =>
  outcome !== null && outcome.failure !== null

/** Returns the first failure of a run that moved nothing, with all its details. */
const failureOf = ({ failure, legs, message }: IndexRun): Failure | undefined => {
  const outcomes = legs.map(({ outcome }) => outcome)
  if (outcomes.some((outcome) => outcome?.status === "succeeded")) return undefined
  const failed = legs.find(({ outcome }) => isFailure(outcome))
  const first = failed?.outcome?.failure ?? failure
  if (first === null || first === undefined) return undefined
  if (first._tag === "ValidationFailure") return first
  return new ExecutionFailure({
    errorType: first.errorType,
    message: message ?? first.message,
    ...(failed?.intentId === undefined || failed.intentId === null ? {} : { intentId: failed.intentId }),
    ...(failed?.outcome?.txHash === undefined || failed.outcome.txHash === null
      ? {}
      : { txHash: failed.outcome.txHash })
  })
}

const toAnswer = (run: IndexRun, joined: boolean) => {
  const failure = run.state === "failed" ? failureOf(run) : undefined
  if (failure !== undefined) return Effect.fail(failure)
  const last = run.legs.at(-1)
  return Effect.succeed({
    intent_id: last?.intentId ?? null,
    tx_hash: last?.outcome?.txHash ?? null,
    message: `${joined ? "A run was already in progress; this is its outcome. " : ""}${run.message ?? ""}`,
    data: {
      executed: !run.paper,
      totalValueUsd: run.totalUsd18 === null ? null : Quantity.usd(run.totalUsd18),
      plan: IndexBotViews.planOf(run, defaults.slippage),
      trades: run.legs.map(IndexBotViews.tradeOf)
    }
  })
}

interface VaultAddress {
  readonly network: Network
  readonly pool: Address
}

/**
 * Commits the run. The database may commit and then disconnect, so this retries with the same id until it confirms.
 */
const untilCertain = (runs: IndexRunStore["Service"], run: NewRun) =>
  runs.begin(run).pipe(
    Effect.timeoutOrElse({
      duration: "5 seconds",
      orElse: () => Effect.fail(new AcceptanceUnknown({ id: run.id }))
    }),
    // A commit whose confirmation is lost arrives as a defect.
    Effect.catchCause((cause) =>
      isDatabaseError(cause) || Cause.hasFails(cause)
        ? new AcceptanceUnknown({ id: run.id })
        : Effect.failCause(cause)
    ),
    Effect.retry(commitRetry)
  )

const isOver = (run: IndexRun) => run.state !== "running"

/** Commits runs. */
const acceptance = Effect.map(
  IndexRunStore,
  (runs) => (run: NewRun): Effect.Effect<RunStart, ValidationFailure> =>
    Effect.gen(function*() {
      const timeout = yield* RequestState.within("1 minute")
      yield* RequestState.note("offered")
      const committed = Effect.timeoutOrElse(RequestState.committed(untilCertain(runs, run)), {
        duration: timeout,
        orElse: () => Effect.fail(new AcceptanceUnknown({ id: run.id }))
      })
      const started = Option.getOrUndefined(yield* Effect.orDie(committed))
      yield* RequestState.note("settled")
      if (started === undefined) return yield* notSet(run.pool)
      if (started._tag !== "conflict") return started
      return yield* conflict(started.id)
    })
)

/** Waits for a run's outcome. */
const answers = (waitSeconds: number) =>
  Effect.gen(function*() {
    const runs = yield* IndexRunStore
    const bots = yield* IndexBots.client
    const ending = yield* GracefulShutdown

    const findRun = (id: string) =>
      Effect.map(
        Effect.option(bounded(runs.find(id), { timeout: "2 seconds", onTimeout: () => "silent" })),
        Option.flatten
      )

    /**
     * Answers for a committed run. With `repeats`, the run's row can be the answer, so the bot's actor need not be
     * reachable.
     */
    return (
      id: string,
      place: VaultAddress,
      { joined, repeats }: { readonly joined: boolean; readonly repeats: boolean }
    ) =>
      Effect.gen(function*() {
        const before = repeats ? Option.filter(yield* findRun(id), isOver) : Option.none()
        const over = Option.isSome(before)
          ? before
          : yield* awaitOutcome(bots(idOf(place.network, place.pool)).run({ runId: id }), {
            ending,
            seconds: waitSeconds
          })
        if (Option.isSome(over)) return yield* toAnswer(over.value, joined)
        const row = Option.getOrUndefined(yield* findRun(id))
        return row !== undefined && isOver(row) ? yield* toAnswer(row, joined) : pending(id, row)
      })
  })

/** `waitSeconds`: how long to wait for the run's end before answering `pending`. */
export const make = (waitSeconds: number) =>
  Effect.gen(function*() {
    const runs = yield* IndexRunStore
    const accept = yield* acceptance
    const answerOf = yield* answers(waitSeconds)
    return {
      /** Starts a run, or joins the one in progress. */
      begin: (request: Omit<NewRun, "id">) =>
        Effect.gen(function*() {
          const { _tag, id } = yield* accept({ ...request, id: yield* Uuid.v7 })
          return yield* answerOf(id, request, { joined: _tag === "joined", repeats: false })
        }),
      /**
       * Answers a repeat of an accepted rebalance. Compares the quote as the caller names it; without one, the original
       * quote applies.
       */
      repeat: (
        id: string,
        wallet: Address,
        key: string,
        request: VaultAddress & { readonly force: boolean; readonly quote: string | undefined }
      ) =>
        Effect.gen(function*() {
          const earlier = Option.getOrUndefined(yield* query(runs.findRequest(wallet, key)))
          const run = Option.getOrUndefined(yield* query(runs.find(id)))
          if (earlier === undefined || run === undefined) return yield* conflict(id)
          const sameQuote = request.quote === undefined || request.quote.toLowerCase() === earlier.quote ||
            (run.quote.address === earlier.quote && symbolOf(request.quote) === run.quote.symbol.toUpperCase())
          const same = earlier.network === request.network && earlier.pool === request.pool &&
            earlier.force === request.force && sameQuote
          if (!same) return yield* conflict(id)
          yield* RequestState.note("settled")
          return yield* answerOf(id, request, { joined: false, repeats: true })
        })
    }
  })
