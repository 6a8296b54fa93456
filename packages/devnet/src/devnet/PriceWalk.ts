/**
 * Moves the feeds of a devnet a little and often, as prices move on live networks: a random walk that returns to its
 * start, so that a vault left alone for days is still near its first value. The arbitrageur moves the pools.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import { read } from "../contract/Deployer.ts"
import { feedAnswer, inverses, tokens } from "../contract/Market.ts"
import type { DevnetClient } from "./DevnetClient.ts"
import { entries } from "./DevnetFile.ts"
import { withInverses } from "./MarketMaker.ts"

const abi = parseAbi(["function latestAnswer() view returns (int256)"])

/** Maximum relative change of a price in one step. */
export const stride = 0.0015

/** The part of its distance from the start that a price returns in one step. */
const pull = 0.01

/** A price's centre, and where the walk has left it; both in the feed's units. */
interface Walk {
  readonly centre: bigint
  readonly last: bigint
}

export interface PriceWalk {
  /** Makes one step of every token on every network. A network whose step fails is moved again by the next one. */
  readonly step: Effect.Effect<void>
}

/** Returns the symbols that walk: not those of a dollar, and not those that move against another. */
const walking = (network: Network): ReadonlyArray<string> => {
  const against = new Set(Object.values(inverses))
  return tokens(network).flatMap(({ price, symbol }) => price === feedAnswer(1) || against.has(symbol) ? [] : [symbol])
}

/** Makes a walk. A price that a person has set since the last step is its new centre. */
export const make = (devnet: DevnetClient): PriceWalk => {
  const walks = new Map<string, Walk>()
  /** Returns a price after one step, in the feed's units. One factor for all networks keeps them together. */
  const next = (name: string, now: bigint, factor: number): bigint => {
    const known = walks.get(name)
    const centre = known?.last === now ? known.centre : now
    const price = Number(now)
    const last = BigInt(Math.round(price * factor + (Number(centre) - price) * pull))
    walks.set(name, { centre, last })
    return last
  }
  const step = Effect.gen(function*() {
    const factors = new Map<string, number>()
    for (const [network] of entries(devnet.file)) {
      for (const symbol of walking(network)) {
        if (!factors.has(symbol)) factors.set(symbol, 1 + (yield* Random.nextBetween(-stride, stride)))
      }
    }
    yield* Effect.forEach(entries(devnet.file), ([network, { feeds }]) =>
      Effect.gen(function*() {
        const rpc = yield* devnet.rpc(network)
        for (const symbol of walking(network)) {
          const feed = feeds[symbol]
          if (feed === undefined) continue
          const now = yield* read(rpc, { address: feed, abi }, Schema.BigInt, "latestAnswer")
          const usd = Number(next(`${network}/${symbol}`, now, factors.get(symbol) ?? 1)) / 1e8
          yield* Effect.forEach(withInverses({ network, symbol, usd }), devnet.setPrice, { discard: true })
        }
      }).pipe(
        Effect.catch((failure) => Effect.logDebug("A step of the devnet's prices failed", failure)),
        Effect.annotateLogs({ network })
      ), { concurrency: "unbounded", discard: true })
  })
  return { step }
}

/** Makes steps forever. */
export const run = (devnet: DevnetClient, interval: Duration.Input): Effect.Effect<never> =>
  Effect.suspend(() => Effect.forever(Effect.delay(make(devnet).step, interval)))
