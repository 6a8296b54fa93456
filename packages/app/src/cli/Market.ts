/**
 * `npm run market [-- [network] [SYMBOL=USD…]]`: moves the devnet's prices, feeds and pools alike, so that bots have
 * something to do. With prices it sets them and exits; without, it moves WETH and WBTC by up to 2.5 % every five
 * seconds until it is stopped.
 */
import { type Network, parse as parseNetwork } from "@vault-trader/core/chain/Network"
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import { movePrices, type PriceMove } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Path from "node:path"
import { run } from "../Command.ts"
import { CannotStart } from "../StartupFailure.ts"

const devnetFile = Path.join(process.env["DATA_DIR"] ?? ".data", "devnet.json")
const usage = "Usage: npm run market [-- [network] [SYMBOL=USD…]], as in: npm run market -- base WETH=2500 WBTC=55000"
const start: Readonly<Record<string, number>> = { WETH: 3_000, WBTC: 60_000 }
/** Maximum relative change of a price in one step. */
const stride = 0.025

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

interface MarketArguments {
  readonly network: Network
  readonly prices: ReadonlyArray<readonly [symbol: string, usd: number]>
}

const read = (words: ReadonlyArray<string>): Effect.Effect<MarketArguments, CannotStart> =>
  Effect.gen(function*() {
    const [first = ""] = words
    const networkName = first.includes("=") || first === "" ? undefined : first
    const network = networkName === undefined ? "base" : parseNetwork(networkName)
    if (network === undefined) return yield* new CannotStart({ message: `'${first}' is not a network. ${usage}` })
    const prices = yield* Effect.forEach(words.slice(networkName === undefined ? 0 : 1), (word) => {
      const [, symbol = "", text = ""] = /^([A-Za-z0-9]+)=([0-9]+(?:\.[0-9]+)?)$/.exec(word) ?? []
      return Number(text) > 0
        ? Effect.succeed([symbol.toUpperCase(), Number(text)] as const)
        : new CannotStart({ message: `'${word}' is not a price above 0. ${usage}` })
    })
    return { network, prices }
  })

const market = Effect.gen(function*() {
  const { network, prices } = yield* read(process.argv.slice(2))
  const devnet = yield* Effect.mapError(
    DevnetClient.fromFile(devnetFile),
    () =>
      new CannotStart({
        message: `There is no devnet at ${devnetFile}; run npm start first (this never touches a real network).`
      })
  )
  const move = (moves: ReadonlyArray<PriceMove>) =>
    Effect.andThen(
      movePrices(devnet, moves),
      say(moves.map(({ symbol, usd }) => `${symbol} $ ${usd.toFixed(2)}`).join("  "))
    )
  const moveOf = ([symbol, usd]: readonly [string, number]): PriceMove => ({ network, symbol, usd })
  if (prices.length > 0) return yield* move(prices.map(moveOf))
  let now = Object.entries(start).map(moveOf)
  const wander = Effect.suspend(() => {
    now = now.map((each) => ({ ...each, usd: each.usd * (1 + (Math.random() * 2 - 1) * stride) }))
    return move(now)
  })
  return yield* Effect.forever(Effect.andThen(wander, Effect.sleep("5 seconds")))
})

run(market.pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${failure.message}\n`))),
  Effect.provide(Logger.layer([Logger.consoleJson]))
))
