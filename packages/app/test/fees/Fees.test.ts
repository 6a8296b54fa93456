import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { parseUnits } from "viem"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, ledger, rows, Running, running, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const network = "base"
const charge = 0.05

const failed = ({ body, status, text }: Answer, errorType: string, saying: RegExp) => {
  assert.deepStrictEqual([status, body["error_type"]], [400, errorType], text)
  assert.match(String(body["message"]), saying)
}
const counts = ({ count, eligible, matched, minted, scanned, wouldSucceed }: Fields) => ({
  scanned,
  matched,
  eligible,
  count,
  wouldSucceed,
  minted
})
const raw = (amount: unknown) => parseUnits(String(amount), 18)

/** A vault of 10,000 USDC that keeps a fifth of its profit for its manager. */
const newVault = (manager?: Address) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const { pool } = yield* Effect.orDie(devnet.createVault({
      network,
      name: "Fees",
      performanceFee: 2_000n,
      invested: 10_000_000_000n,
      ...(manager === undefined ? {} : { manager })
    }))
    return pool
  })

/** Makes a vault earn this many USDC. */
const earn = (pool: Address, usdc: bigint) =>
  Effect.flatMap(
    Devnet,
    (devnet) => Effect.orDie(devnet.mintToken({ network, symbol: "USDC", address: pool, amount: usdc * 1_000_000n }))
  )

/**
 * A wallet with gas but no role at any vault, and a new manager with this many vaults, each with a profit of 1,000
 * USDC.
 */
const scene = (vaults: number) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const by = yield* wallet
    const { address: manager } = yield* wallet
    yield* Effect.orDie(devnet.faucet({ network, address: by.address, amountWei: 10n ** 18n }))
    const pools = yield* Effect.forEach(Array.from({ length: vaults }), () => newVault(manager))
    for (const pool of pools) yield* earn(pool, 1_000n)
    const about = { apiKey: by.apiKey, network }
    return {
      ...by,
      manager,
      pools,
      about,
      owed: (pool: Address) => OnChain.read(network, pool, OnChain.tokenAbi, "balanceOf", [manager]),
      sent: OnChain.transactionCount(network, by.address),
      charges: rows(`select action, usd::float8 as usd from charges where wallet = '${by.address}' order by created_at`)
    }
  })

const limit = (address: Address, limits: Partial<KeyLimits>) =>
  Effect.flatMap(
    KeyLimitStore,
    (store) => Effect.orDie(store.change(address, () => KeyLimits.make({ ...none, ...limits })))
  ).pipe(
    Effect.provide(KeyLimitStore.layer)
  )

