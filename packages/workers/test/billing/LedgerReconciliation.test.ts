/** The comparison of settlements, charges and nonces with a chain, over real rows and transactions. */
import { assert, layer } from "@effect/vitest"
import { SettledLedger } from "@vault-trader/core/billing/SettledLedger"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { type Request, unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { reconcile } from "../../src/billing/LedgerReconciliation.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"
import { ether, network } from "../gas-wallet/TestLane.ts"

const treasury: Address = `0x${"7e".repeat(20)}`
const unknown: Hash = `0x${"ee".repeat(32)}`

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the ledger and its chain", (it) => {
  it.effect("agree, and every difference is reported", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      const sql = yield* SqlClient.SqlClient
      const { chain, wallet } = bench
      yield* chain.automine(true)

      const compareBy = (requests: ReadonlyArray<Request>) =>
        Effect.gen(function*() {
          const endpoints = requests.map((request, index) => endpointOf(`node ${index}`, request, 50 + index))
          return yield* reconcile(network, yield* clientOver(chain, endpoints))
        }).pipe(Effect.scoped, Effect.provide(SettledLedger.layer))
      const compare = compareBy([chain.request])
      const faults = Effect.map(compare, (found) => found.faults)

      const [paid, traded] = yield* Effect.scoped(Effect.gen(function*() {
        const lane = yield* bench.open
        const keys = [yield* bench.put({ to: treasury, value: ether / 10n }), yield* bench.put()] as const
        for (const key of keys) assert.strictEqual((yield* lane.submit(key))._tag, "Mined")
        yield* sql`update submissions set status = 'final' where wallet = ${wallet}`
        return keys
      }))
      const hashOf = (key: string) => Effect.map(bench.attempts(key), ([attempt]) => attempt!.hash)
      const settlement = randomUUID()
      yield* sql`insert into settlements ${
        sql.insert({
          ...{
            id: settlement,
            network,
            wallet,
            treasury,
            native_wei: (ether / 10n).toString(),
            usd: "300",
            charges: 1
          },
          ...{ status: "paid", tx_hash: yield* hashOf(paid), ended_at: new Date() }
        })
      }`
      const intent = traded.split("/")[0]!
      yield* bench.succeed(traded)
      yield* sql`update intents set tx_hash = ${yield* hashOf(traded)} where id = ${intent}::uuid`
      assert.deepInclude(yield* compare, {
        ...{ settlements: 1, settledWei: ether / 10n, receivedWei: ether / 10n, charges: 1, wallets: 1, faults: [] }
      })

      // An endpoint that has lost its index contradicts two others.
      const forgetful: Request = (method, params) =>
        method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt"
          ? Effect.succeed(null)
          : chain.request(method, params)
      assert.deepStrictEqual((yield* compareBy([forgetful, chain.request, chain.request])).faults, [])

      yield* sql`update settlements set native_wei = native_wei + 1`
      const amounts = yield* faults
      assert.lengthOf(amounts, 2)
      assert.include(amounts[0], `settlement ${settlement} on ${network} pays ${ether / 10n + 1n} wei to ${treasury}`)
      assert.include(amounts[1], `but the treasury received ${ether / 10n} wei`)
      yield* sql`update settlements set native_wei = native_wei - 1, tx_hash = ${unknown}`
      assert.include((yield* faults)[0], `no endpoint has its transaction ${unknown}`)
      yield* sql`update settlements set tx_hash = ${yield* hashOf(paid)}`

      const stranger = generatePrivateKey()
      yield* chain.setBalance(privateKeyToAddress(stranger).toLowerCase() as Address, ether)
      const other = yield* Effect.orDie(chain.foreign(stranger))
      yield* sql`update intents set tx_hash = ${other} where id = ${intent}::uuid`
      const [sender] = yield* faults
      assert.match(
        String(sender),
        new RegExp(`of intent ${intent} on ${network}: its transaction ${other} was sent by`)
      )
      yield* sql`update intents set tx_hash = ${yield* hashOf(traded)} where id = ${intent}::uuid`
      assert.deepStrictEqual(yield* faults, [])

      yield* Effect.orDie(chain.foreign(bench.privateKey))
      assert.deepStrictEqual(yield* faults, [
        `${wallet} on ${network}: 1 of its transactions, with nonces from 2 to 2, are not in the ledger`
      ])
      yield* sql`insert into nonce_baselines ${sql.insert({ network, wallet, nonce: 3 })}`
      assert.deepStrictEqual(yield* faults, [])

      const silent: Request = () => Effect.fail(unavailable(network, "timeout"))
      const failure = yield* Effect.flip(compareBy([silent]))
      assert.strictEqual(failure._tag, "ReconciliationInterrupted")
    }))
})
