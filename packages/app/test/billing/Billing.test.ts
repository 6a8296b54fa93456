import { assert, layer } from "@effect/vitest"
import { check } from "@vault-trader/core/billing/LedgerCheck"
import type { Address } from "@vault-trader/core/chain/Address"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { type Fields, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const treasury: Address = "0x7ea5000000000000000000000000000000000001"

/** Returns an address's balance in native smallest units. */
const balance = (address: Address) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(Effect.flatMap(devnet.rpc(network), (rpc) => rpc.balance(address))))

/** Returns a wallet's charges: in USD, in wei, and their status. */
const chargesOf = (wallet: Address) =>
  rows(
    `select c.action, c.usd::float8 as usd, c.native_wei::text as wei, c.price_source as source, t.status from charges c
    left join settlements t on t.id = c.settlement_id where c.wallet = '${wallet}' order by c.created_at`
  )

const paid = (wallet: Address, count: number) =>
  until(
    `${count} paid charges of ${wallet}`,
    Effect.map(chargesOf(wallet), (all) => {
      const settled = all.filter(({ status }) => status === "paid")
      return settled.length === count ? settled : undefined
    })
  )

const sum = (charges: ReadonlyArray<Fields>) => charges.reduce((total, { wei }) => total + BigInt(String(wei)), 0n)

/** Without new blocks nothing becomes final. */
const mining = Effect.flatMap(
  Devnet,
  (devnet) =>
    Effect.flatMap(
      Effect.orDie(devnet.rpc(network)),
      (rpc) => Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(rpc.mine), "200 millis")))
    )
)

const balanced = Effect.map(Effect.orDie(check), ({ accounts, faults }) => {
  assert.deepStrictEqual(faults, [])
  return accounts
})

