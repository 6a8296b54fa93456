/**
 * Compares endpoints' answers to the same question. An endpoint that contradicts the others is named in the log, counted
 * and ranked last for some minutes.
 */
import { max } from "@vault-trader/core/chain/Quantity"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** An endpoint's answer: the endpoint's place in the operator's list, and a text that is equal for equal answers. */
export interface Statement {
  readonly endpoint: number
  readonly says: string
}

export interface Contradictions {
  /** Returns whether an endpoint has contradicted the others in the minutes before `now`, clock milliseconds. */
  readonly isPenalized: (endpoint: number, now: number) => boolean
  /** Returns whether endpoints have contradicted each other in the minutes before `now`, clock milliseconds. */
  readonly isDisputed: (now: number) => boolean
  /**
   * Penalizes the endpoints that are wrong by these answers to one question. `isKnown` decides between equally many
   * endpoints: it returns whether an answer fits the chain that is followed.
   */
  readonly compare: (
    about: string,
    statements: ReadonlyArray<Statement>,
    isKnown: (says: string) => boolean
  ) => Effect.Effect<void>
  /** Names endpoints whose heads, read at the same time, are far behind the newest one. */
  readonly compareHeads: (heads: ReadonlyArray<EndpointHead>) => Effect.Effect<void>
}

/** The number of an endpoint's newest block. */
export interface EndpointHead {
  readonly endpoint: number
  readonly head: bigint
}

/** Maximum number of blocks behind the best endpoint; beyond that an endpoint's answers are outdated. */
export const maxLagBlocks = 3n

/** How long an endpoint that contradicted the others is ranked last, and the network's reads count as disputed. */
export const penaltyMillis = 300_000
/** Minimum time between two log lines about the same endpoint. */
const logMillis = 60_000

/**
 * Returns the endpoints that are wrong: those outside the largest group of equal answers. Of several groups of that size
 * the known one is right; none is wrong where that decides nothing.
 */
export const wrongEndpoints = (
  statements: ReadonlyArray<Statement>,
  isKnown: (says: string) => boolean
): ReadonlyArray<number> => {
  const groups = new Map<string, number>()
  for (const { says } of statements) groups.set(says, (groups.get(says) ?? 0) + 1)
  const largest = Math.max(...groups.values())
  const candidates = [...groups].flatMap(([says, size]) => size === largest ? [says] : [])
  const right = candidates.length === 1 ? candidates : candidates.filter(isKnown)
  return right.length === 1 ? statements.flatMap(({ endpoint, says }) => says === right[0] ? [] : [endpoint]) : []
}

/** Builds the comparison for a network's endpoints; `names` are their hosts, in the operator's order. */
export const make = (network: string, names: ReadonlyArray<string>): Contradictions => {
  const penalizedUntil = new Map<number, number>()
  const loggedAt = new Map<string, number>()
  let disputedUntil = 0

  /** Logs a line, at most one a minute for each subject. */
  const log = (subject: string, text: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - (loggedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < logMillis) return Effect.void
      loggedAt.set(subject, now)
      return Effect.logWarning(text)
    })

  const penalize = (endpoint: number, about: string) =>
    Effect.gen(function*() {
      const name = names[endpoint] ?? "an endpoint"
      penalizedUntil.set(endpoint, (yield* Clock.currentTimeMillis) + penaltyMillis)
      yield* Metrics.count(Metrics.rpcContradictions, { network, endpoint: name })
      yield* log(
        name,
        `The RPC endpoint ${name} of ${network} contradicts the others about ${about}; it is used last for some minutes.`
      )
    })

  return {
    compareHeads: (heads) => {
      const newest = heads.reduce((best, { head }) => max(best, head), 0n)
      return Effect.forEach(
        heads.filter(({ head }) => newest - head > maxLagBlocks),
        ({ endpoint, head }) =>
          log(
            `${names[endpoint]} lags`,
            `The RPC endpoint ${names[endpoint]} of ${network} is ${
              newest - head
            } blocks behind; it is used last until ` +
              "it has caught up."
          ),
        { discard: true }
      )
    },
    isDisputed: (now) => disputedUntil > now,
    isPenalized: (endpoint, now) => (penalizedUntil.get(endpoint) ?? 0) > now,
    compare: (about, statements, isKnown) => {
      if (new Set(statements.map(({ says }) => says)).size < 2) return Effect.void
      const wrong = wrongEndpoints(statements, isKnown)
      const all = statements.map(({ endpoint }) => names[endpoint]).join(", ")
      const disputed = Effect.map(Clock.currentTimeMillis, (now) => {
        disputedUntil = now + penaltyMillis
      })
      return Effect.andThen(
        disputed,
        wrong.length === 0
          ? log("", `The RPC endpoints ${all} of ${network} contradict each other about ${about}.`)
          : Effect.forEach(wrong, (endpoint) => penalize(endpoint, about), { discard: true })
      )
    }
  }
}
