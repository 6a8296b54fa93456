/**
 * Accepts a signal: sets its bots, commits the intents of their turns and records the signal, in one transaction. Signals
 * for the same bot are accepted one after another, so the later one in the inbox is the one that counts.
 */
import type { SqlError } from "effect/sql/SqlError"
import * as SqlClient from "effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { ValidationFailure } from "../failure/Failure.ts"
import { ActingManager } from "../gas-wallet/ActingManager.ts"
import type { IndexSetting } from "../index-bot/IndexBot.ts"
import { IndexBotStore } from "../index-bot/IndexBotStore.ts"
import type { NewSignal, SignalResult } from "../signal/Signal.ts"
import { SignalStore } from "../signal/SignalStore.ts"
import type { BotSet } from "../threshold-bot/ThresholdBot.ts"
import type { Setting } from "../threshold-bot/SettingRows.ts"
import { maxWaiting, type NewSetting, WaitingSettings } from "../threshold-bot/WaitingSettings.ts"
import { lockOf, type Put } from "./BotTurnSteps.ts"
import { BotTurnStore } from "./BotTurnStore.ts"
import * as SignalBatch from "./SignalBatch.ts"

/** The part of a signal at one of its bots, as far as it is decided before the transaction. */
export type Step =
  /** Sets a threshold bot. `isOwn`: only if its row is still this wallet's. */
  | { readonly _tag: "set"; readonly setting: Setting; readonly key: string | null; readonly isOwn: boolean }
  /** Keeps a threshold bot's setting until a node answers. */
  | { readonly _tag: "wait"; readonly setting: NewSetting }
  /** Gives an index bot other targets. */
  | { readonly _tag: "index"; readonly setting: IndexSetting; readonly side: string }
  /** Nothing in this transaction: refused, ignored, or for an actor to do. */
  | { readonly _tag: "decided"; readonly result: SignalResult }

/** The result of a step. `set`: the threshold bot. `refusal`: why nothing was changed, if the transaction decided that. */
export interface Accepted {
  readonly result: SignalResult
  readonly set: BotSet | null
  readonly refusal: ValidationFailure | null
}

/** A signal is replayed once, and a replay of it was accepted in the meantime. Nothing was committed. */
export class AlreadyReplayed extends Data.TaggedError("AlreadyReplayed") {}

/** Another wallet has set one of the bots in the meantime. Nothing was committed. */
export class BotMoved extends Data.TaggedError("BotMoved") {}

const noReason = { state: "accepted", reason: null, intent_id: null } as const

const ofVault = (setting: Pick<Setting, "network" | "pool">, kind: "threshold" | "index") => ({
  kind,
  network: setting.network,
  pool: setting.pool,
  subaccount: null
})

const failed = (
  { kind, network, pair, pool, side, subaccount }: Omit<SignalResult, "state" | "reason" | "intent_id">,
  refusal: ValidationFailure
): Accepted => ({
  result: {
    ...{ kind, network, pool, subaccount, pair, side, state: "refused", intent_id: null },
    reason: `${refusal.code}: ${refusal.message}`
  },
  set: null,
  refusal
})

const duplicate = "The same turn is in progress already."

/** Returns the result at a threshold bot. Fails where another wallet has set it. */
const acceptedSet = (setting: Setting, put: Option.Option<Put>): Effect.Effect<Accepted, BotMoved> => {
  if (Option.isNone(put)) return Effect.fail(new BotMoved())
  const { isNew, set } = put.value
  return Effect.succeed({
    result: {
      ...ofVault(setting, "threshold"),
      pair: setting.pair,
      side: setting.side,
      state: isNew ? "accepted" : "ignored",
      reason: isNew ? null : duplicate,
      intent_id: set.intentId
    },
    set,
    refusal: null
  })
}

/** Builds the step's part of the transaction. */
const makeApply = Effect.gen(function*() {
  const turns = yield* BotTurnStore
  const waiting = yield* WaitingSettings
  const indexes = yield* IndexBotStore

  const set = ({ isOwn, key, setting }: Extract<Step, { readonly _tag: "set" }>) =>
    Effect.gen(function*() {
      const caller = { actor: yield* Audit.Actor, manager: yield* ActingManager }
      const [put = Option.none()] = yield* turns.putAll([{ ...caller, setting, key, isOwn }])
      return yield* acceptedSet(setting, put)
    })

  const wait = ({ setting }: Extract<Step, { readonly _tag: "wait" }>, signal: string) =>
    Effect.map(waiting.keep({ ...setting, signal }), (isKept): Accepted => ({
      result: {
        ...ofVault(setting, "threshold"),
        pair: `${setting.terms.base}-${setting.terms.quote}`,
        side: setting.terms.side,
        ...(isKept
          ? { state: "waiting", reason: "No node of the network responds." }
          : { state: "refused", reason: `The wallet has ${maxWaiting} settings that wait for a node, the maximum.` }),
        intent_id: null
      },
      set: null,
      refusal: null
    }))

  const index = ({ setting, side }: Extract<Step, { readonly _tag: "index" }>) =>
    Effect.gen(function*() {
      const before = yield* indexes.find(setting.network, setting.pool)
      const isSame = Option.exists(before, ({ targets }) => JSON.stringify(targets) === JSON.stringify(setting.targets))
      if (!isSame) yield* indexes.put(setting)
      const result = { ...ofVault(setting, "index"), pair: null, side, ...noReason }
      return {
        result: isSame
          ? { ...result, state: "ignored" as const, reason: "The index bot has these targets already." }
          : setting.enabled
          ? result
          : { ...result, reason: "The targets are set; the index bot is not checked automatically." },
        set: null,
        refusal: null
      }
    })

  return (step: Step, signal: string): Effect.Effect<Accepted, SqlError | ValidationFailure | BotMoved> =>
    step._tag === "set"
      ? set(step)
      : step._tag === "wait"
      ? wait(step, signal)
      : step._tag === "index"
      ? index(step)
      : Effect.succeed({ result: step.result, set: null, refusal: null })
})

