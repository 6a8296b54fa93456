/** How soon a bot acts: from a price that moves on the chain to its signed transaction at the node, in the whole running service. */
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { standardBotSeconds } from "@vault-trader/workers/threshold-bot/Watch"
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { type Finding, median, shown } from "../Row.ts"
import { ask, House, network, type Trader } from "../engine/House.ts"
import * as Vaults from "../engine/Vaults.ts"

/** Dollars; the second puts more than the threshold of each vault on the wrong side. */
const [calm, fallen] = [3_000, 2_955]
const threshold = 5
/** Part of a vault that is on the wrong side before the price falls. */
const wrong = 0.0495
const vaults = 10

/** Waits until it is so. */
const until = <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>) =>
  isSo.pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (so) => so }),
    Effect.timeoutFail({ duration: "90 seconds", onTimeout: () => new Error(`${what}: it did not come`) }),
    Effect.orDie
  )

const bot = (baseUrl: string, { apiKey, pool }: Trader, side: "long" | "hold") =>
  ask(baseUrl, "/setBot", { apiKey, network, pool, pair: "WETH-USDC", side, threshold: String(threshold), slippage: "5" })

/** What a vault has of a token, smallest units. */
const balance = (symbol: "WETH" | "USDC", pool: string) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const token = devnet.file.networks[network]?.tokens[symbol]
    if (token === undefined) return yield* Effect.dieMessage(`no ${symbol} on ${network}`)
    const rpc = yield* devnet.rpc(network)
    return yield* rpc.request("eth_call", [{ to: token.address, data: `0x70a08231${pool.slice(2).padStart(64, "0")}` }, "latest"], Quantity)
  }).pipe(Effect.orDie)

/** Each vault just within its threshold, then a price that moves: milliseconds until each bot's transaction is there. */
const fall = (traders: ReadonlyArray<Trader>) =>
  Effect.gen(function*() {
    const { front } = yield* House
    const devnet = yield* Devnet
    yield* until("all in WETH", Effect.map(Effect.forEach(traders, ({ pool }) => balance("USDC", pool)), (held) => held.every((amount) => amount < 1_000_000n)))
    yield* devnet.setPrice({ network, symbol: "WETH", usd: calm })
    yield* Effect.forEach(traders, ({ pool }) =>
      Effect.flatMap(balance("WETH", pool), (weth) => {
        const dollars = Number(weth) / 1e18 * calm * wrong / (1 - wrong)
        return devnet.mintToken({ network, symbol: "USDC", address: pool, amount: BigInt(Math.round(dollars * 1e6)) })
      }), { discard: true })
    // Somewhere between two looks: their rhythm is not that of the bench.
    yield* Effect.sleep(`${Math.round(Math.random() * 5_000)} millis`)
    front.forget()
    const began = Date.now()
    yield* devnet.setPrice({ network, symbol: "WETH", usd: fallen })
    const sent = () => front.seen().flatMap(({ arrived, raw }) => raw.map(() => arrived - began))
    yield* until("a transaction of each bot", Effect.sync(() => sent().length >= traders.length))
    if (sent().length > traders.length) return yield* Effect.dieMessage("more transactions came than there are bots")
    return sent()
  }).pipe(Effect.orDie)

const paced = (seconds: number, rounds: number) =>
  Effect.scoped(Effect.gen(function*() {
    const { start } = yield* House
    const { baseUrl } = yield* start("start", { BOT_CHECK_SECONDS: String(seconds) })
    const traders = yield* Vaults.traders(baseUrl, { vaults, wallets: 4 })
    yield* Effect.forEach(traders, (trader) => bot(baseUrl, trader, "long"), { concurrency: 4, discard: true })
    const times: Array<number> = []
    for (let turn = 0; turn < rounds; turn++) {
      const found = yield* fall(traders)
      times.push(...found)
      yield* say(`  every ${seconds} s, fall ${turn + 1}: ${found.map((millis) => shown(millis)).join(", ")} ms`)
    }
    // The next service's database is the same.
    yield* Effect.forEach(traders, (trader) => bot(baseUrl, trader, "hold"), { discard: true })
    return times
  }))

/** As many of a hundred are below it. */
export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part / 100) - 1)] ?? Number.NaN

const finding = (name: string, seconds: number, times: ReadonlyArray<number>): Finding => ({
  name,
  unit: "ms",
  rounds: [median(times)],
  note: `median of ${times.length} trades of ${vaults} vaults whose price moved at once, a look every ${seconds} s; p99 ${shown(percentile(times, 99))} ms, ` +
    `least ${shown(Math.min(...times))} ms`
})

const measure = ({ rounds = 4 }: Options) =>
  Effect.gen(function*() {
    const standard = yield* paced(standardBotSeconds, rounds)
    const often = yield* paced(1, rounds)
    return [finding("bots-price-to-broadcast", standardBotSeconds, standard), finding("bots-price-to-broadcast/1s", 1, often)]
  })

export const priceMoves: Bench = {
  rows: ["bots-price-to-broadcast", "bots-price-to-broadcast/1s"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(House.layer))
}
