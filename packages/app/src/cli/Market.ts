/**
 * `vault-trader market [network] [SYMBOL=USD…]`: moves the devnet's prices, feeds and pools alike, so that bots have
 * something to do. With prices it sets them and exits; without, it moves WETH and WBTC by up to 2.5 % every five
 * seconds until it is stopped.
 */
import { type Network, parse as parseNetwork } from "@vault-trader/core/chain/Network"
import { movePrices, type PriceMove } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Argument from "effect/cli/Argument"
import * as CliError from "effect/cli/CliError"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { runningDevnet } from "./RunningDevnet.ts"

const start: Readonly<Record<string, number>> = { WETH: 3_000, WBTC: 60_000 }
/** Maximum relative change of a price in one step. */
const stride = 0.025

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

interface MarketArguments {
  readonly network: Network
  readonly prices: ReadonlyArray<readonly [symbol: string, usd: number]>
}

const read = (words: ReadonlyArray<string>): Effect.Effect<MarketArguments, CliError.ValidationError> =>
  Effect.gen(function*() {
    const [first = ""] = words
    const networkName = first.includes("=") || first === "" ? undefined : first
    const network = networkName === undefined ? "base" : parseNetwork(networkName)
    if (network === undefined) return yield* new CliError.ValidationError({ message: `'${first}' is not a network.` })
    const prices = yield* Effect.forEach(words.slice(networkName === undefined ? 0 : 1), (word) => {
      const [, symbol = "", text = ""] = /^([A-Za-z0-9]+)=([0-9]+(?:\.[0-9]+)?)$/.exec(word) ?? []
      return Number(text) > 0
        ? Effect.succeed([symbol.toUpperCase(), Number(text)] as const)
        : new CliError.ValidationError({ message: `'${word}' is not a price above 0, as WETH=2500.` })
    })
    return { network, prices }
  })

const movePricesOf = Effect.fnUntraced(function*(words: ReadonlyArray<string>) {
  const { network, prices } = yield* read(words)
  const devnet = yield* runningDevnet
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

export const market = Command.make(
  "market",
  {
    words: Argument.variadic(
      Argument.String("[network] SYMBOL=USD").pipe(
        Argument.withDescription("A network first (base), then prices; without prices they move until it is stopped")
      )
    )
  },
  ({ words }) => Effect.provide(movePricesOf(words), Logger.layer([Logger.consoleJson]))
).pipe(
  Command.withDescription("Sets the devnet's prices, or makes them move."),
  Command.withExamples([
    { command: "vault-trader market", description: "Move WETH and WBTC on base every five seconds" },
    { command: "vault-trader market base WETH=2500 WBTC=55000", description: "Set two prices" }
  ])
)
