/** The comparison of vaults' events with the ledger, over real rows and transactions. */
import { assert, layer } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import type { WalletAlert } from "@vault-trader/core/gas-wallet/WalletAlert"
import { refused, type Request } from "@vault-trader/testing/test-chain/Rpc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { Chains } from "../../src/chain/Chains.ts"
import * as VaultEventWatch from "../../src/gas-wallet/VaultEventWatch.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import * as Allowance from "../../src/platform/Allowance.ts"
import { throughVault } from "../../src/platform/VaultCall.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { ether, network } from "./TestLane.ts"

type Receipt = { readonly blockNumber: string; readonly transactionHash: Hash; readonly logs: ReadonlyArray<object> }

/** Maximum number of blocks of a query that the node accepts. */
const maxRange = 500n

/** Adds `eth_getLogs` for a range of blocks and a first topic to the node of a test chain. */
const withLogs = (request: Request, asked: Array<bigint>): Request => (method, params) => {
  if (method !== "eth_getLogs") return request(method, params)
  const { fromBlock, toBlock, topics } = params[0] as {
    readonly fromBlock: string
    readonly toBlock: string
    readonly topics: ReadonlyArray<ReadonlyArray<string>>
  }
  const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
  asked.push(to - from + 1n)
  if (to - from >= maxRange) return Effect.fail(refused(-32005, "the range of blocks is too large"))
  return Effect.gen(function*() {
    const logs: Array<object> = []
    for (let number = from; number <= to; number++) {
      const block = (yield* request("eth_getBlockByNumber", [`0x${number.toString(16)}`, false])) as {
        readonly transactions: ReadonlyArray<Hash>
      }
      for (const hash of block.transactions) {
        const { blockNumber, logs: own, transactionHash } = (yield* request("eth_getTransactionReceipt", [
          hash
        ])) as Receipt
        logs.push(...own.map((log) => ({ ...log, blockNumber, transactionHash })))
      }
    }
    return logs.filter((log) => topics[0]!.includes((log as { readonly topics: ReadonlyArray<string> }).topics[0]!))
  })
}

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the check of vault events", (it) => {
  it.effect("alerts executions that a wallet of this service sent and that it did not sign, and no others", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      const sql = yield* SqlClient.SqlClient
      const { chain, privateKey, wallet } = bench
      const managerKey = generatePrivateKey()
      const manager = privateKeyToAddress(managerKey).toLowerCase() as Address
      yield* chain.setBalance(manager, ether)
      const { pool } = yield* chain.createVault({ manager, trader: wallet })
      const { pool: unlinked } = yield* chain.createVault({ manager, trader: wallet })
      yield* sql`insert into vault_links ${sql.insert({ wallet, network, pool, protocol: "dhedge" })}`
      yield* chain.automine(true)

      const alerts: Array<WalletAlert> = []
      const asked: Array<bigint> = []
      const outbox = { isDown: false }
      const client = yield* clientOver(chain, [endpointOf("test-chain", withLogs(chain.request, asked))])
      const check = VaultEventWatch.check(network).pipe(Effect.provide(Layer.mergeAll(
        VaultEventStore.layer,
        Chains.layerOf(new Map([[network, client]])),
        Layer.succeed(WalletAlerts, {
          raise: (alert) =>
            Effect.sync(() => {
              if (!outbox.isDown) alerts.push(alert)
              return !outbox.isDown
            })
        })
      )))
      const confirmed = chain.mine(client.book.confirmations)
      const data = throughVault(
        Allowance.set(chain.token("USDC"), chain.deployed.uniswapV3.router, 0n, ether)
      )
      const succeeded = (address: Address) =>
        Effect.map(chain.transactionsOf(address), (all) => all.map((transaction) => transaction.succeeded))

      yield* confirmed
      yield* check
      // One signed here, one of the manager, one of a vault that is not linked.
      yield* Effect.scoped(Effect.gen(function*() {
        const lane = yield* bench.open
        const settled = yield* lane.submit(yield* bench.put({ to: pool, data, value: 0n }))
        assert.strictEqual(settled._tag, "Mined")
      }))
      yield* Effect.orDie(chain.foreign(managerKey, { to: pool, data }))
      yield* Effect.orDie(chain.foreign(privateKey, { to: unlinked, data }))
      yield* confirmed
      yield* check
      assert.deepStrictEqual([yield* succeeded(wallet), yield* succeeded(manager)], [[true, true], [true]])
      assert.deepStrictEqual(alerts, [])

      const hash = yield* Effect.orDie(chain.foreign(privateKey, { to: pool, data }))
      const block = (yield* chain.head).number
      // More blocks than the node returns at once, after an alert that was not written.
      yield* chain.mine(1_000)
      outbox.isDown = true
      yield* check
      outbox.isDown = false
      yield* check
      yield* check
      assert.lengthOf(alerts, 1)
      assert.deepInclude(alerts[0], { kind: "foreign_transaction", network, wallet })
      assert.deepStrictEqual(alerts[0]!.details, { tx_hash: hash, vault: pool, block: block.toString() })
      assert.isTrue(asked.some((range) => range > maxRange))
    }))
})
