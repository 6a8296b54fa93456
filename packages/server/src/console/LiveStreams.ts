/**
 * The console's streams: each calls its handler again when data has changed, and every few seconds for changes on
 * chain. While a network cannot be read, a new stream begins with the last answer that was read. What changes in a long
 * answer is sent as a patch.
 */
import { LiveCalls, Reads } from "@vault-trader/core/console/ConsoleApi"
import { callOf } from "@vault-trader/core/console/LiveStreams"
import { SignedIn, type SignedOut } from "@vault-trader/core/console/Session"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { patchHeader } from "@vault-trader/core/console/StreamPatches"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { consoleStreams } from "@vault-trader/core/telemetry/Metrics"
import type * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as JsonPatch from "effect/JsonPatch"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import * as LastAnswers from "./LastAnswers.ts"
import { whoseSession } from "./SessionAdmission.ts"

/** How often a stream reads without a change in our data. It then reports that its last value is still current. */
const refreshInterval = "10 seconds"
/** Maximum number of streams that one session may have open in all its tabs. */
const maxOpen = 200

type Options = Parameters<Rpc.Handler<string>["handler"]>[1]
type Handler = (payload: unknown, options: Options) => Effect.Effect<unknown, Failure, SignedIn>
type Failed = Failure | SignedOut

const tooMany = explain({ _tag: "TooManyStreams", limit: maxOpen }, "nothingAccepted")

interface Item {
  readonly data?: unknown
  readonly patch?: JsonPatch.JsonPatch
  readonly read_at?: number
}

interface Followed {
  readonly load: Effect.Effect<unknown, Failed>
  /** Returns an answer's JSON. */
  readonly textOf: (answer: unknown) => Effect.Effect<string>
  readonly changed: Queue.Dequeue<void>
  readonly last: LastAnswers.LastAnswer
  /** The page applies patches. */
  readonly takesPatches: boolean
}

/** Shorter answers are sent again as a whole. */
const minPatched = 4_096

/** Returns the patch of a JSON text to the next one, if it is much shorter than that. */
const patchOf = (before: string, after: string): JsonPatch.JsonPatch | undefined => {
  if (after.length < minPatched) return undefined
  const patch = JsonPatch.get(JSON.parse(before) as Schema.Json, JSON.parse(after) as Schema.Json)
  return JSON.stringify(patch).length * 2 < after.length ? patch : undefined
}

/**
 * Emits the result of `load` when it differs from the previous one, and an empty item when it does not. Where the first
 * one cannot be read, its last answer comes before it.
 */
export const follow = ({ changed, last, load, takesPatches, textOf }: Followed): Stream.Stream<Item, Failed> =>
  Stream.unwrap(Effect.gen(function*() {
    const read = Effect.gen(function*() {
      const data = yield* load
      const text = yield* textOf(data)
      last.note({ data, size: text.length, now: yield* Clock.currentTimeMillis })
      return { data, text }
    })
    const first = yield* Effect.exit(read)
    const known = last.whileUnread(Exit.map(first, ({ data }) => data), yield* Clock.currentTimeMillis)
    const present = Stream.unfold<string | undefined, Item, Failed, never>(
      undefined,
      (previous) =>
        Effect.gen(function*() {
          if (previous === undefined) {
            const { data, text } = yield* first
            return [{ data }, text]
          }
          yield* Effect.timeoutOption(Queue.take(changed), refreshInterval)
          const { data, text } = yield* read
          if (text === previous) return [{}, text]
          const patch = takesPatches ? patchOf(previous, text) : undefined
          return [patch === undefined ? { data } : { patch }, text]
        })
    )
    return known === undefined ? present : Stream.concat(Stream.succeed(known), present)
  }))

/** Counts a session's streams while they are open. */
const countOpen = (open: Map<string, number>, session: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const count = open.get(session) ?? 0
      if (count >= maxOpen) return tooMany
      open.set(session, count + 1)
      return Metric.modify(consoleStreams, 1)
    }),
    () =>
      Effect.suspend(() => {
        const left = (open.get(session) ?? 1) - 1
        if (left === 0) open.delete(session)
        else open.set(session, left)
        return Metric.modify(consoleStreams, -1)
      })
  )

/** Handlers of all streams. Each read checks the session again, and the admission of the call it repeats. */
export const LiveCallsLive = LiveCalls.toLayer(Effect.gen(function*() {
  const context = yield* Effect.context<Rpc.ToHandler<RpcGroup.Rpcs<typeof Reads>>>()
  const changes = yield* ChangeNotifier
  const sessionOf = whoseSession(yield* SessionStore)
  const open = new Map<string, number>()
  const lastAnswers = LastAnswers.make()
  // Reported from the start, so that the metric exists before the first page is opened.
  yield* Metric.update(consoleStreams, 0)

  const stream = (name: string) => {
    const rpc = Reads.requests.get(callOf(name)) as unknown as Rpc.AnyWithProps
    const found = context.mapUnsafe.get(rpc.key) as {
      readonly handler: Handler
      readonly context: Context.Context<never>
    }
    // As the protocol encodes it: a patch is applied to what was sent.
    const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(rpc.successSchema as Schema.Codec<unknown>))
    const textOf = (answer: unknown) => Effect.orDie(Effect.map(encode(answer), (encoded) => JSON.stringify(encoded)))
    return (payload: unknown, options: Options) =>
      Stream.unwrap(Effect.gen(function*() {
        const { digest, manager, network } = yield* sessionOf(options.headers)
        yield* countOpen(open, digest)
        const changed = yield* changes.of(manager)
        const load = Effect.provide(found.handler(payload, options), found.context)
        const admitted = Effect.provideServiceEffect(load, SignedIn, sessionOf(options.headers))
        return follow({
          ...{ changed, load: admitted, textOf },
          last: lastAnswers.of({ manager, network, name: callOf(name), payload }),
          takesPatches: options.headers[patchHeader] !== undefined
        })
      }))
  }
  return Object.fromEntries(Array.from(LiveCalls.requests.keys(), (name) => [name, stream(name)])) as never
}))
