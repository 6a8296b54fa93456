import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { keccak256, pad, toHex } from "viem"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import {
  type Fields,
  ledger,
  type Request,
  rows,
  Running,
  running,
  trader
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const transfer = keccak256(toHex("Transfer(address,address,uint256)"))

const raw = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))

type Trader = Effect.Success<ReturnType<typeof trader>>

/**
 * Sends a trade and compares its answer with the chain: the vault's balances before and after, the receipt, the sender.
 */
const traded = (by: Trader, from: string, to: string, request: Request) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { address, pool } = by
    const state = Effect.all({
      from: OnChain.balanceOf(network, from, pool),
      to: OnChain.balanceOf(network, to, pool),
      count: OnChain.transactionCount(network, address)
    })
    const before = yield* state
    const answer = succeeded(yield* ask("/vaultTrade", request))
    const after = yield* state
    const { effectiveGasPrice, from: sender, gasUsed, logs, status } = yield* OnChain.receipt(
      network,
      answer["tx_hash"]
    )
    const moved = (token: Address, topic: 1 | 2) =>
      logs.filter((log) => log.address === token && log.topics[0] === transfer && log.topics[topic] === pad(pool)).map((
        log
      ) => BigInt(log.data))
    assert.deepStrictEqual([status, sender], [1n, address])
    assert.strictEqual(raw(answer["sold"]), before.from - after.from)
    assert.strictEqual(raw(answer["bought"]), after.to - before.to)
    assert.deepStrictEqual(moved(yield* OnChain.token(network, from), 1), [raw(answer["sold"])])
    assert.deepStrictEqual(moved(yield* OnChain.token(network, to), 2), [raw(answer["bought"])])
    assert.isTrue(raw(answer["bought"]) >= raw(answer["min_out"]))
    assert.strictEqual(answer["gas_used"], String(gasUsed))
    assert.strictEqual(answer["gas_cost"], format(gasUsed * effectiveGasPrice, 18))
    assert.deepStrictEqual([answer["venue"], answer["charge_usd"]], ["uniswapV3", 0.1])
    assert.strictEqual(after.count - before.count, 1)
    return { answer, before, after }
  })

