/** Typed calls to the service over one WebSocket, which reconnects automatically. */
import { type ErrorType, executionCodes, type ValidationCode } from "@vault-trader/core/failure/FailureCodes"
import { type Ending, RpcSocket } from "./RpcSocket.ts"
import { patchHeader } from "@vault-trader/core/console/StreamPatches"
import type * as Patches from "./Patches.ts"
import { checkSession, forgetSession, onSessionChange, openSocket } from "./Session.ts"
import * as Unanswered from "./Unanswered.ts"
import { type Client, client, type Request, type StreamRequest } from "./Wire.ts"
import { t } from "../text/Text.ts"

export type { Client } from "./Wire.ts"

const newSocket = () => new RpcSocket(() => openSocket(`${location.origin.replace(/^http/, "ws")}/console/rpc`))

let socket = newSocket()

// A socket belongs to the session in which it was opened; another manager needs a new one.
onSessionChange(() => {
  const old = socket
  socket = newSocket()
  old.close()
})

/** Timeout of a call. */
const callMillis = 40_000

/** A failure's code on the wire: "1006", "2004". */
type FailureCode = ValidationCode | typeof executionCodes[ErrorType]

/** A failure with a sentence for the user, from the service if available. */
export class Problem extends Error {
  /** Undefined unless the service refused or failed the call. */
  readonly code: FailureCode | undefined
  /** The accepted request that failed, whose outcome has more; undefined where none was accepted. */
  readonly intentId: string | undefined

  constructor(message: string, code?: FailureCode, intentId?: string) {
    super(message)
    this.code = code
    this.intentId = intentId
  }
}

/** Returns true if the service's answer was lost: what was sent may have been done. */
export const isLost = (error: Error): boolean => error instanceof Problem && error.code === undefined

/** Returns true if the service failed the call with this code. */
export const hasCode = (error: Error, code: FailureCode): boolean => error instanceof Problem && error.code === code

/** The service cannot be reached at the moment. The page keeps showing old data until it reconnects. */
export class Disconnected extends Problem {}

const problemOf = (ending: Ending): Problem => {
  if (ending._tag === "broken") {
    // The connection is refused when the session has ended.
    checkSession()
    return new Disconnected(t("Connection lost. Reconnecting…"))
  }
  if (ending._tag === "defect") return new Problem(t("The service failed; its log has the reason."))
  const { _tag, code, errorType, intentId, message } = ending.failure
  if (_tag === "SignedOut") forgetSession()
  return new Problem(
    message ?? t("The service failed; its log has the reason."),
    errorType === undefined ? code as FailureCode | undefined : executionCodes[errorType as ErrorType],
    intentId
  )
}

/** Sends a request and settles with its response, or with the first item of a stream that `takes` returns true for. */
const settle = <A>(
  { payload, tag }: Request<A>,
  takes: (item: A) => boolean,
  signal?: AbortSignal
): Promise<A> =>
  new Promise((resolve, reject) => {
    const stop = (problem: Problem) => {
      interrupt()
      clearTimeout(timer)
      reject(problem)
    }
    const cancel = () => stop(new Problem(t("Request cancelled.")))
    const timer = setTimeout(
      () => stop(new Problem(t("The service did not respond in time. Check the activity before you try again."))),
      callMillis
    )
    const finish = (value: unknown) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", cancel)
      resolve(value as A)
    }
    const interrupt = socket.send(tag, payload, {
      onItem: (item) => {
        if (!takes(item as A)) return
        interrupt()
        finish(item)
      },
      onEnd: finish,
      onFailure: (ending) => {
        clearTimeout(timer)
        reject(problemOf(ending))
      }
    })
    if (signal?.aborted === true) cancel()
    else signal?.addEventListener("abort", cancel, { once: true })
  })

/** The failures which, without an accepted request, leave open whether there is one. */
const open: ReadonlyArray<FailureCode> = [
  executionCodes.rpc_unavailable,
  executionCodes.busy,
  executionCodes.internal
]

