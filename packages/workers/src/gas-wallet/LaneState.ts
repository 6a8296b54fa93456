/** The state of one lane's transaction tracker, and its transitions. They are pure: each returns the next state. */
import type { Attempt } from "@vault-trader/core/gas-wallet/Submission"
import type { Block } from "../chain/BlockFollower.ts"
import type { InFlight } from "./InFlight.ts"

export interface LaneState {
  /** Signed transactions without a known outcome, by submission key. */
  readonly flights: ReadonlyMap<string, InFlight>
  /** Maximum cost of the transactions mined since this tracker was created, native smallest units; only grows. */
  readonly spent: bigint
  /** Number of flights that the network's gauge includes. */
  readonly reported: number
  /** The head that the last wait for a block returned; `undefined` when it returned none, so that it is read again. */
  readonly nextHead: Block | undefined
}

export const empty: LaneState = { flights: new Map(), spent: 0n, reported: 0, nextHead: undefined }

/** `sentAt` of bytes that are still queued for broadcast. */
const notSent = Number.POSITIVE_INFINITY

/** Tracks flights, or replaces what is known of them. */
export const put = (state: LaneState, flights: ReadonlyArray<InFlight>): LaneState =>
  flights.length === 0 ? state : {
    ...state,
    flights: new Map([...state.flights, ...flights.map((flight) => [flight.key, flight] as const)])
  }

/** Tracks flights whose bytes are queued for broadcast. */
export const queueForBroadcast = (state: LaneState, flights: ReadonlyArray<InFlight>): LaneState =>
  put(state, flights.map((flight) => ({ ...flight, sentAt: notSent })))

/** Records the broadcast of flights; ignores those that have landed or been superseded meanwhile. */
export const recordBroadcast = (state: LaneState, keys: ReadonlyArray<string>, sentAt: number): LaneState =>
  put(
    state,
    keys.flatMap((key) => {
      const flight = state.flights.get(key)
      return flight === undefined ? [] : [{ ...flight, sentAt }]
    })
  )

/** Records that a flight waits for fees to fall; the flight is the current one, which may have been sent meanwhile. */
export const waitForGas = (state: LaneState, key: string): LaneState => {
  const flight = state.flights.get(key)
  return flight === undefined ? state : put(state, [{ ...flight, waitingForGas: true }])
}

/**
 * Records that a node holds another transaction under the nonce of an attempt. Of an attempt that a newer one replaced,
 * that is its own replacement.
 */
export const contest = (
  state: LaneState,
  { hash, submissionKey }: Pick<Attempt, "hash" | "submissionKey">
): LaneState => {
  const flight = state.flights.get(submissionKey)
  return flight?.attempts.at(-1)?.hash === hash ? put(state, [{ ...flight, isContested: true }]) : state
}

/** Returns true while a node may hold another transaction under the nonce of a flight. */
export const isContested = ({ flights }: LaneState): boolean =>
  Array.from(flights.values()).some((flight) => flight.isContested)

/** Ends the tracking of flights. */
export const remove = (state: LaneState, keys: ReadonlyArray<string>): LaneState => {
  const flights = new Map(state.flights)
  for (const key of keys) flights.delete(key)
  return { ...state, flights }
}

/** Moves flights that are mined from reserved to spent. */
export const land = (state: LaneState, flights: ReadonlyArray<InFlight>): LaneState => ({
  ...remove(state, flights.map(({ key }) => key)),
  spent: state.spent + costOf(flights)
})

/** Maximum that the flights can still cost, native smallest units. */
export const reserved = ({ flights }: LaneState): bigint => costOf(Array.from(flights.values()))

const costOf = (flights: ReadonlyArray<InFlight>) => flights.reduce((sum, { committed }) => sum + committed, 0n)

export const inNonceOrder = ({ flights }: LaneState): ReadonlyArray<InFlight> =>
  Array.from(flights.values()).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))

/** Selects, of these flights, those still tracked whose bytes were last broadcast at least `millis` ago. */
export const unsentSince = (
  { flights }: LaneState,
  keys: ReadonlyArray<string>,
  now: number,
  millis: number
): ReadonlyArray<InFlight> =>
  keys.flatMap((key) => flights.get(key) ?? []).filter(({ sentAt }) => now - sentAt >= millis)
