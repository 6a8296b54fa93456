import { assert, layer } from "@effect/vitest"
import { endpoints, endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { ErrorType } from "@vault-trader/core/failure/Failure"
import { executionCodes } from "@vault-trader/core/failure/Failure"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Answers from "@vault-trader/testing/harness/Answers"
import * as ExampleRequest from "@vault-trader/testing/harness/ExampleRequest"
import {
  type Answer,
  demoVault,
  type Fields,
  ledger,
  rows,
  Running,
  running,
  trader,
  wallet,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"
import { person, proof } from "@vault-trader/testing/harness/Signing"

const network = "base"

/** Asserts a flat HTTP 400 with the failure's code and a message that nothing was sent. */
const failedAs = ({ body, status, text }: Answer, errorType: ErrorType): string => {
  assert.strictEqual(status, 400, text)
  assert.deepStrictEqual([body["status"], body["status_code"], body["error_type"]], [
    "fail",
    executionCodes[errorType],
    errorType
  ], text)
  assert.match(String(body["message"]), /nothing was sent|nothing was accepted/i, text)
  return String(body["message"])
}

/** The service reaches its node through the proxy; the tests do not. */
const proxied = running({
  env: { WAIT_SECONDS: "15", RPC_TIMEOUT_MS: "1000" },
  books: (books) => Effect.map(RpcProxy, ({ inFront }) => inFront(books))
}).pipe(Layer.provideMerge(RpcProxy.layer))

const ended = (apiKey: string, id: unknown) => Effect.flatMap(Running, ({ ask }) => Answers.ended(ask, apiKey, id))

layer(proxied, { timeout: 240_000, excludeTestServices: true })("failures of execution", (it) => {
  it.effect("each reason not to trade has its name, and nothing is sent or charged for any of them", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const trade = (query: Readonly<Record<string, string>>) =>
        ask("/vaultTrade", { query: { apiKey, network, pool, ...query } })
      const bothWays = (query: Readonly<Record<string, string>>, errorType: ErrorType, saying: RegExp) =>
        Effect.gen(function*() {
          const wet = yield* trade(query)
          assert.match(failedAs(wet, errorType), saying)
          assert.match(String(wet.body["intent_id"]), /^[0-9a-f-]{36}$/)
          const dry = yield* trade({ ...query, dryRun: "true" })
          assert.match(failedAs(dry, errorType), saying)
          assert.isNull(dry.body["intent_id"])
        })
      const charged = (yield* ledger).charges
      yield* bothWays({ from: "AAVE", to: "USDC" }, "asset_not_enabled", /AAVE/)
      yield* bothWays({ from: "USDC", to: "AAVE", amount: "1" }, "asset_not_enabled", /AAVE/)
      yield* bothWays(
        { from: "USDC", to: "WETH", amount: "10000000" },
        "insufficient_balance",
        /less than the requested 10000000 USDC/
      )
      yield* bothWays({ from: "USDC", to: "WETH", amount: "1e80" }, "insufficient_balance", /less than/)
      yield* bothWays({ from: "USDC", to: "WETH", amount: "0.0000001" }, "insufficient_balance", /rounds to zero/)
      yield* bothWays({ from: "WBTC", to: "USDC" }, "insufficient_balance", /holds 0/)
      yield* bothWays({ from: "USDC", to: "LINK", amount: "100" }, "no_route", /USDC for LINK/)
      yield* bothWays({ from: "USDC", to: "WETH", amount: "1000", slippage: "0.001" }, "slippage_exceeded", /0.001 %/)
      yield* OnChain.whilePaused(
        network,
        pool,
        bothWays({ from: "USDC", to: "WETH", amount: "1" }, "vault_paused", /paused/)
      )
      yield* OnChain.whileStale(
        network,
        "WETH",
        bothWays({ from: "USDC", to: "WETH", amount: "1" }, "price_unavailable", /WETH/)
      )
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 0)
      assert.strictEqual((yield* ledger).charges, charged)
      assert.deepStrictEqual(
        yield* rows(`select status, count(*)::int as many from intents where wallet = '${address}' group by status`),
        [{ status: "failed", many: 10 }]
      )
      assert.deepStrictEqual(yield* rows(`select * from submissions where wallet = '${address}'`), [])
      Answers.succeeded(yield* trade({ from: "USDC", to: "WETH", amount: "1" }))
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
    }))

  it.effect("approve names its reasons too", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const approve = (json: Fields) => ask("/approve", { json: { apiKey, network, pool, ...json } })
      failedAs(yield* approve({ asset: "AAVE" }), "asset_not_enabled")
      yield* OnChain.whilePaused(
        network,
        pool,
        Effect.map(approve({ asset: "DAI" }), (answer) => failedAs(answer, "vault_paused"))
      )
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 0)
    }))

  it.effect("a wallet without gas sends nothing, and says what it lacks", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { address, apiKey } = yield* wallet
      const pool = yield* demoVault(network)
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
      const query = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1" }
      const message = failedAs(yield* ask("/vaultTrade", { query }), "insufficient_gas")
      assert.include(message, address)
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 1_000n }))
      failedAs(yield* ask("/vaultTrade", { query }), "insufficient_gas")
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 0)
      assert.deepStrictEqual(yield* rows(`select * from attempts where wallet = '${address}'`), [])
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
      Answers.succeeded(yield* ask("/vaultTrade", { query }))
    }))

  it.effect("a trader the manager has replaced is refused at the next request", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const first = yield* trader()
      const query = { network, pool: first.pool, from: "USDC", to: "WETH", amount: "1" }
      Answers.succeeded(yield* ask("/vaultTrade", { query: { ...query, apiKey: first.apiKey } }))
      const second = yield* trader()
      const answer = yield* ask("/vaultTrade", { query: { ...query, apiKey: first.apiKey } })
      assert.deepStrictEqual([answer.status, answer.fields["status_code"]], [200, "1006"], answer.text)
      Answers.succeeded(yield* ask("/vaultTrade", { query: { ...query, apiKey: second.apiKey } }))
      assert.strictEqual(yield* OnChain.transactionCount(network, first.address), 1)
    }))

  it.effect("a composition with a stale price shows everything else, and misses the price and the total", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey } = yield* wallet
      const pool = yield* demoVault(network)
      const query = { apiKey, network, pool }
      const fresh = Answers.succeeded(yield* ask("/poolComposition", { query }))
      const stale = yield* OnChain.whileStale(
        network,
        "WBTC",
        Effect.map(ask("/poolComposition", { query }), Answers.succeeded)
      )
      const without = (fields: Fields) =>
        (fields["composition"] as ReadonlyArray<Fields>).map((line) =>
          line["symbol"] === "WBTC"
            ? {
              ...line,
              price: null,
              value_usd: null,
              reason: "the vault's oracle has no fresh price for it (Chainlink price expired)"
            }
            : line
        )
      assert.deepStrictEqual(stale["composition"], without(fresh))
      assert.isNull(stale["total_value_usd"])
    }))

  it.effect("no read and no dry run ever sends a transaction", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const proxy = yield* RpcProxy
      const { address, apiKey, pool } = yield* trader()
      const about = { apiKey, network, pool }
      const scene = {
        ...about,
        pools: [pool],
        trader: address,
        manager: address,
        contract: yield* OnChain.token(network, "USDC"),
        gas_wallet_api_key: apiKey,
        subaccount_name: "main"
      }
      const perpetuals = Object.fromEntries(
        endpointsByTitle["Perpetual contracts"]!.map(({ name }) => [name, { network }])
      )
      const fixtures: ExampleRequest.Fixtures = {
        ...perpetuals,
        getGasBalance: { network: "all" },
        getIntents: { network, pool },
        approve: { asset: "DAI", amount: "10" },
        getAssociatedGasWallets: yield* proof(yield* person, "getAssociatedGasWallets")
      }
      // rebalancePool is a dry run by default.
      const silent = endpoints.filter((facts) =>
        facts.class === "readOnly" || facts.params.some(({ name }) => name === "dryRun" || name === "execute")
      )
      const index = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
      Answers.succeeded(
        yield* ask("/setIndexBot", { json: { ...about, targets: index, interval: "6h", max_usd: 100 } })
      )
      yield* proxy.forget
      for (const facts of silent) {
        const request = ExampleRequest.exampleRequest(facts, scene, ExampleRequest.fixtureOf(fixtures, facts))
        const all = ExampleRequest.toTexts(ExampleRequest.asDryRun(facts, request))
        for (const each of facts.paths) {
          const { params: query, path } = ExampleRequest.fillPath(each, all)
          yield* ask(path, { query })
          yield* ask(path, { method: "POST", json: query })
        }
      }
      const called = new Set(yield* proxy.methods)
      assert.isTrue(called.has("eth_call"))
      const sending = [
        "eth_sendRawTransaction",
        "eth_sendTransaction",
        "eth_sendRawTransactionSync",
        "eth_sign",
        "eth_signTransaction"
      ]
      assert.deepStrictEqual(sending.filter((method) => called.has(method)), [])
      // The proxy does record what is sent. A slow node is sent the same bytes again.
      Answers.succeeded(yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "DAI", amount: "10" } }))
      assert.include(yield* proxy.methods, "eth_sendRawTransaction")
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
    }))

  it.effect("without a node reads say so, nothing is accepted, and all is well once it is back", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const proxy = yield* RpcProxy
      const { address, apiKey, pool } = yield* trader()
      const about = { apiKey, network, pool }
      const before = yield* ledger
      yield* proxy.decide(() => "lose")
      const answers = yield* Effect.all([
        ask("/getGasBalance", { query: { apiKey, network } }),
        ask("/isPoolTrader", { query: { ...about, trader: address } }),
        ask("/poolComposition", { query: about }),
        ask("/getSymbol", { query: { apiKey, network, contract: pool } }),
        ask("/vaultTrade", { query: { ...about, from: "USDC", to: "DAI", amount: "1" } }),
        ask("/approve", { json: { ...about, asset: "DAI" } })
      ], { concurrency: "unbounded" })
      for (const answer of answers) failedAs(answer, "rpc_unavailable")
      const all = Answers.succeeded(
        yield* ask("/getGasBalance", { query: { apiKey, network: "all" } })
      )["balances"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(all.map(({ balance, network: of }) => [of, balance]), [[network, null]])
      assert.match(String(all[0]!["error"]), /cannot be reached/)
      assert.strictEqual((yield* ask("/health/live")).status, 200)
      assert.deepStrictEqual(yield* ledger, before)
      yield* proxy.decide(() => "forward")
      Answers.succeeded(yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "DAI", amount: "1" } }))
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
    }))

  it.effect(
    "a loan the market turns down only when it is mined is reported in the market's words, with its transaction, " +
      "and costs only gas",
    () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const proxy = yield* RpcProxy
        const devnet = yield* Devnet
        const pool = yield* yieldVault(network)
        const { address, apiKey } = yield* trader({ pool })
        const about = { apiKey, network, pool }
        Answers.succeeded(yield* ask("/lend", { json: { ...about, asset: "WETH", amount: 1 } }))
        yield* proxy.decide((methods) => methods.includes("eth_sendRawTransaction") ? "lose" : "forward")
        const borrowed = yield* ask("/borrow", { json: { ...about, asset: "USDC", amount: 1800 } })
        assert.deepStrictEqual([borrowed.status, borrowed.fields["status"]], [200, "pending"], borrowed.text)
        const intent = yield* Effect.acquireUseRelease(
          Effect.orDie(devnet.setPrice({ network, symbol: "WETH", usd: 1500 })),
          () => Effect.andThen(proxy.decide(() => "forward"), ended(apiKey, borrowed.fields["intent_id"])),
          () => Effect.orDie(devnet.setPrice({ network, symbol: "WETH", usd: 3000 }))
        )
        assert.strictEqual(intent["tx_hash"], borrowed.fields["tx_hash"])
        assert.deepInclude(intent["failure"], { status_code: "2009", error_type: "health_factor_too_low" })
        assert.include(
          JSON.stringify(intent),
          "The vault's collateral does not cover this loan (36). The transaction was mined and reverted, so only gas was spent."
        )
        assert.strictEqual((yield* OnChain.receipt(network, intent["tx_hash"])).status, 0n)
        assert.deepStrictEqual(yield* rows(`select action from charges where wallet = '${address}'`), [{
          action: "lend"
        }])
        Answers.succeeded(yield* ask("/unlend", { json: { ...about, asset: "WETH" } }))
      })
  )

  for (const fate of ["lose", "loseAnswer"] as const) {
    const moment = fate === "lose" ? "before it hears of the transaction" : "after it took the transaction"
    it.effect(`a write whose node goes away ${moment} is pending, and completes once when the node is back`, () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const proxy = yield* RpcProxy
        const { address, apiKey, pool } = yield* trader()
        const sold = yield* OnChain.balanceOf(network, "USDC", pool)
        let gone = false
        yield* proxy.decide((methods) => {
          if (gone) return "lose"
          gone = methods.includes("eth_sendRawTransaction")
          return gone ? fate : "forward"
        })
        const query = { apiKey, network, pool, from: "USDC", to: "DAI", amount: "7", idempotency_key: `away-${fate}` }
        const first = yield* ask("/vaultTrade", { query })
        assert.deepStrictEqual([first.status, first.body["status"]], [200, ["pending"]], first.text)
        assert.match(String(first.fields["tx_hash"]), /^0x[0-9a-f]{64}$/)
        yield* proxy.decide(() => "forward")
        const intent = yield* ended(apiKey, first.fields["intent_id"])
        assert.strictEqual(intent["status"], "success", JSON.stringify(intent))
        assert.strictEqual(intent["tx_hash"], first.fields["tx_hash"])
        assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
        assert.strictEqual(sold - (yield* OnChain.balanceOf(network, "USDC", pool)), 7_000_000n)
        const again = Answers.succeeded(yield* ask("/vaultTrade", { query }))
        assert.strictEqual(again["intent_id"], first.fields["intent_id"])
        assert.deepStrictEqual(yield* rows(`select usd::float8 as usd from charges where wallet = '${address}'`), [{
          usd: 0.1
        }])
      }))
  }
})
