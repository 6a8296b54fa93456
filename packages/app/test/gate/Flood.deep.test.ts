/**
 * A flood by strangers, while another customer's reads and trades run at a fixed pace. About a minute here;
 * FLOOD_MINUTES=20 is the run whose ratios docs/performance.md quotes.
 */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Answers from "@vault-trader/testing/harness/Answers"
import { onChainOnly } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Strangers from "@vault-trader/testing/harness/Strangers"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"

const network = "base" as const
const ether = 10n ** 18n

const minutes = Number(process.env["FLOOD_MINUTES"] ?? "0.5")
const floodMillis = minutes * 60_000
const quietMillis = Math.min(120_000, Math.max(20_000, floodMillis / 5))

/** The most that the service's process may keep in memory, MiB. */
const maxMemory = 1_500

/** A server that accepts connections and never answers. */
const tarpit = Effect.gen(function*() {
  const held: Array<Net.Socket> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = Net.createServer((socket) => {
        held.push(socket.on("error", () => undefined))
        socket.resume()
      }).listen(0, "127.0.0.1")
      await once(made, "listening")
      return made
    }),
    (made) =>
      Effect.sync(() => {
        for (const socket of held) socket.destroy()
        made.close()
      })
  )
  return `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`
})

/** Returns the resident memory of the service of a data directory, MiB. */
const memoryOf = (dataDir: string) =>
  Effect.sync(() =>
    Fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).reduce((most, name) => {
      try {
        const environment = Fs.readFileSync(`/proc/${name}/environ`, "utf8")
        const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(Fs.readFileSync(`/proc/${name}/status`, "utf8")) ?? []
        return environment.includes(`DATA_DIR=${dataDir}\0`) ? Math.max(most, Number(kilobytes) / 1024) : most
      } catch {
        // The process has ended, or is another account's.
        return most
      }
    }, 0)
  )

const percentile = (sorted: ReadonlyArray<number>, part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** The times of one kind of request, in milliseconds. */
const summaryOf = (times: ReadonlyArray<number>) => {
  const sorted = [...times].sort((a, b) => a - b)
  return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

const scene = Effect.gen(function*() {
  const devnet = yield* Devnet
  const dataDir = yield* ServiceProcess.dataDirectory
  const NETWORKS_FILE = Path.join(dataDir, "networks.json")
  Fs.writeFileSync(
    NETWORKS_FILE,
    yield* Effect.orDie(
      Schema.encodeEffect(NetworksFile)(onChainOnly(devnet.books) as Arr.NonEmptyReadonlyArray<NetworkBook>)
    )
  )
  const service = yield* ServiceProcess.start({
    DATA_DIR: dataDir,
    NETWORKS_FILE,
    RATE_LIMIT: "on",
    RATE_LIMIT_PER_MINUTE: "600",
    RATE_LIMIT_BURST: "60",
    TRUSTED_PROXIES: "127.0.0.1",
    MAX_WALLETS_PER_HOUR: "100",
    WEBHOOKS_TO_LOOPBACK: "on",
    LOG_LEVEL: "error"
  }, (text) => void process.stderr.write(text))
  const { pool } = yield* Effect.orDie(
    devnet.createVault({ network, name: "Flood", performanceFee: 2_000n, invested: 50_000_000_000n })
  )
  // A fee is due, which strangers without gas try to mint.
  yield* Effect.orDie(devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 5_000_000_000n }))
  // The customer swaps more often in a day than the platform's limit of losses allows a vault.
  yield* OnChain.setMaximumLoss(network, 10n ** 12n)
  const headers = { "x-forwarded-for": "203.0.113.7" }
  const ask: typeof service.ask = (path, request) =>
    service.ask(path, { ...request, headers: { ...headers, ...request?.headers } })
  const wallet = Effect.map(ask("/createGasWallet"), (answer) => {
    const fields = Answers.succeeded(answer)
    return { apiKey: String(fields["apiKey"]), address: String(fields["address"]) as Address }
  })
  const customer = yield* wallet
  yield* Effect.orDie(devnet.faucet({ network, address: customer.address, amountWei: 100n * ether }))
  yield* Effect.orDie(devnet.setTrader({ network, pool, trader: customer.address }))
  const strangers = yield* Effect.replicateEffect(wallet, 5)
  const slow = yield* tarpit
  for (const [index, { apiKey }] of strangers.entries()) {
    Answers.succeeded(yield* ask("/setWebhook", { json: { apiKey, url: `${slow}/${index}` } }))
  }
  return { dataDir, service, pool, ask, customer, strangerKeys: strangers.map(({ apiKey }) => apiKey) }
})

