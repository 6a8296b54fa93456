/** How troubled a life is; its seed decides. Half of the kinds are absent from a life, so that each is met alone, too. */
import type { Odds } from "@vault-trader/devnet/test-chain/FaultyNode"
import type { Chance } from "@vault-trader/app/SeededRandom"

export interface Weather {
  /** Of a call to a node. */
  readonly rpc: number
  /** Of a statement; a write is met six times as often as a read. */
  readonly database: number
  /** Of a block at which the database goes away for a while. */
  readonly outages: number
  readonly deaths: number
  readonly freezes: number
  readonly endings: number
  /** Of a block. */
  readonly reorgs: number
  readonly foreign: number
  readonly drops: number
  readonly pauses: number
  /** Of a block at which a node loses its index, or the state of old blocks, for a while. */
  readonly forgets: number
  readonly spikes: number
  /** Of a request whose wallet's owner hears nothing of it. */
  readonly lostPokes: number
  /** Whether what waits goes in an order of chance. */
  readonly shuffles: boolean
}

export const of = (chance: Chance): Weather => ({
  rpc: chance.one([0, 0.02, 0.1, 0.25]),
  database: chance.one([0, 0, 0.005, 0.02]),
  outages: chance.one([0, 0, 0.02, 0.04]),
  deaths: chance.one([0, 0.002, 0.005, 0.015]),
  freezes: chance.one([0, 0, 0.003, 0.01]),
  endings: chance.one([0, 0, 0.002, 0.006]),
  reorgs: chance.one([0, 0, 0.1, 0.25]),
  foreign: chance.one([0, 0, 0.03, 0.1]),
  drops: chance.one([0, 0, 0.05, 0.2]),
  pauses: chance.one([0, 0, 0.03, 0.06]),
  spikes: chance.one([0, 0, 0.03, 0.06]),
  lostPokes: chance.one([0, 0.1, 0.5]),
  shuffles: chance.happens(0.7),
  forgets: chance.one([0, 0, 0.03, 0.08])
})

/** Chances of what happens to any call. */
export const odds = ({ rpc }: Weather): Odds => ({
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

/** To signed bytes more happens. */
export const oddsOfSends = (weather: Weather): Odds =>
  ({ ...odds(weather), alreadyKnown: weather.rpc / 4, swallow: weather.rpc, nonceTooLow: weather.rpc / 2, underpriced: weather.rpc / 2 })
