/** The comparison of balances with the cost of a wallet's own transactions, over real rows. */
import { assert, layer } from "@effect/vitest"
import { BalanceStore } from "@vault-trader/core/gas-wallet/BalanceStore"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import type { WalletAlert } from "@vault-trader/core/gas-wallet/WalletAlert"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import type { Address } from "@vault-trader/core/chain/Address"
import { refused, type Request, serverError } from "@vault-trader/testing/test-chain/Rpc"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Chains } from "../../src/chain/Chains.ts"
import * as BalanceWatch from "../../src/gas-wallet/BalanceWatch.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { ether, network } from "./TestLane.ts"

/** A wallet whose balance is watched; `refuse` makes the outbox refuse alerts. */
const watched = Effect.gen(function*() {
  const bench = yield* TestLane.make()
  const sql = yield* SqlClient.SqlClient
  const alerts: Array<WalletAlert> = []
  const others: Array<Address> = []
  const outbox = { refuses: false }
  const context = Layer.mergeAll(
    BalanceStore.layer,
    Layer.mock(NonceBaselineStore, { active: () => Effect.succeed([bench.wallet, ...others]) }),
    Layer.succeed(WalletAlerts, {
      raise: (alert) =>
        Effect.sync(() => {
          if (!outbox.refuses) alerts.push(alert)
          return !outbox.refuses
        })
    })
  )
  const methods: Array<string> = []
  const checkBy = (request: Request) =>
    Effect.gen(function*() {
      methods.length = 0
      const counted: Request = (method, params) => {
        methods.push(method)
        return request(method, params)
      }
      const client = yield* clientOver(bench.chain, [endpointOf("test-chain", counted)])
      yield* BalanceWatch.check(network).pipe(Effect.provide(Chains.layerOf(new Map([[network, client]]))))
    }).pipe(Effect.scoped, Effect.provide(context))
  return {
    ...bench,
    alerts,
    /** Methods that the last check has called. */
    methods,
    /** Wallets that are active besides. */
    others,
    outbox,
    sql,
    check: checkBy(bench.chain.request),
    /** Checks by a node that is so many blocks behind. */
    checkBehind: (blocks: number) => checkBy(bench.chain.behind(blocks)),
    /** Checks by a node that has no state of the newest block yet. */
    checkStateless: checkBy((method, params) =>
      method === "eth_call"
        ? Effect.fail(refused(serverError, "header not found"))
        : bench.chain.request(method, params)
    ),
    /** Mines a block, in which the balance changes without a transaction of the wallet. */
    change: (wei: bigint) =>
      Effect.andThen(
        bench.chain.mine(),
        Effect.flatMap(balanceOf(bench), (now) => bench.chain.setBalance(bench.wallet, now + wei))
      )
  }
})

const balanceOf = ({ chain, wallet }: { readonly chain: { readonly request: Request }; readonly wallet: Address }) =>
  Effect.map(Effect.orDie(chain.request("eth_getBalance", [wallet, "latest"])), (wei) => BigInt(String(wei)))