/** Returns true if the service has said how the request ended: the same one again is another request. */
export const isAnswered = (error: Error): boolean =>
  error instanceof Problem && error.code !== executionCodes.outcome_unknown &&
  (error.intentId !== undefined || (error.code !== undefined && !open.includes(error.code)))

const unanswered = Unanswered.make(() => sessionStorage, Date.now)
onSessionChange(unanswered.clear)

/**
 * Finds the newest request of a kind whose answer was lost, also before the page was loaded again. Sent again with exactly
 * these parameters, it is done once.
 */
export const unansweredOf = (
  tag: keyof Client["wallet"],
  about: Readonly<Record<string, string>>
): Unanswered.Params | undefined => unanswered.find(`wallet.${tag}`, about)

/**
 * Makes one call. Rejects with a `Problem`; aborting interrupts the call. A request with an idempotency key keeps it until
 * the service says how it ended.
 */
export const call = <A>(use: (client: Client) => Request<A>, signal?: AbortSignal): Promise<A> => {
  const request = unanswered.sending(use(client))
  return settle(request, () => false, signal).then(
    (answer) => {
      unanswered.answered(request)
      return answer
    },
    (problem: Error) => {
      if (isAnswered(problem)) unanswered.answered(request)
      throw problem
    }
  )
}

/**
 * An item of a stream. Without `data` it confirms the last one; with `read_at` its data was current at that time, in
 * milliseconds since 1970, and is not known to be current now.
 */
interface Item<A> {
  readonly data?: A | undefined
  readonly read_at?: number | undefined
}

/** An item as it is sent: `patch` makes its data of the last one sent. */
interface WireItem<A> extends Item<A> {
  readonly patch?: ReadonlyArray<unknown> | undefined
}

/** Applies patches; "absent" when it could not be loaded. It is loaded with the first one, which no page waits for. */
let patches: typeof Patches | "absent" | undefined

const loadPatches = async (): Promise<void> => {
  patches = await import("./Patches.ts").catch(() => "absent" as const)
}

/** Asks the service for patches, unless they cannot be applied. */
const patchHeaders = () => patches === "absent" ? [] : [[patchHeader, "1"]] as const

/** A stream of the service: a call's current result, and each new one when it changes. */
export type Watch<A> = (client: Client) => StreamRequest<WireItem<A>>

/** Subscribes to a stream and reopens it whenever it breaks. Returns a function that unsubscribes. */
export const follow = <A>(
  watch: Watch<A>,
  { onFailure, onItem }: {
    readonly onItem: (item: Item<A>) => void
    readonly onFailure: (problem: Problem) => void
  }
): () => void => {
  const { payload, tag } = watch(client)
  let timer: ReturnType<typeof setTimeout> | undefined
  let interrupt = () => {}
  let isOver = false
  const subscribe = () => {
    if (isOver) return
    const again = (millis: number) => {
      timer = setTimeout(subscribe, millis)
    }
    const dataOf = typeof patches === "object" ? patches.applied() : undefined
    interrupt = socket.send(
      tag,
      payload,
      {
        onItem: (item) => {
          const sent = item as WireItem<A>
          const data = dataOf?.(sent) ?? (sent.patch === undefined ? { data: sent.data } : undefined)
          if (data !== undefined) return onItem({ ...data, read_at: sent.read_at } as Item<A>)
          // A new stream begins with the whole answer.
          interrupt()
          void loadPatches().then(subscribe)
        },
        onEnd: () => again(1_000),
        onFailure: (ending) => {
          const problem = problemOf(ending)
          onFailure(problem)
          again(problem instanceof Disconnected ? 1_000 : 5_000)
        }
      },
      patchHeaders()
    )
  }
  subscribe()
  return () => {
    isOver = true
    clearTimeout(timer)
    interrupt()
  }
}

/** Returns a stream's first item that is current. Rejects with a `Problem`. */
export const first = <A>(watch: Watch<A>, signal: AbortSignal): Promise<A> =>
  settle(watch(client) as Request<Item<A>>, ({ read_at }) => read_at === undefined, signal).then(
    ({ data }) => data as A
  )
