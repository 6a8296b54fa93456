/** A burst of trades through a very faulty node; afterwards the chain is read directly. */
import { assert, layer } from "@effect/vitest"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import * as ChainProof from "@vault-trader/testing/harness/ChainProof"
import { Faults, furthestBehind, kinds } from "@vault-trader/testing/harness/Faults"
import { ask, onChainOnly, Running } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Trades from "@vault-trader/testing/harness/Trades"

const network = "base" as const
const seed = Number(process.env["FAULT_SEED"] ?? "1")

/** `npm start` as a process, whose only node is the faulty one. */
const service = Layer.unwrap(Effect.gen(function*() {
  const { books } = yield* Devnet
  const { inFront } = yield* Faults
  const dataDir = yield* ServiceProcess.dataDirectory
  const NETWORKS_FILE = Path.join(dataDir, "networks.json")
  const seen = inFront(onChainOnly(books)) as Arr.NonEmptyReadonlyArray<NetworkBook>
  Fs.writeFileSync(NETWORKS_FILE, yield* Schema.encodeEffect(NetworksFile)(seen))
  const { baseUrl } = yield* ServiceProcess.start({ DATA_DIR: dataDir, NETWORKS_FILE, RPC_TIMEOUT_MS: "1000" })
  return Layer.merge(
    Layer.succeed(Running, { baseUrl, dataDir, ask: ask(baseUrl) }),
    ServiceProcess.database(dataDir)
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
      const vaults = yield* Trades.traded(network, { vaults: 12, wallets: 4 })
      const { mine, setMining } = yield* Effect.orDie((yield* Devnet).rpc(network))
      // A lagging node may not show a vault's newest trader yet: that answer is not a fault.
      yield* Effect.orDie(Effect.repeat(mine, { times: furthestBehind }))
      yield* Effect.orDie(setMining({ everySeconds: 1 }))
      const { holdsWith } = yield* ChainProof.begin(vaults)
      const began = performance.now()
      yield* faults.set(true)
      const done = yield* Effect.forEach(Trades.burst(vaults, 60), Trades.settled, { concurrency: "unbounded" })
      yield* faults.set(false)
      const { faults: counted, requests } = yield* faults.count
      console.log(
        `60 trades settled in ${
          ((performance.now() - began) / 1000).toFixed(1)
        } s, seed ${seed}, ${requests} requests:`,
        counted
      )
      for (const kind of kinds) assert.isAbove(counted[kind], 0, kind)
      yield* holdsWith(done)
    }), 600_000)
})
