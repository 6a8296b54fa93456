/** A faulty node, seeded: it rate-limits, fails, truncates, hangs, lags behind, and misreports sent transactions. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as NodeFront from "./NodeFront.ts"
import { sends } from "./RpcHold.ts"

/** Faults of a request that sends transactions, after the node took them. */
const afterSends = ["timeout after forwarding", "reset after forwarding", "already known", "nonce too low"] as const
/** Faults of any request. */
const anywhere = ["HTTP 500", "truncated JSON", "connection reset", "timeout", "stale head"] as const
const limited = "HTTP 429"
export const kinds = [limited, ...anywhere, ...afterSends] as const
type Kind = typeof kinds[number]

export class Faults extends Context.Service<Faults, {
  /** Returns the same networks with this node in front of theirs. */
  readonly inFront: (books: ReadonlyArray<NetworkBook>) => ReadonlyArray<NetworkBook>
  /** Switches faults on or off. */
  readonly set: (on: boolean) => Effect.Effect<void>
  /** Number of requests while faults were on, and how often each fault was injected. */
  readonly count: Effect.Effect<{ readonly requests: number; readonly faults: Readonly<Record<Kind, number>> }>
}>()("vault-trader/testing/harness/Faults") {
  /** Answers half of all requests with 429; of the others one in five fails, of those that send one in two. */
  static readonly layer = (seed: number): Layer.Layer<Faults> =>
    Layer.effect(
      Faults,
      Effect.gen(function*() {
        const chance = SeededRandom.make(seed)
        const counts = new Map<Kind, number>()
        let on = false
        let requests = 0

        const choose = (request: NodeFront.NodeRequest): Kind | undefined => {
          if (chance.happens(0.5)) return limited
          if (sends(request) && chance.happens(0.5)) return chance.one(afterSends)
          return chance.happens(0.2) ? chance.one(anywhere) : undefined
        }

        const { inFront } = yield* NodeFront.listen(async (request) => {
          if (!on) return request.forward()
          requests += 1
          const kind = choose(request)
          if (kind === undefined) return request.forward()
          counts.set(kind, (counts.get(kind) ?? 0) + 1)
          return become[kind](request)
        })
        return {
          inFront: (books) => inFront("service", books),
          set: (yes) =>
            Effect.sync(() => {
              on = yes
            }),
          count: Effect.sync(() => {
            const of = (kind: Kind) => counts.get(kind) ?? 0
            return {
              requests,
              faults: Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as Record<Kind, number>
            }
          })
        }
      })
    )
}

const reset = async () => undefined

/** Sends nothing until the caller has given up. */
const silence = async ({ gone }: NodeFront.NodeRequest) => {
  while (!gone()) await new Promise((resume) => setTimeout(resume, 20))
  return undefined
}

const refusals = (reason: string) => async ({ calls, forward }: NodeFront.NodeRequest): Promise<NodeFront.Reply> => {
  const reply = await forward()
  const answers: unknown = JSON.parse(reply.text)
  const list = (Array.isArray(answers) ? answers : [answers]) as ReadonlyArray<{ readonly id: number }>
  const sent = new Set(calls.filter((call) => sends({ calls: [call] })).map(({ id }) => id))
  const refusal = { code: -32000, message: reason }
  const changed = list.map((answer) => sent.has(answer.id) ? { jsonrpc: "2.0", id: answer.id, error: refusal } : answer)
  return { status: 200, text: JSON.stringify(Array.isArray(answers) ? changed : changed[0]) }
}

/** How many blocks a stale answer is behind at most. */
export const furthestBehind = 3

/** Answers from up to `furthestBehind` blocks ago. */
const behind = async ({ calls, forward }: NodeFront.NodeRequest): Promise<NodeFront.Reply> => {
  const { text } = await forward([{ jsonrpc: "2.0", id: 0, method: "eth_blockNumber", params: [] }])
  const { result: head } = JSON.parse(text) as { readonly result: string }
  const old = BigInt(head) - 1n - BigInt(calls.length % furthestBehind)
  const then = (param: unknown) => param === "latest" || param === "pending" ? `0x${old.toString(16)}` : param
  return forward(calls.map((call) => ({ ...call, params: call.params.map(then) })))
}

const become: Record<Kind, (request: NodeFront.NodeRequest) => Promise<NodeFront.Reply | undefined>> = {
  "HTTP 429": async () => ({ status: 429, text: "{\"error\":\"Too Many Requests\"}" }),
  "HTTP 500": async () => ({ status: 500, text: "<html>Internal Server Error</html>" }),
  "truncated JSON": async ({ forward }) => {
    const { status, text } = await forward()
    return { status, text: text.slice(0, Math.floor(text.length / 2)) }
  },
  "connection reset": reset,
  timeout: silence,
  "stale head": behind,
  "timeout after forwarding": async (request) => {
    await request.forward()
    return silence(request)
  },
  "reset after forwarding": async ({ forward }) => {
    await forward()
    return undefined
  },
  "already known": refusals("already known"),
  "nonce too low": refusals("nonce too low")
}