type Scene = Effect.Success<typeof scene>

/** Sends the customer's requests at their pace for a while, all of which must succeed; returns their times. */
const customerFor = ({ ask, customer: { apiKey }, pool }: Scene, millis: number) =>
  Effect.gen(function*() {
    const times = { reads: [] as Array<number>, trades: [] as Array<number> }
    const timed = <E, R>(kind: keyof typeof times, one: Effect.Effect<void, E, R>) =>
      Effect.flatMap(Effect.timed(one), ([took]) =>
        Effect.sync(() => {
          times[kind].push(Duration.toMillis(took))
        }))
    const untilMillis = (yield* Clock.currentTimeMillis) + millis
    const paths = ["/getBotStatus", "/getIntents", "/getGasWalletPools", "/poolComposition"]
    const read = (index: number) =>
      timed(
        "reads",
        Effect.map(
          ask(paths[index % paths.length] ?? "", { query: { apiKey, network, pool } }),
          (answer) => void Answers.succeeded(answer)
        )
      )
    const trade = timed(
      "trades",
      Effect.gen(function*() {
        const json = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1" }
        const answer = yield* ask("/vaultTrade", { json })
        const end = answer.fields["status"] === "pending"
          ? yield* Answers.ended(ask, apiKey, answer.fields["intent_id"])
          : answer.fields
        assert.strictEqual(end["status"], "success", answer.text)
      })
    )
    yield* Effect.all([Strangers.paced(300, untilMillis, read), Strangers.paced(2_500, untilMillis, () => trade)], {
      concurrency: "unbounded"
    })
    return { reads: summaryOf(times.reads), trades: summaryOf(times.trades) }
  })

/** All kinds of floods at once, for as long. */
const flood = ({ pool, service: { baseUrl }, strangerKeys }: Scene, counts: Strangers.FloodCounts, millis: number) =>
  Effect.gen(function*() {
    const target = { baseUrl, counts, untilMillis: (yield* Clock.currentTimeMillis) + millis }
    yield* Effect.all([
      Strangers.creations(target, 100),
      Strangers.sockets(target, 250),
      Strangers.slowReaders(target, 400),
      Strangers.failingMints(target, { everyMillis: 400, keys: strangerKeys, vault: { network, pool } })
    ], { concurrency: "unbounded" })
  })

const shown = (name: string, quiet: ReturnType<typeof summaryOf>, flooded: ReturnType<typeof summaryOf>) =>
  `${name}: quiet p50 ${quiet.p50.toFixed(0)} ms, p99 ${quiet.p99.toFixed(0)} ms (${quiet.count}); ` +
  `under flood p50 ${flooded.p50.toFixed(0)} ms, p99 ${flooded.p99.toFixed(0)} ms (${flooded.count}); ` +
  `p99 ratio ${(flooded.p99 / quiet.p99).toFixed(2)}`

layer(Devnet.layer({ networks: [network] }), { timeout: "4 minutes", excludeTestServices: true })(
  "a flood by strangers",
  (it) => {
    it.effect(
      "fails no read and no trade of another customer, and the service's memory stays bounded",
      () =>
        Effect.scoped(Effect.gen(function*() {
          const at = yield* scene
          const quiet = yield* customerFor(at, quietMillis)
          const before = yield* memoryOf(at.dataDir)
          const counts = Strangers.counts()
          const [flooded] = yield* Effect.all(
            [customerFor(at, floodMillis), flood(at, counts, floodMillis)],
            { concurrency: "unbounded" }
          )
          const after = yield* memoryOf(at.dataDir)
          console.log(
            [
              `${minutes} minutes of flood, load ${Fs.readFileSync("/proc/loadavg", "utf8").split(" ")[0]}`,
              shown("reads", quiet.reads, flooded.reads),
              shown("trades", quiet.trades, flooded.trades),
              `memory ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`,
              ...Object.entries(counts.all()).map(([name, count]) => `${name}: ${count}`)
            ].join("\n")
          )
          const all = counts.all()
          for (
            const kind of ["creation 503", "silent socket", "slow reader", "socket with an oversized frame closed"]
          ) {
            assert.isAbove(all[kind] ?? 0, 0, kind)
          }
          assert.isUndefined(all["socket with an oversized frame open"])
          assert.isAtMost(all["creation success"] ?? 0, 100 + Math.ceil(minutes * 100 / 60))
          assert.isAbove(Object.keys(all).filter((name) => name.startsWith("mint")).length, 0)
          assert.isAbove(before, 0)
          assert.isBelow(after, maxMemory)
        })),
      { timeout: 300_000 + 2 * (floodMillis + quietMillis) }
    )
  }
)