layer(running({ env: { TREASURY: treasury } }), { timeout: 240_000, excludeTestServices: true })("charges", (it) => {
  it.effect("are paid to the treasury by the wallet itself, several in one transaction, and the ledger balances", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      yield* mining
      const { address, apiKey, pool } = yield* trader()
      const about = { apiKey, network, pool }
      const before = yield* balance(treasury)
      for (const asset of ["USDC", "WETH", "DAI"]) {
        const { fields, text } = yield* ask("/approve", { json: { ...about, asset } })
        assert.strictEqual(fields["status"], "success", text)
      }
      const { fields, text } = yield* ask("/vaultTrade", { json: { ...about, from: "USDC", to: "WETH", amount: 10 } })
      assert.strictEqual(fields["status"], "success", text)
      const charges = yield* paid(address, 4)
      assert.deepStrictEqual(charges.map(({ action, usd }) => [action, usd]), [["approve", 0.02], ["approve", 0.02], [
        "approve",
        0.02
      ], ["trade", 0.1]])
      assert.strictEqual((yield* balance(treasury)) - before, sum(charges))
      const [account] = (yield* balanced).filter(({ wallet }) => wallet === address)
      assert.deepInclude({ ...account }, { charges: 4, outstandingWei: 0n, settledWei: sum(charges), unconverted: 0 })

      const told = (yield* ask("/getCharges", { query: { apiKey, format: "csv" } })).fields
      const views = told["charges"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(views.map(({ status, usd }) => [status, usd]), [["settled", 0.1], ["settled", 0.02], [
        "settled",
        0.02
      ], ["settled", 0.02]])
      assert.strictEqual(String(told["csv"]).split("\r\n").length, 6)
      const hashes = [...new Set(views.map((view) => view["settlement_tx_hash"]))]
      for (const hash of hashes) assert.strictEqual((yield* OnChain.receipt(network, hash)).status, 1n)
      // Only the four actions and their payments.
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 4 + hashes.length)
    }))

  it.effect("stay outstanding while a kill switch is on, and are paid when it is off again", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const switches = yield* KillSwitch
      yield* mining
      const { address, apiKey, pool } = yield* trader()
      const approved = yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC", amount: 1 } })
      assert.strictEqual(approved.fields["status"], "success", approved.text)
      yield* paid(address, 1)
      yield* Effect.orDie(switches.pause(`wallet/${address}`, "test"))
      const charged = yield* ask("/api/cex/chargeFee", { json: { gas_wallet_api_key: apiKey, network, order_id: "a" } })
      assert.deepInclude(charged.fields, {
        status: "success",
        charge_usd: 0.1,
        already_charged: false,
        intent_id: null,
        tx_hash: null
      })
      // Another wallet is paid meanwhile, so the job has run since.
      const other = yield* trader()
      yield* ask("/api/cex/chargeFee", { json: { apiKey: other.apiKey, network, order_id: "a" } })
      yield* paid(other.address, 1)
      assert.deepStrictEqual((yield* chargesOf(address)).map(({ status }) => status), ["paid", null])
      yield* Effect.orDie(switches.resume(`wallet/${address}`))
      yield* paid(address, 2)
      yield* balanced
    }).pipe(Effect.provide(KillSwitch.layer)))

  it.effect("of a wallet that cannot pay stay outstanding, are counted into what later actions need, and are paid once it can", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      yield* mining
      const { address, apiKey, pool } = yield* trader()
      const rpc = yield* Effect.orDie(devnet.rpc(network))
      // Enough for the gas of an approval, but not for what the wallet owes as well.
      yield* Effect.orDie(rpc.setBalance(address, 0n))
      for (const order of Array.from({ length: 20 }, (_, index) => `order-${index}`)) {
        yield* ask("/api/cex/chargeFee", { json: { apiKey, network, order_id: order } })
      }
      const owed = sum(yield* chargesOf(address))
      assert.isTrue(owed > 0n)
      yield* Effect.orDie(rpc.setBalance(address, owed / 2n))
      const refused = yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC", amount: 2 } })
      assert.strictEqual(refused.fields["error_type"], "insufficient_gas", refused.text)
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
      yield* paid(address, 20)
      yield* balanced
    }))

  it.effect("of an order are booked once, whatever is asked how often; what is free or charged elsewhere is refused", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey } = yield* trader()
      const charge = (more: Fields) => ask("/api/cex/chargeFee", { json: { apiKey, network, ...more } })
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => charge({ order_id: "one" })), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map(({ fields }) => fields["charge_id"])).size, 1)
      assert.strictEqual(answers.filter(({ fields }) => fields["already_charged"] === false).length, 1)
      yield* charge({ idempotency_key: "one" })
      assert.strictEqual((yield* chargesOf(address)).length, 2)
      for (
        const [more, reason] of [
          [{}, /order_id/],
          [{ order_id: "x", action: "getCandle" }, /'getCandle' is not an action; actions are .*vaultTrade/],
          [{ order_id: "x", action: "poolComposition" }, /poolComposition is free/],
          [{ order_id: "x", action: "vaultTrade" }, /vaultTrade is charged when it is executed/]
        ] as const
      ) {
        const { fields, text } = yield* charge(more)
        assert.deepStrictEqual([fields["status"], fields["status_code"]], ["fail", "1010"], text)
        assert.match(String(fields["message"]), reason)
      }
      assert.strictEqual((yield* chargesOf(address)).length, 2)
    }))

  it.effect("are checked, exported and reported by the operator's command, which fails when something does not add up", () =>
    Effect.gen(function*() {
      const { ask, dataDir } = yield* Running
      yield* mining
      const { address, apiKey, pool } = yield* trader()
      const { fields, text } = yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC", amount: 3 } })
      assert.strictEqual(fields["status"], "success", text)
      yield* paid(address, 1)
      const ledger = (...words: ReadonlyArray<string>) =>
        ServiceProcess.toItsEnd({ DATA_DIR: dataDir }, "ledger", ...words)
      const checked = yield* ledger("check")
      assert.deepStrictEqual([checked.code, checked.stderr], [0, ""], checked.stdout)
      assert.match(
        checked.stdout,
        new RegExp(
          `${address} base: 1 charges of 0\\.020000 USD \\(0\\.000006666666666666 ETH\\) = 0\\.020000 USD .* ` +
            "settled \\+ 0 USD \\(0\\) outstanding\n"
        )
      )
      assert.match(
        checked.stdout,
        /\nThe ledger balances: \d+ accounts\.\nThe ledger was not compared with a chain\.\n$/
      )
      // The wallets of the other tests have transactions, payments and charges, too.
      const { file } = yield* Devnet
      const onChain = yield* ServiceProcess.toItsEnd(
        { DATA_DIR: dataDir, RPC_URL_BASE: file.networks[network]!.rpcUrl },
        ...["ledger", "check"]
      )
      assert.deepStrictEqual([onChain.code, onChain.stderr], [0, ""], onChain.stdout)
      assert.match(onChain.stdout, /\nbase: \d+ payments of 0\.\d+ ETH, \d+ charges .*: as on the chain\n$/)
      const exported = yield* ledger("export", "--wallet", address)
      const [head, line, ...rest] = exported.stdout.split("\r\n")
      assert.match(String(head), /^charge_id,intent_id,order_id,network,action,usd,/)
      assert.match(String(line), /,base,approve,0\.02,0\.000006666666666666,ETH,3000,platform-oracle,settled,/)
      assert.deepStrictEqual(rest, [""])
      const reported = yield* ledger("report", "--network", network, "--pool", pool, "--wallet", address)
      assert.match(reported.stdout, /^date,actions,.*\r\n\d{4}-\d{2}-\d{2},1,0,0\.02,/)
      yield* rows(`update charges set native_wei = native_wei + 1 where wallet = '${address}'`)
      const broken = yield* ledger("check")
      assert.strictEqual(broken.code, 1)
      assert.match(
        broken.stderr,
        new RegExp(
          `The ledger does not balance:\n${address} on base: charged 6666666666667 wei, but paid 6666666666666 ` +
            "and owes 0\n.* pays 6666666666666 wei for charges of 6666666666667"
        )
      )
      yield* rows(`update charges set native_wei = native_wei - 1 where wallet = '${address}'`)
      yield* balanced
    }))
})
