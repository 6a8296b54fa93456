import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { parseAbi, parseUnits } from "viem"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import {
  type Answer,
  type Fields,
  ledger,
  rows,
  Running,
  running,
  trader,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import { velodromePosition } from "@vault-trader/testing/harness/LiquiditySetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const network = "base"
const charge = 0.1
const managerAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)"
])

const failed = ({ body, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, body["status_code"]], [400, code], text)
  assert.match(String(body["message"]), saying)
}
const amountsOf = (sides: unknown) => (sides as ReadonlyArray<Fields>).map(({ raw }) => BigInt(String(raw)))

/** The trader of the vault that may have positions, and reads of the chain. */
const provider = Effect.gen(function*() {
  const { ask } = yield* Running
  const { file } = yield* Devnet
  const pool = yield* yieldVault(network)
  const by = yield* trader({ network, pool })
  const manager = file.networks[network]?.uniswapV3.positionManager ?? "0x"
  const about = { apiKey: by.apiKey, network, pool, asset1: "WETH", asset2: "USDC" }
  return {
    ...by,
    manager,
    about,
    add: (json: Fields) => ask("/addLiquidity", { json: { ...about, input_asset: "USDC", ...json } }),
    remove: (json: Fields) => ask("/removeLiquidity", { json: { ...about, ...json } }),
    held: Effect.all([OnChain.balanceOf(network, "WETH", pool), OnChain.balanceOf(network, "USDC", pool)]),
    positions: OnChain.read(network, manager, managerAbi, "balanceOf", [pool]),
    liquidityOf: (id: unknown) =>
      Effect.map(OnChain.read(network, manager, managerAbi, "positions", [BigInt(String(id))]), (fields) => fields[7]),
    sent: OnChain.transactionCount(network, by.address),
    charges: rows(`select action, usd::float8 as usd from charges where wallet = '${by.address}' order by created_at`)
  }
})

