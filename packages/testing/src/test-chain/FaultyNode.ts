/** A faulty network in front of a node: configured rules first, then seeded random faults. Every fault is logged. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { keccak256 } from "viem"
import * as SeededRandom from "./SeededRandom.ts"
import { type Draw, Fault, type Kind, ofKind, suits } from "./NodeFault.ts"
import { toNumber } from "./Quantity.ts"
import { type Broadcast, refused, type Request, type RpcFailure, unavailable } from "./Rpc.ts"
import type { TestChain } from "./TestChain.ts"
import { textToHex } from "./AbiWords.ts"

/** A fault for the calls it matches. */
export interface Rule {
  /** Every method when absent. */
  readonly method?: string | RegExp
  /** Every call of the method when absent. */
  readonly when?: (params: ReadonlyArray<unknown>) => boolean
  readonly fault: Fault
  /** Number of calls it applies to; unlimited when absent. */
  readonly times?: number
}

/** Probability of each kind at a call, from 0 to 1. At most one applies. */
export type Odds = Partial<Readonly<Record<Kind, number>>>

export interface AppliedFault {
  /** Clock milliseconds. */
  readonly at: number
  /** Number of the call, counted from 1. */
  readonly call: number
  readonly method: string
  readonly fault: Fault
}

export interface Faults {
  readonly request: Request
  readonly broadcast: Broadcast
  /** Adds a rule; the first rule that matches a call decides. */
  readonly rule: (rule: Rule) => Effect.Effect<void>
  /** Sets the probabilities for a method, or for all methods without their own. Replaces the earlier ones. */
  readonly odds: (method: string, odds: Odds) => Effect.Effect<void>
  /** Removes all rules and probabilities. */
  readonly stopFaults: Effect.Effect<void>
  readonly log: Effect.Effect<ReadonlyArray<AppliedFault>>
}

/** The method name that stands for all methods. */
export const anyMethod = "*"

interface ActiveRule {
  readonly rule: Rule
  left: number
}

const matches = ({ method, when }: Rule, called: string, params: ReadonlyArray<unknown>) =>
  (method === undefined || (typeof method === "string" ? method === called : method.test(called))) &&
  (when?.(params) ?? true)

/** Returns one random stream per method, so that an additional read changes nothing for sends. */
const streams = (seed: number) => {
  const byMethod = new Map<string, SeededRandom.SeededRandom>()
  return (method: string): SeededRandom.SeededRandom => {
    const known = byMethod.get(method)
    if (known !== undefined) return known
    const own = Number.parseInt(keccak256(textToHex(method)).slice(2, 10), 16)
    const made = SeededRandom.make(seed, own)
    byMethod.set(method, made)
    return made
  }
}

const hashOf = (params: ReadonlyArray<unknown>) => {
  const [raw] = params
  return typeof raw === "string" && raw.length % 2 === 0 && /^0x[0-9a-fA-F]+$/.test(raw)
    ? keccak256(`0x${raw.slice(2).toLowerCase()}`)
    : null
}

const numberIn = (receipt: unknown) =>
  typeof receipt === "object" && receipt !== null && "blockNumber" in receipt
    ? toNumber(receipt.blockNumber)
    : undefined

const applyFault = (
  chain: Pick<TestChain, "network" | "request" | "behind" | "head">,
  method: string,
  params: ReadonlyArray<unknown>
) => {
  const lost = (reason: string) => Effect.fail<RpcFailure>(unavailable(chain.network, reason))
  const forward = chain.request(method, params)
  // Signed bytes that were sent arrive, however long the client waits for the response.
  const delayed = (millis: number) =>
    method === "eth_sendRawTransaction"
      ? Effect.flatMap(Effect.forkDetach(Effect.delay(forward, millis)), Fiber.join)
      : Effect.delay(forward, millis)
  const forwardIf = (forwarded: boolean) => forwarded ? Effect.ignore(forward) : Effect.void
  return Fault.$match({
    Http: ({ status }) => lost(`HTTP ${status}`),
    Timeout: ({ forwarded, millis }) =>
      forwardIf(forwarded).pipe(Effect.andThen(Effect.sleep(millis)), Effect.andThen(lost("timeout"))),
    Reset: ({ forwarded }) => Effect.andThen(forwardIf(forwarded), lost("connection reset")),
    Delay: ({ millis }) => delayed(millis),
    Duplicate: () => Effect.andThen(Effect.ignore(forward), forward),
    Stale: ({ blocks }) => chain.behind(blocks)(method, params),
    Refuse: ({ code, forwarded, reason }) =>
      Effect.andThen(forwardIf(forwarded), Effect.fail<RpcFailure>(refused(code, reason))),
    Recode: ({ code }) =>
      Effect.mapError(forward, (failure) => failure._tag === "RpcRefused" ? { ...failure, code } : failure),
    Swallow: () => Effect.succeed<unknown>(hashOf(params)),
    NoReceipt: ({ blocks }) =>
      Effect.zipWith(forward, chain.head, (receipt, head) => {
        const number = numberIn(receipt)
        return number !== undefined && head.number - number < BigInt(blocks) ? null : receipt
      }),
    Malformed: ({ result }) => Effect.succeed(result)
  })
}

/**
 * Puts faults in front of a chain. `seed` determines every random fault: the same calls in the same order meet the same
 * faults.
 */
export const make = (
  chain: Pick<TestChain, "network" | "request" | "behind" | "head">,
  { seed }: { readonly seed: number }
): Effect.Effect<Faults> =>
  Effect.sync(() => {
    const streamOf = streams(seed)
    const log: Array<AppliedFault> = []
    const chances = new Map<string, Odds>()
    let armed: ReadonlyArray<ActiveRule> = []
    let calls = 0

    const byRule = (method: string, params: ReadonlyArray<unknown>): Fault | undefined => {
      const found = armed.find(({ left, rule }) => left > 0 && matches(rule, method, params))
      if (found !== undefined) found.left--
      return found?.rule.fault
    }

    const byOdds = (method: string): Fault | undefined => {
      const odds = chances.get(method) ?? chances.get(anyMethod)
      if (odds === undefined) return undefined
      const stream = streamOf(method)
      const draw: Draw = (limit) => stream.integer(limit)
      let at = stream.number()
      for (const [name, chance] of Object.entries(odds)) {
        const kind = name as Kind // Object.entries forgets that the keys of Odds are kinds.
        if (!suits(kind, method)) continue
        at -= chance
        if (at < 0) return ofKind(kind, draw)
      }
      return undefined
    }

    const request: Request = (method, params) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const call = ++calls
        const fault = byRule(method, params) ?? byOdds(method)
        if (fault === undefined) return chain.request(method, params)
        log.push({ at, call, method, fault })
        return applyFault(chain, method, params)(fault)
      })

    return {
      request,
      broadcast: (raw) => Effect.asVoid(request("eth_sendRawTransaction", [raw])),
      rule: (rule) =>
        Effect.sync(() => {
          armed = [...armed, { rule, left: rule.times ?? Infinity }]
        }),
      odds: (method, odds) =>
        Effect.sync(() => {
          chances.set(method, odds)
        }),
      stopFaults: Effect.sync(() => {
        armed = []
        chances.clear()
      }),
      log: Effect.sync(() => [...log])
    }
  })
