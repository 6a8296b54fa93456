/**
 * Fault rates of a run, drawn from its seed. About half of the kinds are off in each run, so that faults also occur
 * alone.
 */
import type { Odds } from "../test-chain/FaultyNode.ts"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"

export interface FaultProfile {
  /** Per call to a node. */
  readonly rpc: number
  /** Per statement; a write is six times as likely to fail as a read. */
  readonly database: number
  /** Per block: starts a database outage. */
  readonly outages: number
  readonly crashes: number
  readonly freezes: number
  readonly actorShutdowns: number
  /** Per block. */
  readonly reorgs: number
  readonly foreign: number
  readonly drops: number
  readonly pauses: number
  /** Per block: a node loses its index, or the state of old blocks, for a while. */
  readonly forgets: number
  readonly spikes: number
  /** Per request: the notification to the vault's actor is lost. */
  readonly lostNotifications: number
  /** Pending I/O is processed in random order instead of first come, first served. */
  readonly shuffles: boolean
}

/** `rare`: every run has crashes and foreign transactions. */
export const draw = (chance: SeededRandom, rare: boolean): FaultProfile => ({
  rpc: chance.one([0, 0.02, 0.1, 0.25]),
  database: chance.one([0, 0, 0.005, 0.02]),
  outages: chance.one([0, 0, 0.02, 0.04]),
  crashes: chance.one(rare ? [0.005, 0.005, 0.01, 0.015] : [0, 0.002, 0.005, 0.015]),
  freezes: chance.one([0, 0, 0.003, 0.01]),
  actorShutdowns: chance.one([0, 0, 0.002, 0.006]),
  reorgs: chance.one([0, 0, 0.1, 0.25]),
  foreign: chance.one(rare ? [0.03, 0.03, 0.1, 0.1] : [0, 0, 0.03, 0.1]),
  drops: chance.one([0, 0, 0.05, 0.2]),
  pauses: chance.one([0, 0, 0.03, 0.06]),
  spikes: chance.one([0, 0, 0.03, 0.06]),
  lostNotifications: chance.one([0, 0.1, 0.5]),
  shuffles: chance.happens(0.7),
  forgets: chance.one([0, 0, 0.03, 0.08])
})

/** Odds of faults of any call. */
export const odds = ({ rpc }: FaultProfile): Odds => ({
  http: rpc,
  timeoutBefore: rpc / 4,
  timeoutAfter: rpc / 4,
  resetBefore: rpc / 2,
  resetAfter: rpc / 2,
  delay: rpc / 2,
  duplicate: rpc / 4,
  stale: rpc / 2,
  alreadyKnown: rpc / 8,
  recode: rpc / 4,
  noReceipt: rpc / 2,
  malformed: rpc / 8
})

/** Odds of faults of `eth_sendRawTransaction`, which fails more often and in more ways. */
export const oddsOfSends = (profile: FaultProfile): Odds => ({
  ...odds(profile),
  alreadyKnown: profile.rpc / 4,
  swallow: profile.rpc,
  nonceTooLow: profile.rpc / 2,
  underpriced: profile.rpc / 2
})