layer(running(), { timeout: 120_000, excludeTestServices: true })("liquidity", (it) => {
  it.effect("is quoted by a dry run, provided in one transaction, shown in the composition, and taken back to the last unit", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, add, apiKey, charges, held, liquidityOf, manager, pool, positions, remove, sent } = yield* provider
      const before = yield* held
      const dry = succeeded(yield* add({ amount: 10_000, fee_tier: 3000, dryRun: true }))
      const plan = dry["plan"] as Fields
      assert.deepInclude(plan, {
        position_manager: manager,
        fee_tier: 3000,
        is_new: true,
        lower_price: null,
        upper_price: null
      })
      assert.strictEqual((plan["charge"] as Fields)["usd"], charge)
      assert.deepStrictEqual([yield* sent, yield* charges, yield* held], [0, [], before])

      const added = succeeded(yield* add({ amount: 10_000, fee_tier: 3000, idempotency_key: "provide" }))
      const [weth, usdc] = amountsOf(added["added"])
      assert.deepInclude(added, { position_manager: manager, is_new: true, charge_usd: charge })
      assert.strictEqual(yield* liquidityOf(added["token_id"]), BigInt(String(added["liquidity"])))
      const between = yield* held
      const [sold, bought] = [(added["swapped"] as Fields)["sold"], (added["swapped"] as Fields)["bought"]].map((
        text
      ) => String(text).split(" ")[0]!)
      assert.strictEqual(before[1] - between[1], usdc! + parseUnits(sold!, 6))
      assert.strictEqual(between[0] - before[0], parseUnits(bought!, 18) - weth!)
      assert.isAtMost(Number(before[1] - between[1]), 10_000e6)
      assert.strictEqual(Number((yield* OnChain.receipt(network, added["tx_hash"])).status), 1)
      assert.deepStrictEqual([yield* sent, yield* positions, yield* charges], [1, 1n, [{
        action: "liquidity",
        usd: charge
      }]])
      assert.deepStrictEqual(
        succeeded(yield* add({ amount: 10_000, fee_tier: 3000, idempotency_key: "provide" })),
        added
      )
      assert.strictEqual(yield* sent, 1)

      const composition = succeeded(yield* ask("/poolComposition", { query: { apiKey, network, pool } }))
      const line = (composition["composition"] as ReadonlyArray<Fields>).find(({ asset }) => asset === manager)
      assert.strictEqual(line?.["kind"], "position")
      assert.approximately(Number(line?.["value_usd"]), 10_000, 60)

      const half = succeeded(yield* remove({ token_id: added["token_id"], amount: 50, output_asset: "both" }))
      assert.deepInclude(half, { burnt: false, swapped: null, token_id: added["token_id"] })
      const rest = succeeded(
        yield* ask("/removeLiquidity", { query: { ...about, token_id: String(added["token_id"]) } })
      )
      assert.isTrue(rest["burnt"])
      const came = [half, rest].map(({ removed }) => amountsOf(removed)).reduce(
        (sum, each) => sum.map((amount, index) => amount + each[index]!),
        [0n, 0n]
      )
      const after = yield* held
      assert.deepStrictEqual([after[0] - between[0], after[1] - between[1]], came)
      assert.deepStrictEqual([yield* positions, yield* sent, (yield* charges).length], [0n, 3, 3])
    }))

  it.effect("in a range is added to where it is, and ends in the asset that is wanted", () =>
    Effect.gen(function*() {
      const { add, held, liquidityOf, positions, remove } = yield* provider
      const range = { fee_tier: 500, lower_price: 2500, upper_price: "3.6e3" }
      const first = succeeded(yield* add({ ...range, amount: 5_000 }))
      assert.approximately(Number(first["lower_price"]), 2500, 3)
      assert.approximately(Number(first["upper_price"]), 3600, 4)
      const second = succeeded(yield* add({ ...range, input_asset: "WETH", amount: 1 }))
      assert.deepInclude(second, { token_id: first["token_id"], is_new: false })
      assert.strictEqual(
        yield* liquidityOf(first["token_id"]),
        BigInt(String(first["liquidity"])) + BigInt(String(second["liquidity"]))
      )
      const before = yield* held
      const out = succeeded(yield* remove({ token_id: first["token_id"], output_asset: "USDC", slippage: 1 }))
      assert.match(String((out["swapped"] as Fields)["sold"]), / WETH$/)
      const after = yield* held
      assert.approximately(Number(after[1] - before[1]) / 1e6, 8_000, 100)
      assert.isBelow(Number(after[0] - before[0]) / 1e18, 0.05)
      assert.strictEqual(yield* positions, 0n)
    }))

  it.effect("in a range beside the price is one asset alone, bought with all of what is given, and all of it comes back", () =>
    Effect.gen(function*() {
      const { add, held, positions, remove } = yield* provider
      const [weth] = yield* held
      const added = succeeded(yield* add({ fee_tier: 500, lower_price: 4000, upper_price: 5000, amount: 3_000 }))
      const [inWeth, inUsdc] = amountsOf(added["added"])
      assert.approximately(Number(inWeth) / 1e18, 1, 0.02)
      assert.strictEqual(inUsdc, 0n)
      assert.match(String((added["swapped"] as Fields)["sold"]), /^3000 USDC$/)
      const [between, usdc] = yield* held
      const back = succeeded(yield* remove({ token_id: added["token_id"] }))
      assert.deepInclude(back, { burnt: true, swapped: null })
      const [came] = amountsOf(back["removed"])
      assert.deepStrictEqual(yield* held, [between + came!, usdc])
      // The pool keeps rounding remainders, a unit at a time.
      assert.approximately(Number(came! - inWeth!), 0, 2)
      assert.isTrue(between + came! > weth)
      assert.strictEqual(yield* positions, 0n)
    }))

  it.effect("is refused by name, and nothing is sent or charged for any of it", () =>
    Effect.gen(function*() {
      const { add, charges, remove, sent } = yield* provider
      const before = yield* ledger
      refused(yield* add({ lower_price: 3000, upper_price: 2000 }), "1010", /^upper_price: must be above lower_price$/)
      refused(yield* add({ lower_price: -1 }), "1010", /^lower_price: /)
      refused(yield* add({ fee_tier: 250 }), "1010", /^fee_tier: must be one of 100, 500, 2500, 3000, 10000$/)
      refused(yield* add({ asset2: "NOSUCH" }), "1010", /^asset2: /)
      refused(yield* remove({ token_id: "first" }), "1010", /^token_id: /)
      refused(yield* remove({ token_id: 1, amount: 101 }), "1009", /^amount: /)
      assert.deepStrictEqual(yield* ledger, before)
      refused(yield* add({ input_asset: "DAI" }), "1010", /^input_asset: must be WETH or USDC$/)
      refused(
        yield* add({ lower_price: 3000, upper_price: 3001, fee_tier: 3000 }),
        "1010",
        /at least one step of the pool/
      )
      failed(yield* remove({ token_id: 1 }), "2014", /no position 1 of WETH and USDC\. Nothing was sent/)
      failed(yield* remove({ token_id: "9".repeat(77) }), "2014", /Nothing was sent/)
      failed(yield* add({ fee_tier: 10000 }), "2015", /no pool of fee 10000/)
      failed(yield* add({ amount: 1e9 }), "2002", /less than the requested 1000000000/)
      assert.deepStrictEqual([yield* sent, yield* charges], [0, []])
    }))

  it.effect("is not for a vault that cannot have positions, nor for a wallet that is not its trader", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, pool } = yield* trader()
      const json = { apiKey, network, pool, asset1: "WETH", asset2: "USDC", input_asset: "USDC", amount: 100 }
      failed(yield* ask("/addLiquidity", { json }), "2006", /position manager .* is not enabled/)
      const other: Address = yield* yieldVault(network)
      refused(yield* ask("/addLiquidity", { json: { ...json, pool: other } }), "1006", /not the trader/)
      refused(yield* ask("/removeLiquidity", { json: { ...json, pool: other, token_id: 1 } }), "1006", /not the trader/)
    }))

  it.effect("at Aerodrome is staked, pays its rewards, appears as staked, and ends with nothing staked", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, apiKey, pool, sent } = yield* provider
      const json = { ...about, token_id: yield* velodromePosition(network, pool, apiKey) }
      const staked = succeeded(yield* ask("/stakeLiquidity", { json: { ...json, idempotency_key: "stake" } }))
      assert.deepInclude(staked, { dex: "velodromeCl", staked: true, tick_spacing: 100, fee_tier: null })
      assert.deepStrictEqual(
        succeeded(yield* ask("/stakeLiquidity", { json: { ...json, idempotency_key: "stake" } })),
        staked
      )
      assert.strictEqual(yield* sent, 2)
      const composition = succeeded(yield* ask("/poolComposition", { query: { apiKey, network, pool } }))
      const lines = composition["composition"] as ReadonlyArray<Fields>
      const line = lines.find(({ asset }) => asset === staked["position_manager"])
      assert.match(String(line?.["label"]), /^Aerodrome CL position #\d+ .* tick spacing 100, staked$/)
      assert.approximately(Number(line?.["value_usd"]), 500, 10)
      const rewards = succeeded(yield* ask("/claimRewards", { json }))
      assert.isTrue(rewards["staked"])
      const out = succeeded(yield* ask("/removeLiquidity", { json }))
      assert.deepInclude(out, { burnt: true, staked: false })
      failed(yield* ask("/claimRewards", { json }), "2014", /no position/)
      const capabilities = succeeded(yield* ask("/getCapabilities", { query: { apiKey, network, pool } }))
      assert.deepStrictEqual(
        (capabilities["liquidity"] as ReadonlyArray<Fields>).map(({ allowed, enabled, protocol }) => [
          protocol,
          allowed,
          enabled
        ]),
        [["velodromeCl", true, true], ["pancakeCl", true, false], ["uniswapV3", true, true]]
      )
    }))

  it.effect("is refused where the exchange and the way its pools are named do not fit", () =>
    Effect.gen(function*() {
      const { add } = yield* provider
      refused(yield* add({ dex: "aerodrome", fee_tier: 500 }), "1010", /^fee_tier: velodromeCl .* give tick_spacing$/)
      refused(yield* add({ dex: "uniswapV3", tick_spacing: 100 }), "1010", /^tick_spacing: uniswapV3 .* give fee_tier$/)
      refused(yield* add({ fee_tier: 500, tick_spacing: 100 }), "1010", /^tick_spacing: cannot be given together/)
      refused(yield* add({ dex: "sushi" }), "1010", /^dex: must be one of auto, uniswapV3, velodromeCl, pancakeCl$/)
      failed(yield* add({ dex: "pancakeCl" }), "2006", /^pancakeCl's position manager .* is not enabled/)
    }))
})
