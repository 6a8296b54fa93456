/** A burst of trades through a node that is as bad as nodes get; afterwards the chain is read behind its back. */
import { assert, layer } from "@effect/vitest"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../Networks.ts"
import * as ChainProof from "./ChainProof.ts"
import { Faults, kinds } from "./Faults.ts"
import { ask, demoVault, Running, trader } from "./Harness.ts"
import * as OnChain from "./OnChain.ts"
import * as ServiceProcess from "./ServiceProcess.ts"
import * as Trades from "./Trades.ts"

const network = "base" as const
const seed = Number(process.env["FAULT_SEED"] ?? "1")

/** `npm start` as a process, whose only node is the bad one. */
const service = Layer.unwrapScoped(Effect.gen(function*() {
  const { books } = yield* Devnet
  const { inFront } = yield* Faults
  const dataDir = yield* ServiceProcess.dataDirectory
  const NETWORKS_FILE = Path.join(dataDir, "networks.json")
  Fs.writeFileSync(NETWORKS_FILE, yield* Schema.encode(NetworksFile)(inFront(books) as Arr.NonEmptyReadonlyArray<NetworkBook>))
  const { baseUrl } = yield* ServiceProcess.start({ DATA_DIR: dataDir, NETWORKS_FILE, RPC_TIMEOUT_MS: "1000" })
  return Layer.merge(
    Layer.succeed(Running, { baseUrl, dataDir, ask: ask(baseUrl) }),
    PgClient.layer({ host: `${dataDir}/postgres/socket`, port: 5432, username: "postgres", database: "vault_trader", ssl: false, maxConnections: 2 })
  )
})).pipe(
  Layer.provideMerge(Faults.layer(seed)),
  Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false })),
  Layer.orDie
)

layer(service, { timeout: 120_000, excludeTestServices: true })("a node with faults", (it) => {
  it.effect("delays trades, and neither loses nor doubles one", () =>
    Effect.gen(function*() {
      const faults = yield* Faults
      const pools = [yield* demoVault(network), ...(yield* Effect.replicateEffect(OnChain.createVault(network, 10_000n), 11))]
      const wallets = yield* Effect.forEach(pools.slice(0, 4), (pool) => trader({ pool }))
      const vaults = yield* Effect.forEach(pools, (pool, index) =>
        Effect.gen(function*() {
          const by = wallets[index % wallets.length]!
          yield* Effect.orDie((yield* Devnet).setTrader({ network, pool, trader: by.address }))
          return { by, network, pool }
        }))
      yield* Effect.orDie((yield* (yield* Devnet).rpc(network)).setMining({ everySeconds: 1 }))
      const proof = yield* ChainProof.begin(vaults)
      const trades = Array.from({ length: 60 }, (_, index) => Trades.wanted(vaults[index % vaults.length]!))
      const began = performance.now()
      yield* faults.set(true)
      const done = yield* Effect.forEach(trades, Trades.settled, { concurrency: "unbounded" })
      yield* faults.set(false)
      const { faults: counted, requests } = yield* faults.count
      console.log(`60 trades settled in ${((performance.now() - began) / 1000).toFixed(1)} s, seed ${seed}, ${requests} requests:`, counted)
      for (const kind of kinds) assert.isAbove(counted[kind], 0, kind)
      yield* proof.holds(done)
    }), 600_000)
})
