import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { LiquidityBook, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Dex } from "@vault-trader/core/liquidity/Dex"
import {
  ClaimRewardsRequest,
  CollectFeesRequest,
  StakeLiquidityRequest,
  UnstakeLiquidityRequest
} from "@vault-trader/core/liquidity/Liquidity"
import * as Artifact from "@vault-trader/devnet/contract/Artifact"
import * as Bundle from "@vault-trader/devnet/contract/Bundle"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi, zeroAddress } from "viem"
import { Tokens, erc20 } from "../../src/chain/Tokens.ts"
import { AddLiquidity } from "../../src/liquidity/AddLiquidity.ts"
import { CollectFees } from "../../src/liquidity/CollectFees.ts"
import { ClaimRewards, StakeLiquidity, UnstakeLiquidity } from "../../src/liquidity/StakePosition.ts"
import { throughVault, type VaultCall } from "../../src/platform/VaultCall.ts"
import type { PlanContext } from "../../src/vault/Action.ts"
import * as PositionDetails from "../../src/vault/PositionDetails.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { ether, liquidity, liquiditySuite, usdc } from "./TestLiquidity.ts"

const managerAbi = parseAbi([
  "function ownerOf(uint256) view returns (address)",
  "function approve(address to, uint256 tokenId)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "struct Mint { address token0; address token1; int24 tickSpacing; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; uint160 sqrtPriceX96; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])
const chefAbi = parseAbi([
  "function harvest(uint256 tokenId, address to)",
  "function withdraw(uint256 tokenId, address to)",
  "function deposit(uint256 tokenId)"
])
const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)"
])

