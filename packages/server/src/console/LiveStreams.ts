/** The streams of the console: a call's own handler, asked again when something has changed, and every few seconds for what the chains change. */
import { LiveCalls, Reads } from "@vault-trader/core/console/ConsoleApi"
import { callOf } from "@vault-trader/core/console/LiveStreams"
import { SignedIn, type SignedOut } from "@vault-trader/core/console/Session"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import { consoleStreams } from "@vault-trader/core/telemetry/Metrics"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import { whoseSession } from "./SessionAdmission.ts"

/** How often a stream looks although nothing of ours has changed; what it says then is that its answer is still true. */
const every = "10 seconds"
/** Streams that one session may have open, in all its tabs. */
const mostOpen = 200

type Options = Parameters<Rpc.Handler<string>["handler"]>[1]
type Handler = (payload: unknown, options: Options) => Effect.Effect<unknown, Failure, SignedIn>
type Failed = Failure | SignedOut

const tooMany = new ExecutionFailure({ errorType: "busy", message: `This session follows ${mostOpen} things already; close a tab.` })

/** What `look` answers, whenever that is another answer than before; an empty word where a look found the same. */
const follow = (look: Effect.Effect<unknown, Failed>, textOf: (answer: unknown) => Effect.Effect<string>, changed: Queue.Dequeue<void>) =>
  Stream.unfold<string | undefined, { readonly data?: unknown }, Failed, never>(undefined, (before) =>
    Effect.gen(function*() {
      if (before !== undefined) yield* Effect.timeoutOption(Queue.take(changed), every)
      const data = yield* look
      const text = yield* textOf(data)
      return [text === before ? {} : { data }, text] as const
    }))

/** Counts a session's streams while they are open. */
const counted = (open: Map<string, number>, session: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const many = open.get(session) ?? 0
      if (many >= mostOpen) return tooMany
      open.set(session, many + 1)
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

/** Handlers of all streams. Each look passes the session again, and the admission of the call it repeats. */
export const LiveCallsLive = LiveCalls.toLayer(Effect.gen(function*() {
  const context = yield* Effect.context<Rpc.ToHandler<RpcGroup.Rpcs<typeof Reads>>>()
  const changes = yield* ChangeNotifier
  const who = whoseSession(yield* SessionStore)
  const open = new Map<string, number>()
  // Told from the start: a page nobody has opened is no missing metric.
  yield* Metric.update(consoleStreams, 0)

  const stream = (name: string) => {
    const rpc = Reads.requests.get(callOf(name)) as unknown as Rpc.AnyWithProps
    const found = context.mapUnsafe.get(rpc.key) as { readonly handler: Handler; readonly context: Context.Context<never> }
    const encode = Schema.encodeUnknownEffect(rpc.successSchema as Schema.Codec<unknown>)
    const textOf = (answer: unknown) => Effect.orDie(Effect.map(encode(answer), (encoded) => JSON.stringify(encoded)))
    return (payload: unknown, options: Options) =>
      Stream.unwrap(Effect.gen(function*() {
        const { digest, manager } = yield* who(options.headers)
        yield* counted(open, digest)
        const changed = yield* changes.of(manager)
        const look = Effect.provide(found.handler(payload, options), found.context)
        return follow(Effect.provideServiceEffect(look, SignedIn, who(options.headers)), textOf, changed)
      }))
  }
  return Object.fromEntries(Array.from(LiveCalls.requests.keys(), (name) => [name, stream(name)])) as never
}))
