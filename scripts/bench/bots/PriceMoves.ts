/**
 * A bot's reaction time: from a price change on the chain to the bot's signed transaction at the node, in the whole
 * running service.
 */
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { defaultBotSeconds } from "@vault-trader/workers/threshold-bot/BotScheduler"
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { type Finding, shown } from "../Row.ts"
import { ask, ServiceUnderTest, network, type Trader } from "../engine/ServiceUnderTest.ts"
import * as Vaults from "../engine/Vaults.ts"

/** Prices in dollars; the second puts more than each vault's threshold on the wrong side. */
const [calm, risen] = [3_000, 3_045]
const threshold = 0.5
/** Share of a vault that is on the wrong side before the price rises. */
const wrong = 0.00495
const vaults = 10

/** Waits until a condition holds. */
const until = <E, R>(what: () => string, isSo: Effect.Effect<boolean, E, R>) =>
  isSo.pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (so) => so }),
    Effect.timeoutOrElse({ duration: "90 seconds", orElse: () => Effect.die(new Error(what())) }),
    Effect.orDie
  )

/** Sets a bot, and repeats while a service that has just started answers that the request should be repeated. */
const bot = (baseUrl: string, { apiKey, pool }: Trader, side: "neutral" | "hold") => {
  const set = ask(baseUrl, "/setBot", {
    apiKey,
    network,
    pool,
    pair: "WETH-USDC",
    side,
    threshold: String(threshold),
    slippage: "5"
  })
  let last: unknown
  return until(
    () => `the bot of ${pool} was not set: ${JSON.stringify(last)}`,
    Effect.map(set, (answer) => (last = answer)["status"] === "success")
  )
}

/** Returns a vault's balance of a token, in smallest units. */
const balance = (symbol: "WETH" | "USDC", pool: string) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const token = devnet.file.networks[network]?.tokens[symbol]
    if (token === undefined) return yield* Effect.die(new Error(`no ${symbol} on ${network}`))
    const rpc = yield* devnet.rpc(network)
    return yield* rpc.request("eth_call", [
      { to: token.address, data: `0x70a08231${pool.slice(2).padStart(64, "0")}` },
      "latest"
    ], Quantity)
  }).pipe(Effect.orDie)

/**
 * Puts each vault just within its threshold, then moves the price. Returns the milliseconds until each bot's
 * transaction arrives.
 */
const rise = (traders: ReadonlyArray<Trader>, seconds: number) =>
  Effect.gen(function*() {
    const { front } = yield* ServiceUnderTest
    const devnet = yield* Devnet
    yield* until(
      () => "a vault keeps WETH that its bot should have sold",
      Effect.map(
        Effect.forEach(traders, ({ pool }) => balance("WETH", pool)),
        (held) => held.every((amount) => amount < 10n ** 12n)
      )
    )
    yield* devnet.setPrice({ network, symbol: "WETH", usd: calm })
    yield* Effect.forEach(traders, ({ pool }) =>
      Effect.flatMap(balance("USDC", pool), (usdc) => {
        const ether = Number(usdc) / 1e6 * wrong / (1 - wrong) / calm
        return devnet.mintToken({
          network,
          symbol: "WETH",
          address: pool,
          amount: BigInt(Math.round(ether * 1e9)) * 10n ** 9n
        })
      }), { discard: true })
    // At a random time between two checks: the last trade happened at one of them.
    yield* Effect.sleep(`${Math.round(Math.random() * seconds * 1_000)} millis`)
    front.forget()
    const began = Date.now()
    yield* devnet.setPrice({ network, symbol: "WETH", usd: risen })
    const sent = () => front.seen().flatMap(({ arrived, raw }) => raw.map(() => arrived - began))
    yield* until(
      () => `${sent().length} of ${traders.length} bots have acted`,
      Effect.sync(() => sent().length >= traders.length)
    )
    if (sent().length > traders.length) {
      return yield* Effect.die(new Error("more transactions arrived than there are bots"))
    }
    return sent()
  }).pipe(Effect.orDie)

const paced = (seconds: number, rounds: number) =>
  Effect.scoped(Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const { baseUrl } = yield* start("start", { BOT_CHECK_SECONDS: String(seconds) })
    const traders = yield* Vaults.traders(baseUrl, { vaults, wallets: 4 })
    yield* Effect.forEach(traders, (trader) => bot(baseUrl, trader, "neutral"), { concurrency: 4, discard: true })
    const times: Array<number> = []
    for (let turn = 0; turn < rounds; turn++) {
      const found = yield* rise(traders, seconds)
      times.push(...found)
      yield* say(`  every ${seconds} s, rise ${turn + 1}: ${found.map((millis) => shown(millis)).join(", ")} ms`)
    }
    // The next service uses the same database.
    yield* Effect.forEach(traders, (trader) => bot(baseUrl, trader, "hold"), { discard: true })
    return times
  }))

/** Returns the value that this many percent of the values do not exceed. */
export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part / 100) - 1)] ?? Number.NaN

const finding = (name: string, seconds: number, times: ReadonlyArray<number>): Finding => ({
  name,
  unit: "ms",
  rounds: times,
  note:
    `median of ${times.length} trades of ${vaults} vaults whose price moved at once, a check every ${seconds} s; p99 ${
      shown(percentile(times, 99))
    } ms, ` +
    `least ${shown(Math.min(...times))} ms`
})

const measure = ({ rounds = 4 }: Options) =>
  Effect.gen(function*() {
    const standard = yield* paced(defaultBotSeconds, rounds)
    const often = yield* paced(1, rounds)
    return [
      finding("bots-price-to-broadcast", defaultBotSeconds, standard),
      finding("bots-price-to-broadcast/1s", 1, often)
    ]
  })

export const priceMoves: Bench = {
  rows: ["bots-price-to-broadcast", "bots-price-to-broadcast/1s"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