const describe = (step: Step): Omit<SignalResult, "state" | "reason" | "intent_id"> =>
  step._tag === "decided"
    ? step.result
    : step._tag === "set"
    ? { ...ofVault(step.setting, "threshold"), pair: step.setting.pair, side: step.setting.side }
    : step._tag === "wait"
    ? { ...ofVault(step.setting, "threshold"), pair: null, side: step.setting.terms.side }
    : { ...ofVault(step.setting, "index"), pair: null, side: step.side }

/** Returns the locks under which a step is carried out. */
const locksOf = (step: Step): ReadonlyArray<string> =>
  step._tag === "set"
    ? [lockOf(step.setting)]
    : step._tag === "index"
    ? [`index_bots/${step.setting.network}/${step.setting.pool}`]
    : []

/** A signal that sets one threshold bot, as most do. */
interface SetOne {
  readonly signal: NewSignal
  readonly step: Extract<Step, { readonly _tag: "set" }>
}

/** How long several signals wait for one bot; then it waits alone. */
const longestWait = "1s"

/** Undoes the transaction of several signals. */
type Undone = ValidationFailure | BotMoved

/** Builds the function that sets bots together. `alone`: sets one where that cannot be. */
const setTogether = (
  turns: BotTurnStore["Service"],
  signals: SignalStore["Service"],
  alone: (one: SetOne) => Effect.Effect<ReadonlyArray<Accepted>, SqlError | BotMoved | AlreadyReplayed>
) =>
  SignalBatch.make<SetOne, ReadonlyArray<Accepted>, BotMoved | AlreadyReplayed, Undone>({
    alone,
    together: (all) =>
      turns.locked(
        all.flatMap(({ item: { step } }) => locksOf(step)),
        Effect.gen(function*() {
          const puts = yield* turns.putAll(all.map(({ item: { step }, ...caller }) => ({ ...caller, ...step })))
          const accepted = yield* Effect.forEach(
            all,
            ({ item: { step } }, index) => acceptedSet(step.setting, puts[index] ?? Option.none())
          )
          yield* signals.recordAll(Arr.map(all, ({ item: { signal } }, index) => ({
            signal,
            results: accepted.slice(index, index + 1).map(({ result }) => result)
          })))
          return accepted.map((each) => [each])
        }),
        longestWait
      )
  })

export class SignalAcceptance extends Context.Service<SignalAcceptance, {
  /**
   * Carries out the steps of a signal and records it, all in one transaction. A step that is refused changes nothing and
   * leaves the others.
   */
  readonly accept: (
    signal: NewSignal,
    steps: ReadonlyArray<Step>
  ) => Effect.Effect<ReadonlyArray<Accepted>, SqlError | BotMoved | AlreadyReplayed>
}>()("vault-trader/core/intent/SignalAcceptance") {
  static readonly layer = Layer.effect(
    SignalAcceptance,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const turns = yield* BotTurnStore
      const signals = yield* SignalStore
      const apply = yield* makeApply

      const refused = (step: Step) => (refusal: ValidationFailure) => Effect.succeed(failed(describe(step), refusal))
      const record = (signal: NewSignal, accepted: ReadonlyArray<Accepted>) =>
        signals.record(signal, accepted.map(({ result }) => result))

      /** Runs the transaction of a signal under the locks of its bots, and of the signal that it replays. */
      const locked = <E>(
        { replayOf, wallet }: NewSignal,
        steps: ReadonlyArray<Step>,
        body: Effect.Effect<ReadonlyArray<Accepted>, E>
      ) =>
        turns.locked(
          [...steps.flatMap(locksOf), ...(replayOf === null ? [] : [`signals/${replayOf}`])],
          replayOf === null
            ? body
            : Effect.flatMap(
              signals.replayOf(wallet, replayOf),
              (earlier): Effect.Effect<ReadonlyArray<Accepted>, E | AlreadyReplayed> =>
                Option.isSome(earlier) ? Effect.fail(new AlreadyReplayed()) : body
            )
        )

      /** Carries out the only step. Its refusal undoes the transaction, and is recorded in another. */
      const acceptOne = (signal: NewSignal, step: Step) =>
        Effect.catchTag(
          locked(
            signal,
            [step],
            Effect.tap(Effect.map(apply(step, signal.id), (accepted) => [accepted]), (all) => record(signal, all))
          ),
          "ValidationFailure",
          (refusal) => {
            const all = Effect.map(refused(step)(refusal), (accepted) => [accepted])
            return locked(signal, [], Effect.tap(all, (each) => record(signal, each)))
          }
        )

      /** Carries out several steps. Each is a transaction in the transaction, so that its refusal undoes it alone. */
      const acceptAll = (signal: NewSignal, steps: ReadonlyArray<Step>) =>
        locked(
          signal,
          steps,
          Effect.tap(
            Effect.forEach(steps, (step) =>
              Effect.catchTag(Audit.transaction(sql, apply(step, signal.id)), "ValidationFailure", refused(step))),
            (all) =>
              record(signal, all)
          )
        )

      const setOne = yield* setTogether(turns, signals, ({ signal, step }) => acceptOne(signal, step))

      return {
        accept: (signal, steps) => {
          const [only] = steps
          return only === undefined || steps.length > 1
            ? acceptAll(signal, steps)
            : only._tag === "set" && signal.replayOf === null
            ? setOne({ signal, step: only })
            : acceptOne(signal, only)
        }
      }
    })
  ).pipe(Layer.provide([SignalStore.layer, IndexBotStore.layer]))
}