/** The vault with the position managers enabled, on a network whose book has both exchanges. */
const staking = Effect.gen(function*() {
  const vault = yield* liquidity
  const { book, chain, entry, owner, rpc, token } = vault
  const { pancakeCl, velodromeCl } = entry
  if (pancakeCl === undefined || velodromeCl === undefined) return yield* Effect.die(new Error("no exchanges"))
  const both = NetworkBook.make({
    ...book,
    pancakeCl: LiquidityBook.make({ positionManager: pancakeCl.positionManager, staking: [pancakeCl.masterChef] })
  })
  const place: PlanContext = { ...vault.place, chain: { ...chain, book: both } }
  const managers = { velodromeCl: velodromeCl.positionManager, pancakeCl: pancakeCl.positionManager }
  yield* vault.asManager(
    "changeAssets",
    Object.values(managers).map((asset) => ({ asset, isDeposit: false })),
    [token("LINK").address]
  )
  const request = (tokenId: bigint, dex?: Dex) => ({
    ...{ asset1: "WETH", asset2: "USDC", tokenId },
    ...(dex === undefined ? {} : { dex })
  })
  /** Swaps USDC to WETH in the Uniswap V3 pool behind a pool, as another account. */
  const swapBehind = (factory: Address, fee: number, amountIn: bigint) =>
    Effect.gen(function*() {
      const { uniswap } = yield* Bundle.load
      const router = yield* vault.deployer.deploy(
        Artifact.link(uniswap.router, {}),
        zeroAddress,
        factory,
        zeroAddress,
        token("WETH").address
      )
      yield* vault.devnet.mintToken({ network, symbol: "USDC", address: owner, amount: amountIn })
      yield* vault.send(owner, token("USDC").address, erc20, "approve", router.address, amountIn)
      yield* vault.send(owner, router.address, routerAbi, "exactInputSingle", {
        ...{ tokenIn: token("USDC").address, tokenOut: token("WETH").address, fee, recipient: owner, amountIn },
        ...{ amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
      })
    })
  return {
    ...vault,
    ...{ managers, place, swapBehind, velodromeCl, pancakeCl },
    chain: place.chain,
    add: (add: Parameters<typeof vault.add>[0]) => vault.add(add, place),
    remove: (...[id, remove]: Parameters<typeof vault.remove>) => vault.remove(id, remove, place),
    stake: (id: bigint, dex?: Dex) => vault.done(StakeLiquidity, StakeLiquidityRequest.make(request(id, dex)), place),
    unstake: (id: bigint) => vault.done(UnstakeLiquidity, UnstakeLiquidityRequest.make(request(id)), place),
    claim: (id: bigint) => vault.done(ClaimRewards, ClaimRewardsRequest.make(request(id)), place),
    collect: (id: bigint) => vault.done(CollectFees, CollectFeesRequest.make(request(id)), place),
    planStake: (id: bigint, dex?: Dex) =>
      vault.plan(StakeLiquidity, StakeLiquidityRequest.make(request(id, dex)), place),
    planClaim: (id: bigint) => vault.plan(ClaimRewards, ClaimRewardsRequest.make(request(id)), place),
    planCollect: (id: bigint) => vault.plan(CollectFees, CollectFeesRequest.make(request(id)), place),
    planUnstake: (id: bigint) => vault.plan(UnstakeLiquidity, UnstakeLiquidityRequest.make(request(id)), place),
    ownerOf: (dex: "velodromeCl" | "pancakeCl", id: bigint) =>
      Effect.map(vault.read(managers[dex], managerAbi, Schema.String, "ownerOf", id), (owner) => owner.toLowerCase()),
    pass: (seconds: number) => Effect.andThen(rpc.increaseTime(seconds), rpc.mine)
  }
})

liquiditySuite("positions that can be staked", (it) => {
  it.effect("at Velodrome: added by tick spacing, staked, claimed, added to while staked, and removed with their rewards", () =>
    Effect.gen(function*() {
      const { add, chain, claim, held, managers, ownerOf, pass, pool, remove, stake, velodromeCl } = yield* staking
      const { result } = yield* add({ dex: "velodromeCl", spacing: 100, amount: "5000", lower: "2500", upper: "3600" })
      const id = result.token_id!
      assert.deepInclude(result, {
        dex: "velodromeCl",
        position_manager: managers.velodromeCl,
        fee_tier: null,
        tick_spacing: 100,
        staked: false,
        is_new: true
      })
      const [gauge] = velodromeCl.gauges
      const staked = yield* stake(id)
      assert.deepInclude(staked.result, { staked: true, staking_contract: gauge, token_id: id })
      assert.strictEqual(yield* ownerOf("velodromeCl", id), gauge)
      // The composition names it, where it is staked.
      const lineOf = PositionDetails.make({ network, pool, chain, tokens: yield* Tokens })
      const line = { asset: managers.velodromeCl, type: 26, token: undefined, balance: 1n }
      const details = (yield* lineOf([line])).get(managers.velodromeCl)
      assert.match(
        details?.label ?? "",
        new RegExp(`^Velodrome CL position #${id} (WETH/USDC|USDC/WETH) tick spacing 100, staked$`)
      )
      yield* pass(100)
      const claimed = yield* claim(id)
      assert.match(claimed.message, /^Claimed [\d.]+ AERO for position \d+\.$/)
      assert.strictEqual(claimed.result.rewards?.[0]?.raw, yield* held("AERO"))
      assert.isAtLeast(Number(yield* held("AERO")), 1e18)
      const more = yield* add({ dex: "velodromeCl", spacing: 100, amount: "1000", lower: "2500", upper: "3600" })
      assert.deepInclude(more.result, { token_id: id, is_new: false, staked: true })
      assert.strictEqual(yield* ownerOf("velodromeCl", id), gauge)
      const half = yield* remove(id, { percent: 50 })
      assert.deepInclude(half.result, { burnt: false, staked: true })
      assert.strictEqual(yield* ownerOf("velodromeCl", id), gauge)
      const before = [yield* held("WETH"), yield* held("USDC"), yield* held("AERO")] as const
      yield* pass(100)
      const rest = yield* remove(id)
      assert.deepInclude(rest.result, { burnt: true, staked: false })
      assert.deepStrictEqual(rest.result.removed?.map(({ raw }) => raw), [
        (yield* held("WETH")) - before[0],
        (yield* held("USDC")) - before[1]
      ])
      assert.deepStrictEqual(rest.result.rewards?.map(({ raw }) => raw), [(yield* held("AERO")) - before[2]])
    }))

  it.effect("at Pancake: sent to MasterChefV3, collected, harvested and taken back", () =>
    Effect.gen(function*() {
      const { add, claim, collect, ownerOf, pancakeCl, pass, pool, remove, stake, swapBehind, unstake } = yield* staking
      const { result } = yield* add({ dex: "pancakeCl", fee: 2500, amount: "5000" })
      assert.deepInclude(result, { dex: "pancakeCl", fee_tier: 2500, tick_spacing: null })
      const id = result.token_id!
      assert.deepInclude((yield* stake(id)).result, { staked: true, staking_contract: pancakeCl.masterChef })
      yield* pass(50)
      yield* swapBehind(pancakeCl.factory, 2500, 1_000n * usdc)
      const collected = yield* collect(id)
      assert.isAbove(Number(collected.result.fees?.[1]?.raw), 0)
      assert.deepStrictEqual(collected.result.rewards?.map(({ symbol }) => symbol), ["CAKE"])
      assert.strictEqual(yield* ownerOf("pancakeCl", id), pancakeCl.masterChef)
      yield* pass(50)
      assert.match((yield* claim(id)).message, /^Claimed [\d.]+ CAKE for position/)
      yield* pass(50)
      const back = yield* unstake(id)
      assert.match(back.message, /^Unstaked position \d+ and received [\d.]+ CAKE\.$/)
      assert.strictEqual(yield* ownerOf("pancakeCl", id), pool)
      assert.deepInclude((yield* remove(id)).result, { burnt: true, rewards: [] })
    }))

  it.effect("are planned with the gas of a reward that accrues only after the plan was simulated", () =>
    Effect.gen(function*() {
      const { add, chain, pass, place, planClaim, planUnstake, pool: vault, stake } = yield* staking
      const pools = [{ dex: "velodromeCl", spacing: 100 }, { dex: "pancakeCl", fee: 2500 }] as const
      for (const pool of pools) {
        const id = (yield* add({ ...pool, amount: "100" })).result.token_id!
        yield* stake(id)
        const plans = [yield* planClaim(id), yield* planUnstake(id)]
        yield* pass(60)
        for (const { calls, estimate } of plans) {
          const call = { from: place.wallet, to: vault, data: throughVault(calls), value: 0n }
          assert.isAtLeast(Number(estimate?.gas ?? 0n), Number(yield* chain.estimateGas(call)))
        }
      }
    }))

  it.effect("pay the fees that they have earned when these are collected, and nothing is sent when there are none", () =>
    Effect.gen(function*() {
      const { add, collect, held, planCollect, swapBehind, velodromeCl } = yield* staking
      const { result } = yield* add({ dex: "velodromeCl", spacing: 100, amount: "10000", lower: "2900", upper: "3100" })
      const id = result.token_id!
      const nothing = yield* planCollect(id)
      assert.deepStrictEqual(nothing.calls, [])
      assert.match(nothing.nothingToDo, /is owed no fees\. Nothing was sent\.$/)
      yield* swapBehind(velodromeCl.core, 400, 2_000n * usdc)
      const before = [yield* held("WETH"), yield* held("USDC")] as const
      const { planned, result: fees } = yield* collect(id)
      const came = [(yield* held("WETH")) - before[0], (yield* held("USDC")) - before[1]]
      assert.deepStrictEqual(fees.fees?.map(({ raw }) => raw), came)
      assert.deepStrictEqual(planned.fees?.map(({ raw }) => raw), came)
      assert.isAbove(Number(came[1]), 0)
    }))

  it.effect("are chosen by name, or the first that the vault has enabled and that has the pool", () =>
    Effect.gen(function*() {
      const { add, place, planAdd } = yield* staking
      assert.strictEqual((yield* add({ fee: 2500, amount: "100" })).result.dex, "pancakeCl")
      assert.strictEqual((yield* add({ spacing: 200, amount: "100" })).result.dex, "velodromeCl")
      assert.strictEqual((yield* add({ fee: 3000, amount: "100" })).result.dex, "uniswapV3")
      const missing = yield* refusal(planAdd({ spacing: 5 }, place))
      assert.match(missing.message, /^There is no pool of tick spacing 5 of WETH and USDC on optimism/)
      const elsewhere = yield* refusal(planAdd({ dex: "pancakeCl" }))
      assert.match(elsewhere.message, /^Vaults cannot have positions of pancakeCl on optimism\. Nothing was sent/)
      const base = {
        ...place,
        chain: { ...place.chain, book: NetworkBook.make({ ...place.chain.book, network: "base" }) }
      }
      const { details } = yield* planAdd({ amount: "100" }, base)
      assert.propertyVal((details as { place: object }).place, "dex", "velodromeCl")
    }))

  it.effect("are refused by name: not enabled, not staked, not stakeable, and the platform's limit", () =>
    Effect.gen(function*() {
      const { add, asManager, managers, place, planAdd, planClaim, planStake, planUnstake, token } = yield* staking
      const first = yield* add({ dex: "velodromeCl", spacing: 200, amount: "100" })
      const id = first.result.token_id!
      assert.match((yield* refusal(planClaim(id))).message, /^Position \d+ is not staked, so it has no rewards/)
      const idle = yield* planUnstake(id)
      assert.deepStrictEqual([idle.calls, idle.nothingToDo], [[], `Position ${id} is not staked. Nothing was sent.`])
      const uniswap = yield* add({ dex: "uniswapV3", fee: 3000, amount: "100" })
      const unstakeable = yield* refusal(planStake(uniswap.result.token_id!, "uniswapV3"))
      assert.match(unstakeable.message, /allows no staking of this position of uniswapV3/)
      const dollars = yield* add({ dex: "velodromeCl", spacing: 1, pair: ["DAI", "USDC"], amount: "100" })
      assert.isNotNull(dollars.result.token_id)
      // As on Uniswap, three at most.
      yield* add({ dex: "velodromeCl", spacing: 200, amount: "100", lower: "2000", upper: "4000" })
      const fourth = yield* refusal(
        planAdd({ dex: "velodromeCl", spacing: 200, amount: "100", lower: "2500", upper: "3500" }, place)
      )
      assert.match(fourth.message, /as many positions as the platform allows.*max position reached/)
      yield* asManager("changeAssets", [{ asset: token("LINK").address, isDeposit: false }], [managers.pancakeCl])
      const disabled = yield* refusal(planAdd({ dex: "pancakeCl" }, place))
      assert.strictEqual(disabled.errorType, "asset_not_enabled")
      assert.match(disabled.message, /^pancakeCl's position manager \(0x[0-9a-f]+\) is not enabled/)
    }))

  it.effect("have to be named by their exchange where two have the same id", () =>
    Effect.gen(function*() {
      const { add, planUnstake, stake } = yield* staking
      const { result } = yield* add({ dex: "velodromeCl", spacing: 200, amount: "100" })
      const id = result.token_id!
      let other = 0n
      for (const lower of ["1000", "1500", "2000"]) {
        if (other < id) other = (yield* add({ dex: "pancakeCl", fee: 2500, amount: "50", lower })).result.token_id!
      }
      assert.strictEqual(other, id)
      const failure = yield* Effect.flip(planUnstake(id))
      assert.match(
        failure.message,
        /^dex: the vault has a position \d+ at velodromeCl and at pancakeCl; name one of them$/
      )
      assert.deepInclude((yield* stake(id, "pancakeCl")).result, { dex: "pancakeCl", staked: true })
    }))

  it.effect("are signed for the vault alone: no other spender, sender, receiver, gauge or new pool", () =>
    Effect.gen(function*() {
      const { add, chain, managers, pancakeCl, planAdd, planStake, place, pool, stranger, token, velodromeCl } =
        yield* staking
      const { result } = yield* add({ dex: "velodromeCl", spacing: 100, amount: "1000" })
      const staked = yield* planStake(result.token_id!)
      const read = (call: VaultCall) => StakeLiquidity.decodeMovement(chain, call)
      assert.deepStrictEqual(staked.calls.map(read), [
        { gives: [], receiver: null },
        { gives: [], receiver: null }
      ])
      const minted = (yield* planAdd({ dex: "velodromeCl", spacing: 200, amount: "1000" }, place)).calls
      const movements = minted.map((call) => AddLiquidity.decodeMovement(chain, call))
      assert.isTrue(movements.every((each) => each !== undefined))
      assert.deepStrictEqual(movements.at(-1), { gives: [], receiver: pool })
      const [gauge] = velodromeCl.gauges
      const approve = (to: Address, spender: Address) => ({
        to,
        data: encodeFunctionData({ abi: managerAbi, functionName: "approve", args: [spender, 1n] })
      })
      const send = (from: Address, receiver: Address) => ({
        to: managers.pancakeCl,
        data: encodeFunctionData({ abi: managerAbi, functionName: "safeTransferFrom", args: [from, receiver, 1n] })
      })
      const chef = (to: Address, name: "harvest" | "withdraw", receiver: Address) => ({
        to,
        data: encodeFunctionData({ abi: chefAbi, functionName: name, args: [1n, receiver] })
      })
      const opening = {
        to: managers.velodromeCl,
        data: encodeFunctionData({
          abi: managerAbi,
          functionName: "mint",
          args: [{
            ...{ token0: token("WETH").address, token1: token("USDC").address, tickSpacing: 100 },
            ...{ tickLower: -100, tickUpper: 100, amount0Desired: ether, amount1Desired: 0n },
            ...{ amount0Min: 0n, amount1Min: 0n, recipient: pool, deadline: 1n, sqrtPriceX96: 1n }
          }]
        })
      }
      const refused: ReadonlyArray<VaultCall> = [
        approve(managers.velodromeCl, stranger),
        approve(managers.pancakeCl, gauge!),
        approve(managers.velodromeCl, pancakeCl.masterChef),
        // A token is not a position.
        approve(token("WETH").address, gauge!),
        send(pool, stranger),
        { to: stranger, data: encodeFunctionData({ abi: chefAbi, functionName: "deposit", args: [1n] }) },
        chef(gauge!, "withdraw", pool),
        { to: pancakeCl.masterChef, data: encodeFunctionData({ abi: chefAbi, functionName: "deposit", args: [1n] }) },
        opening
      ]
      for (const call of refused) {
        assert.isUndefined(read(call))
        assert.isUndefined(AddLiquidity.decodeMovement(chain, call))
      }
      // Others are read, and the signer compares their receiver with the vault.
      assert.strictEqual(read(send(stranger, pancakeCl.masterChef))?.receiver, stranger)
      assert.strictEqual(read(chef(pancakeCl.masterChef, "harvest", stranger))?.receiver, stranger)
      assert.strictEqual(read(chef(pancakeCl.masterChef, "withdraw", stranger))?.receiver, stranger)
    }))
})