/** Executes a payment of the wallet by its lane, which is closed afterwards. */
const pay = (bench: Effect.Success<typeof watched>, value: bigint) =>
  Effect.scoped(Effect.gen(function*() {
    yield* bench.chain.automine(true)
    const lane = yield* bench.open
    const key = yield* bench.put({ value })
    const settled = yield* lane.submit(key)
    assert.strictEqual(settled._tag, "Mined")
    yield* bench.chain.automine(false)
    // The receipt states the whole cost: no allowance for a fee that it does not contain.
    yield* bench.sql`update submissions set receipt = receipt || '{"l1Fee":"0"}'::jsonb where key = ${key}`
    return key
  }))

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the comparison of balances", (it) => {
  it.effect("alerts a fall that no transaction of the wallet explains, once, with its amount and blocks", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      const before = (yield* bench.chain.head).number
      yield* bench.change(-1n)
      yield* bench.check
      yield* bench.chain.mine()
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
      assert.deepInclude(bench.alerts[0], { kind: "balance_drain", network, wallet: bench.wallet })
      assert.deepStrictEqual(bench.alerts[0]!.details, {
        fallen_wei: "1",
        explained_wei: "0",
        from_block: before.toString(),
        to_block: (before + 1n).toString()
      })
    }))

  it.effect("reads the balances of several wallets by one call", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      for (const wallet of [`0x${"5e".repeat(20)}`, `0x${"6e".repeat(20)}`] as const) {
        yield* bench.sql`insert into gas_wallets (address, ciphertext, imported) values (${wallet}, 'c', false)`
        bench.others.push(wallet)
      }
      yield* bench.check
      const callsOf = (method: string) => bench.methods.filter((each) => each === method).length
      const methods = ["eth_getTransactionCount", "eth_call", "eth_getBalance"]
      assert.deepStrictEqual(methods.map(callsOf), [3, 1, 0])
    }))

  it.effect("compares nothing while a node refuses the read, and everything afterwards", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      yield* bench.change(-1n)
      yield* bench.checkStateless
      assert.lengthOf(bench.alerts, 0)
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
    }))

  it.effect("raises no alert about payments, refills, and the first observation of a wallet", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* pay(bench, ether / 10n)
      yield* bench.check
      yield* pay(bench, ether / 10n)
      yield* bench.check
      yield* bench.change(ether)
      yield* bench.check
      yield* pay(bench, ether / 5n)
      yield* bench.check
      assert.deepStrictEqual(bench.alerts, [])
    }))

  it.effect("alerts the part of a fall that exceeds the cost of the wallet's own transactions", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      yield* pay(bench, ether / 10n)
      yield* bench.change(-1n)
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
      const { explained_wei, fallen_wei } = bench.alerts[0]!.details!
      assert.strictEqual(BigInt(String(fallen_wei)) - BigInt(String(explained_wei)), 1n)
    }))

  it.effect("does not explain a fall by the value of a call that was cancelled", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      const key = yield* pay(bench, 0n)
      yield* bench.sql`update submissions set value = 7, cancelled = 'stopped' where key = ${key}`
      yield* bench.change(-7n)
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
    }))

  it.effect("waits for the receipts of mined transactions, and then finds a fall beside them", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      const key = yield* pay(bench, ether / 10n)
      const [kept] = yield* bench.sql<{ readonly receipt: unknown }>`select receipt from submissions where key = ${key}`
      yield* bench.change(-1n)
      yield* bench.sql`update submissions set status = 'signed', receipt = null where key = ${key}`
      yield* bench.check
      yield* bench.chain.mine()
      yield* bench.check
      assert.deepStrictEqual(bench.alerts, [])
      yield* bench.sql`update submissions set status = 'mined', receipt = ${JSON.stringify(kept!.receipt)}::jsonb
        where key = ${key}`
      yield* bench.check
      yield* bench.chain.mine()
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
    }))

  it.effect("ignores a lagging node and blocks that a reorg removed", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      const rich = generatePrivateKey()
      yield* bench.chain.setBalance(privateKeyToAddress(rich).toLowerCase() as Address, 10n * ether)
      yield* bench.check
      yield* bench.chain.mine(2)
      yield* Effect.orDie(bench.chain.foreign(rich, { to: bench.wallet, value: ether }))
      yield* bench.chain.mine()
      yield* bench.check
      // The node without the refill reports an older block.
      yield* bench.checkBehind(1)
      assert.deepStrictEqual(bench.alerts, [])
      yield* bench.chain.reorg(1, { keep: false })
      yield* bench.chain.mine()
      yield* bench.check
      yield* bench.chain.mine()
      yield* bench.check
      assert.deepStrictEqual(bench.alerts, [])
      yield* bench.change(-1n)
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
    }))

  it.effect("repeats an alert that was not written", () =>
    Effect.gen(function*() {
      const bench = yield* watched
      yield* bench.check
      yield* bench.change(-1n)
      bench.outbox.refuses = true
      yield* bench.check
      bench.outbox.refuses = false
      yield* bench.chain.mine()
      yield* bench.check
      assert.lengthOf(bench.alerts, 1)
    }))
})