layer(running(), { timeout: 240_000, excludeTestServices: true })("trades", (it) => {
  it.effect("a share of the balance, an amount, both (the share wins), or neither (all of it) is what leaves the vault", () =>
    Effect.gen(function*() {
      const by = yield* trader()
      const about = { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "DAI" }
      const sold = (json: Fields) =>
        Effect.map(
          traded(by, "USDC", "DAI", { json: { ...about, ...json } }),
          ({ answer, before }) => [raw(answer["sold"]), before.from] as const
        )
      assert.strictEqual((yield* sold({ amount: "12.345678" }))[0], 12_345_678n)
      assert.strictEqual((yield* sold({ amount: "1.23456789" }))[0], 1_234_567n)
      assert.strictEqual((yield* sold({ amount: 2.5e1 }))[0], 25_000_000n)
      const [tenth, balance] = yield* sold({ share: 0.1 })
      assert.strictEqual(tenth, balance / 1000n)
      const [both, left] = yield* sold({ share: "0.05", amount: "90000" })
      assert.strictEqual(both, left / 2000n)
      const all = yield* traded(by, "DAI", "USDC", {
        query: { apiKey: by.apiKey, network, pool: by.pool, from: "DAI", to: "USDC" }
      })
      assert.strictEqual(raw(all.answer["sold"]), all.before.from)
      assert.strictEqual(all.after.from, 0n)
    }))

  it.effect(
    "assets go by symbol, alias or address, venues by name, auto or a retired name, protocols by name or alias, " +
      "the key by header",
    () =>
      Effect.gen(function*() {
        const by = yield* trader()
        const { apiKey, pool } = by
        const [usdc, weth] = yield* Effect.all([OnChain.token(network, "USDC"), OnChain.token(network, "WETH")])
        const query = { network, pool, amount: "10" }
        yield* traded(by, "USDC", "WETH", {
          query: { ...query, from: "usd", to: "eth", platform: "auto" },
          headers: { authorization: `Bearer ${apiKey}` }
        })
        yield* traded(by, "USDC", "WETH", {
          query: { ...query, from: usdc, to: weth.toUpperCase().replace("0X", "0x"), platform: "UNISWAPV3" },
          headers: { "x-api-key": apiKey }
        })
        yield* traded(by, "USDC", "WBTC", {
          form: { ...query, apiKey, from: "USDC", to: "btc", platform: "odos", protocol: "chamber" }
        })
        yield* traded(by, "USDC", "WETH", {
          json: { pool, apiKey, amount: 10, from: "USDC", to: weth, platform: "1inchV5", protocol: "DHEDGE" }
        })
      })
  )

  it.effect("what is bought is never below min_out, and min_out never below the oracle's worth less the slippage", () =>
    Effect.gen(function*() {
      const by = yield* trader()
      for (const slippage of [0.2, 0.5, 5]) {
        const { answer } = yield* traded(by, "USDC", "WETH", {
          json: { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: 300, slippage }
        })
        // 300 USDC at 3000 USDC per WETH, by the feeds.
        const fair = 10n ** 17n
        assert.isTrue(raw(answer["min_out"]) >= fair * BigInt(1e6 - slippage * 1e4) / 1_000_000n)
        assert.isTrue(raw(answer["min_out"]) < fair)
      }
    }))

  it.effect("what the dry run promises is what the trade then does", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const by = yield* trader()
      const json = { apiKey: by.apiKey, network, pool: by.pool, from: "WETH", to: "USDC", share: 1 }
      const plan = succeeded(yield* ask("/vaultTrade", { json: { ...json, dryRun: true } }))["plan"] as Fields
      const { answer } = yield* traded(by, "WETH", "USDC", { json })
      assert.deepStrictEqual([answer["venue"], answer["route"]], [plan["venue"], plan["route"]])
      assert.deepStrictEqual([raw(answer["sold"]), raw(answer["bought"]), raw(answer["min_out"])], [
        raw(plan["amountIn"]),
        raw(plan["amountOut"]),
        raw(plan["minOut"])
      ])
      assert.isTrue(BigInt(String(plan["gas"])) >= BigInt(String(answer["gas_used"])))
    }))

  it.effect("a trade after an approval needs no further one, and leaves no allowance behind without one", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const by = yield* trader()
      const about = { apiKey: by.apiKey, network, pool: by.pool }
      const approvals = (hash: unknown) =>
        Effect.map(
          OnChain.receipt(network, hash),
          ({ logs }) =>
            logs.filter(({ topics }) => topics[0] === keccak256(toHex("Approval(address,address,uint256)"))).length
        )
      const alone = yield* traded(by, "WETH", "USDC", { json: { ...about, from: "WETH", to: "USDC", amount: "0.01" } })
      assert.isAbove(yield* approvals(alone.answer["tx_hash"]), 0)
      assert.strictEqual(yield* OnChain.allowanceOf(network, "WETH", by.pool), 0n)
      succeeded(yield* ask("/approve", { json: { ...about, asset: "WETH" } }))
      const approved = yield* traded(by, "WETH", "USDC", {
        json: { ...about, from: "WETH", to: "USDC", amount: "0.01" }
      })
      assert.strictEqual(yield* approvals(approved.answer["tx_hash"]), 0)
    }))

  it.effect("the same idempotency key and request is the same intent, however it is spelt and wherever the key stands", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const by = yield* trader()
      const about = { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "DAI" }
      const key = "signal-1"
      const same: ReadonlyArray<Request> = [
        { query: { ...about, amount: "1.5" }, headers: { "idempotency-key": key } },
        { query: { ...about, amount: "1.5", idempotency_key: key } },
        { json: { ...about, amount: 1.50, idempotency_key: key, slippage: 0.5, platform: "auto" } },
        {
          form: { ...about, amount: "15e-1", network: "BASE", idempotency_key: key },
          headers: { "idempotency-key": key }
        }
      ]
      const answers = yield* Effect.forEach(same, (request) => Effect.map(ask("/vaultTrade", request), succeeded))
      for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
      assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 1)
      const shares = yield* Effect.forEach(
        ["1", "2"],
        (amount) =>
          Effect.map(
            ask("/vaultTrade", { query: { ...about, share: "0.01", amount, idempotency_key: "share" } }),
            succeeded
          )
      )
      assert.strictEqual(shares[0]!["intent_id"], shares[1]!["intent_id"])
      const approvals = yield* Effect.forEach(
        [1, 2],
        () =>
          Effect.map(
            ask("/approve", {
              json: { apiKey: by.apiKey, network, pool: by.pool, asset: "DAI", idempotency_key: "approval" }
            }),
            succeeded
          )
      )
      assert.strictEqual(approvals[0]!["intent_id"], approvals[1]!["intent_id"])
      assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 3)
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as charges from charges where wallet = '${by.address}'`),
        [{ charges: 3 }]
      )
    }))

  it.effect(
    "a key used for another request is 1010, a dry run uses none up, another wallet may use the same, and two " +
      "keys contradict",
    () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const by = yield* trader()
        const about = {
          apiKey: by.apiKey,
          network,
          pool: by.pool,
          from: "USDC",
          to: "DAI",
          amount: "1",
          idempotency_key: "signal-2"
        }
        succeeded(yield* ask("/vaultTrade", { query: { ...about, amount: "5", dryRun: "true" } }))
        const first = succeeded(yield* ask("/vaultTrade", { query: about }))
        const others: ReadonlyArray<readonly [string, Request]> = [
          ["/vaultTrade", { query: { ...about, amount: "1.01" } }],
          ["/vaultTrade", { query: { ...about, to: "WETH" } }],
          ["/vaultTrade", { query: { ...about, slippage: "1" } }],
          ["/approve", {
            json: { apiKey: by.apiKey, network, pool: by.pool, asset: "USDC", idempotency_key: "signal-2" }
          }],
          ["/vaultTrade", { query: about, headers: { "idempotency-key": "another" } }]
        ]
        for (const [path, request] of others) {
          const { fields, text } = yield* ask(path, request)
          assert.strictEqual(fields["status_code"], "1010", text)
          assert.match(String(fields["message"]), /^idempotency_key: /)
        }
        const other = yield* trader()
        const second = succeeded(yield* ask("/vaultTrade", { query: { ...about, apiKey: other.apiKey } }))
        assert.notStrictEqual(second["intent_id"], first["intent_id"])
        assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 1)
      })
  )

  it.effect("a failed request stays failed under its key, and is not tried again", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const by = yield* trader()
      const query = {
        apiKey: by.apiKey,
        network,
        pool: by.pool,
        from: "WBTC",
        to: "USDC",
        amount: "50",
        idempotency_key: "signal-3"
      }
      const first = yield* ask("/vaultTrade", { query })
      assert.deepStrictEqual([first.status, first.body["status_code"]], [400, "2002"])
      yield* Effect.orDie(devnet.mintToken({ network, symbol: "WBTC", address: by.pool, amount: 60n * 10n ** 8n }))
      const second = yield* ask("/vaultTrade", { query })
      assert.deepStrictEqual([second.status, second.body], [400, first.body])
      assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 0)
    }))

  it.effect("ten requests at once with one key are one transaction", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const by = yield* trader()
      const query = { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "3" }
      const before = yield* OnChain.balanceOf(network, "USDC", by.pool)
      const answers = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        ask("/vaultTrade", { query, headers: { "idempotency-key": "burst" } }), { concurrency: "unbounded" })
      assert.strictEqual(
        new Set(answers.map((answer) =>
          JSON.stringify(succeeded(answer))
        )).size,
        1
      )
      assert.strictEqual(before - (yield* OnChain.balanceOf(network, "USDC", by.pool)), 3_000_000n)
      assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 1)
    }))

  it.effect("fifty identical requests at once without a key are one trade, and say so; duplicate=true makes another", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const by = yield* trader()
      const query = { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "4" }
      const before = yield* OnChain.balanceOf(network, "USDC", by.pool)
      const rpc = yield* Effect.orDie((yield* Devnet).rpc(network))
      yield* Effect.orDie(rpc.setMining("manual"))
      const burst = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 50 }), () => ask("/vaultTrade", { query }), { concurrency: "unbounded" })
      )
      const intents = rows(`select id, status from intents where wallet = '${by.address}'`)
      yield* until(
        "the trade is sent",
        Effect.map(intents, ([row]) => row?.["status"] === "submitted" ? row : undefined)
      )
      const second = yield* Effect.forkChild(ask("/vaultTrade", { query: { ...query, duplicate: "true" } }))
      yield* until("the second trade", Effect.map(intents, (found) => found.length === 2 ? found : undefined))
      yield* Effect.orDie(rpc.setMining("automatic"))
      yield* Effect.orDie(rpc.mine)
      const answers = (yield* Fiber.join(burst)).map(succeeded)
      const other = succeeded(yield* Fiber.join(second))
      assert.strictEqual(new Set(answers.map((answer) => answer["intent_id"])).size, 1)
      assert.notStrictEqual(other["intent_id"], answers[0]!["intent_id"])
      const note = /This is the answer of intent [0-9a-f-]{36}, an identical request that was unfinished/
      assert.strictEqual(answers.filter((answer) => note.test(String(answer["message"]))).length, 49)
      assert.notMatch(String(other["message"]), note)
      assert.deepInclude(other, { network })
      assert.strictEqual(before - (yield* OnChain.balanceOf(network, "USDC", by.pool)), 8_000_000n)
      // A finished trade absorbs none.
      const later = succeeded(yield* ask("/vaultTrade", { query }))
      assert.notMatch(String(later["message"]), note)
      assert.strictEqual((yield* intents).length, 3)
    }))

  it.effect("many trades at once, over vaults and wallets, are one transaction each, without a gap and each charged once", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const one = yield* trader()
      const pools = yield* Effect.forEach([1, 2], () => OnChain.createVault(network, 10_000n))
      const [second, third] = pools as [Address, Address]
      // One wallet trades two vaults, another the third.
      yield* Effect.orDie(devnet.setTrader({ network, pool: second, trader: one.address }))
      const other = yield* trader({ pool: third })
      const trades = [
        ...Array.from({ length: 10 }, (_, index) => ({ by: one, pool: one.pool, amount: index + 1 })),
        ...Array.from({ length: 6 }, (_, index) => ({ by: one, pool: second, amount: index + 21 })),
        ...Array.from({ length: 6 }, (_, index) => ({ by: other, pool: third, amount: index + 31 }))
      ]
      const usdc = (pool: Address) => OnChain.balanceOf(network, "USDC", pool)
      const vaults = [one.pool, second, third]
      const before = { ledger: yield* ledger, usdc: yield* Effect.forEach(vaults, usdc) }
      const answers = yield* Effect.forEach(
        trades,
        ({ amount, by, pool }) =>
          Effect.map(
            ask("/vaultTrade", { json: { apiKey: by.apiKey, network, pool, from: "USDC", to: "WETH", amount } }),
            succeeded
          ),
        { concurrency: "unbounded" }
      )

      for (const [index, answer] of answers.entries()) {
        assert.strictEqual(raw(answer["sold"]), BigInt(trades[index]!.amount) * 1_000_000n)
      }
      for (const field of ["intent_id", "tx_hash"]) {
        assert.strictEqual(new Set(answers.map((answer) => answer[field])).size, trades.length)
      }
      const after = { ledger: yield* ledger, usdc: yield* Effect.forEach(vaults, usdc) }
      assert.deepStrictEqual(vaults.map((_, index) => before.usdc[index]! - after.usdc[index]!), [
        55_000_000n,
        141_000_000n,
        201_000_000n
      ])
      for (const table of ["intents", "submissions", "attempts", "charges"] as const) {
        assert.strictEqual(after.ledger[table] - before.ledger[table], trades.length, table)
      }
      for (const [{ address }, count] of [[one, 16], [other, 6]] as const) {
        const nonces = yield* rows(
          `select nonce::int from submissions where wallet = '${address}' and nonce is not null order by nonce`
        )
        assert.deepStrictEqual(nonces.map(({ nonce }) => nonce), Array.from({ length: count }, (_, nonce) => nonce))
        assert.strictEqual(yield* OnChain.transactionCount(network, address), count)
      }
    }))

  it.effect("every charge is of one executed intent, at the price of its moment", () =>
    Effect.gen(function*() {
      const wrong = yield* rows(
        `select i.id, i.status, i.tx_hash, c.usd from intents i left join charges c on c.intent_id = i.id
        where (c.intent_id is not null) <> (i.status = 'succeeded' and i.tx_hash is not null)`
      )
      assert.deepStrictEqual(wrong, [])
      // 0.10 USD and 0.02 USD at 3000 USD per ETH.
      const prices = yield* rows(
        "select distinct usd::float8 as usd, native_wei::text as wei, native_price_usd::float8 as price, " +
          "price_source as source from charges order by usd"
      )
      assert.deepStrictEqual(prices, [
        { usd: 0.02, wei: "6666666666666", price: 3000, source: "platform-oracle" },
        { usd: 0.1, wei: "33333333333333", price: 3000, source: "platform-oracle" }
      ])
    }))
})