layer(running(), { timeout: 120_000, excludeTestServices: true })("manager fees", (it) => {
  it.effect("of one vault are minted by a wallet without a role there, are charged once, and are shown before by a dry run", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, charges, manager, owed, pools: [pool], sent } = yield* scene(1)
      const query = { ...about, pool: pool! }
      const dry = succeeded(yield* ask("/mintManagerFee", { query: { ...query, dryRun: "true" } }))
      assert.deepInclude(dry, { dryRun: true, network, pool, manager, hasFee: true, intent_id: null, tx_hash: null })
      assert.strictEqual((dry["charge"] as Fields)["usd"], charge)
      assert.match(String((dry["plan"] as Fields)["gas"]), /^\d+$/)
      assert.deepStrictEqual([yield* sent, yield* charges, yield* owed(pool!)], [0, [], 0n])
      const fields = succeeded(yield* ask("/mintManagerFee", { json: query }))
      assert.deepInclude(fields, {
        dryRun: false,
        pool,
        manager,
        availableManagerFee: dry["availableManagerFee"],
        charge_usd: charge
      })
      assert.strictEqual(yield* owed(pool!), raw(fields["managerFee"]))
      // A fifth of 1,000 USD in tokens of 1.10 USD less the fee; a tenth of it is the platform's.
      assert.approximately(Number(fields["managerFee"]) + Number(fields["daoFee"]), 10_000 * 200 / (11_000 - 200), 1e-9)
      assert.strictEqual(Number((yield* OnChain.receipt(network, fields["tx_hash"])).status), 1)
      assert.deepStrictEqual([yield* sent, yield* charges], [1, [{ action: "managerFee", usd: charge }]])
      const again = succeeded(yield* ask("/mintManagerFee", { json: query }))
      assert.deepInclude(again, { tx_hash: null, hasFee: false, managerFee: null, charge_usd: 0 })
      assert.match(String(again["message"]), /no fee to mint; nothing was sent/)
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("of several vaults are minted in one transaction and charged once; the request has an intent like any other", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, apiKey, charges, owed, pools, sent } = yield* scene(3)
      const idle = yield* newVault()
      const json = { ...about, pools: [...pools, idle], idempotency_key: "sweep-1" }
      const fields = succeeded(yield* ask("/mintManagerFeeBatch", { json }))
      assert.deepStrictEqual(counts(fields), {
        scanned: 4,
        matched: 4,
        eligible: 3,
        count: 3,
        wouldSucceed: 3,
        minted: 3
      })
      assert.deepStrictEqual(fields["skipped"], [{ pool: idle, reason: "The vault has no fee to mint" }])
      const results = fields["results"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(results.map(({ pool }) => pool), pools, "a vault without a fee is in skipped only")
      for (const [index, pool] of pools.entries()) {
        assert.strictEqual(yield* owed(pool), raw(results[index]?.["managerFee"]))
      }
      assert.deepStrictEqual([yield* sent, yield* charges], [1, [{ action: "managerFee", usd: charge }]])

      const repeat = succeeded(
        yield* ask("/mintManagerFeeBatch", {
          query: { ...about, pools: json.pools.join(","), idempotency_key: "sweep-1" }
        })
      )
      assert.deepStrictEqual(repeat, fields)
      refused(
        yield* ask("/mintManagerFeeBatch", { json: { ...json, pools } }),
        "1010",
        /idempotency_key: was used for another request/
      )
      assert.strictEqual(yield* sent, 1)

      const listed = succeeded(yield* ask("/getIntents", { query: { apiKey, network, pool: address } }))
      assert.deepInclude((listed["intents"] as ReadonlyArray<Fields>)[0], {
        intent_id: fields["intent_id"],
        endpoint: "mintManagerFeeBatch",
        pool: address,
        status: "success"
      })
      const intent = succeeded(
        yield* ask("/getIntent", { query: { apiKey, intent_id: String(fields["intent_id"]) } })
      )["intent"] as Fields
      assert.deepStrictEqual(counts(intent["result"] as Fields), counts(fields))
    }))

  it.effect("of a manager are swept: first a dry run, then the transaction, then there is nothing left", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, charges, manager, owed, pools, sent } = yield* scene(2)
      const idle = yield* newVault(manager)
      const query = { ...about, manager }
      const before = yield* ledger
      const dry = succeeded(yield* ask("/mintAllFeesByManager", { query: { ...query, dryRun: "true" } }))
      assert.deepInclude(dry, {
        dryRun: true,
        manager,
        network,
        matched: 3,
        eligible: 2,
        count: 2,
        wouldSucceed: 2,
        minted: 0
      })
      assert.isAtLeast(Number(dry["scanned"]), 3)
      assert.strictEqual((dry["charge"] as Fields)["usd"], charge)
      assert.deepStrictEqual([yield* sent, yield* ledger], [0, before])
      const fields = succeeded(yield* ask("/mintAllFeesByManager", { query }))
      assert.deepInclude(fields, { dryRun: false, matched: 3, eligible: 2, count: 2, minted: 2 })
      for (const pool of pools) assert.isAbove(Number(yield* owed(pool)), 0)
      assert.strictEqual(yield* owed(idle), 0n)
      const again = succeeded(yield* ask("/mintAllFeesByManager", { query }))
      assert.deepInclude(again, { tx_hash: null, matched: 3, eligible: 0, minted: 0, charge_usd: 0 })
      // A vault created since is found, and so is its fee.
      yield* earn(yield* newVault(manager), 500n)
      assert.deepInclude(succeeded(yield* ask("/mintAllFeesByManager", { json: { ...query, allowFailure: false } })), {
        matched: 4,
        eligible: 1,
        minted: 1
      })
      assert.deepStrictEqual([yield* sent, yield* charges], [2, [{ action: "managerFee", usd: charge }, {
        action: "managerFee",
        usd: charge
      }]])
    }))

  it.effect("are refused when the list cannot be used, and nothing is accepted; a manager without vaults is no failure", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, manager, pools: [pool], sent } = yield* scene(1)
      const before = yield* ledger
      const batch = (pools: unknown) => ask("/mintManagerFeeBatch", { json: { ...about, pools } })
      const usdc = yield* OnChain.token(network, "USDC")
      const many = Array.from({ length: 101 }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`)
      refused(yield* batch(many), "1004", /^pools: must be 1 to 100 vaults, not 101$/)
      refused(yield* batch([]), "1004", /^pools: must be 1 to 100 vaults, not 0$/)
      refused(
        yield* batch([pool, address, usdc]),
        "1004",
        new RegExp(`^pools: not a vault of the platform on base: ${address}, ${usdc}$`)
      )
      refused(
        yield* batch([pool, pool?.toUpperCase().replace("0X", "0x")]),
        "1004",
        new RegExp(`^pools: lists more than once: ${pool}$`)
      )
      refused(yield* batch([pool, "0x12", "vault"]), "1004", /^pools: has invalid items at positions 2, 3$/)
      refused(yield* ask("/mintAllFeesByManager", { json: { ...about, manager: "me" } }), "1005", /^manager: /)
      refused(yield* ask("/mintManagerFee", { json: { ...about, pool: manager } }), "1004", /^pool: /)
      assert.deepStrictEqual(yield* ledger, before)
      const nobody = succeeded(yield* ask("/mintAllFeesByManager", { json: { ...about, manager: address } }))
      assert.deepInclude(nobody, { matched: 0, eligible: 0, count: 0, minted: 0, tx_hash: null, charge_usd: 0 })
      assert.match(String(nobody["message"]), /manages no vault on base; nothing was sent/)
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("may be minted by a key with limits for the vaults it is allowed, for a mint takes nothing out of them", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, manager, pools: [own, other], sent } = yield* scene(2)
      yield* limit(address, { vaults: [`${network}/${own!}`], maxUsd18PerTrade: 0n, maxUsd18PerDay: 0n })
      const saying = new RegExp(
        `may trade only ${network}/${own}, and the request is about ${network}/${other}. Nothing was sent`
      )
      const batch = (pools: ReadonlyArray<unknown>, dryRun = false) =>
        ask("/mintManagerFeeBatch", { json: { ...about, pools, dryRun } })
      failed(yield* batch([own, other], true), "limit_exceeded", saying)
      failed(yield* batch([own, other]), "limit_exceeded", saying)
      failed(yield* ask("/mintAllFeesByManager", { json: { ...about, manager } }), "limit_exceeded", saying)
      failed(yield* ask("/mintManagerFee", { json: { ...about, pool: other } }), "limit_exceeded", saying)
      assert.strictEqual(yield* sent, 0)
      assert.deepInclude(succeeded(yield* batch([own])), { minted: 1 })
      yield* earn(own!, 1_000n)
      assert.deepInclude(succeeded(yield* ask("/mintManagerFee", { json: { ...about, pool: own } })), { hasFee: true })
      yield* limit(address, { readOnly: true })
      failed(yield* batch([own], true), "limit_exceeded", /read-only/)
      assert.strictEqual(yield* sent, 2)
    }))

  it.effect("need gas, and are refused without it", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { manager, pools } = yield* scene(2)
      const poor = yield* wallet
      const about = { apiKey: poor.apiKey, network }
      for (
        const [path, json] of [["/mintManagerFee", { pool: pools[0] }], ["/mintManagerFeeBatch", { pools }], [
          "/mintAllFeesByManager",
          { manager }
        ]] as const
      ) {
        failed(yield* ask(path, { json: { ...about, ...json } }), "insufficient_gas", /Nothing was sent/)
      }
      assert.strictEqual(yield* OnChain.transactionCount(network, poor.address), 0)
    }))
})
