/** The signing record of a running service, on its real files. */
import { assert, layer } from "@effect/vitest"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { transactionCount } from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import * as RecordFile from "@vault-trader/workers/gas-wallet/RecordFile"
import * as RecordFolder from "@vault-trader/workers/gas-wallet/RecordFolder"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Path from "node:path"

const network = "base"
let isFull = false

/** A disk that is full on request. */
const disk: RecordFile.Disk = {
  write: async (file, bytes, position) => {
    if (isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
    await RecordFile.disk.write(file, bytes, position)
  },
  sync: RecordFile.disk.sync
}

/** The hashes that the record of the service holds for a wallet. */
const recordedOf = (wallet: string) =>
  Effect.gen(function*() {
    const { dataDir } = yield* Running
    const { index } = yield* RecordFolder.read(Path.join(dataDir, "signing-record"))
    return [...index.all].filter((known) => known.wallet === wallet).map(({ hash }): string => hash)
  })

layer(running({ disk }), { timeout: 240_000, excludeTestServices: true })("a service with its signing record", (it) => {
  it.effect("has recorded every transaction that it sent", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader({ network })
      const trade = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "5" }
      const first = succeeded(yield* ask("/vaultTrade", { query: trade }))
      assert.include(yield* recordedOf(address), String(first["tx_hash"]))
      const second = succeeded(yield* ask("/vaultTrade", { query: trade }))
      assert.include(yield* recordedOf(address), String(second["tx_hash"]))
    }))

  it.effect("sends nothing while the record's disk is full, says so in its readiness, and continues by itself", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader({ network })
      const before = yield* transactionCount(network, address)
      const trade = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "5" }
      isFull = true
      const waiting = yield* Effect.forkChild(ask("/vaultTrade", { query: trade }))
      const unready = yield* until(
        "the service to be not ready",
        Effect.map(ask("/health/ready"), ({ body, status }) => status === 503 ? body : undefined)
      )
      assert.deepInclude(unready, { status: "not ready", reason: "signing record" })
      assert.strictEqual(yield* transactionCount(network, address), before)
      assert.deepStrictEqual(yield* recordedOf(address), [])

      isFull = false
      const traded = succeeded(yield* Fiber.join(waiting))
      assert.include(yield* recordedOf(address), String(traded["tx_hash"]))
      const health = yield* until(
        "the service to be ready",
        Effect.map(ask("/health/ready"), ({ body, status }) => status === 200 ? body : undefined)
      )
      assert.strictEqual((health["checks"] as { readonly signingRecord: string }).signingRecord, "ok")
    }))
})
