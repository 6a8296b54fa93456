/**
 * The devnet's vault that may have positions, and its actions: planned, stored as in the ledger, executed, interpreted.
 */
import { layer as suite } from "@effect/vitest"
import { AddLiquidityRequest, RemoveLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import type { Dex } from "@vault-trader/core/liquidity/Dex"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import { erc20 } from "../../src/chain/Tokens.ts"
import { AddLiquidity } from "../../src/liquidity/AddLiquidity.ts"
import { RemoveLiquidity } from "../../src/liquidity/RemoveLiquidity.ts"
import type { Action, PlanContext } from "../../src/vault/Action.ts"
import { network, TestDevnet, testVaultOn } from "../vault/TestVault.ts"

const managerAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)"
])
const poolAbi = parseAbi(["function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)"])
const factoryAbi = parseAbi(["function getPool(address, address, uint24) view returns (address)"])
const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)"
])
const logicAbi = parseAbi(["function assetBalance(address) view returns (uint256)"])

const Side = Schema.Struct({
  asset: Schema.String,
  symbol: Schema.String,
  amount: Schema.String,
  raw: Schema.BigIntFromString
})
const Told = Schema.Struct({
  position_manager: Schema.String,
  dex: Schema.String,
  staked: Schema.Boolean,
  fee_tier: Schema.NullOr(Schema.Int),
  tick_spacing: Schema.NullOr(Schema.Int),
  lower_price: Schema.NullOr(Schema.String),
  upper_price: Schema.NullOr(Schema.String),
  token_id: Schema.NullOr(Schema.BigIntFromString),
  is_new: Schema.optional(Schema.Boolean),
  liquidity: Schema.optional(Schema.BigIntFromString),
  added: Schema.optional(Schema.Array(Side)),
  removed: Schema.optional(Schema.Array(Side)),
  fees: Schema.optional(Schema.Array(Side)),
  rewards: Schema.optional(Schema.Array(Side)),
  staking_contract: Schema.optional(Schema.NullOr(Schema.String)),
  minimum: Schema.optional(Schema.Array(Side)),
  burnt: Schema.optional(Schema.Boolean),
  swapped: Schema.optional(
    Schema.NullOr(Schema.Struct({ venue: Schema.String, sold: Schema.String, bought: Schema.String }))
  )
})
const decodeFields = Schema.decodeUnknownEffect(Told)

export interface Add {
  readonly input?: string
  readonly pair?: readonly [string, string]
  readonly fee?: 100 | 500 | 2500 | 3000 | 10000
  readonly dex?: Dex
  readonly spacing?: number
  readonly lower?: string
  readonly upper?: string
  readonly share?: number
  readonly amount?: string
  readonly slippage?: number
}
export interface Remove {
  readonly dex?: Dex
  readonly pair?: readonly [string, string]
  readonly percent?: number
  readonly output?: string
  readonly slippage?: number
}

const decimal = (text: string | undefined) => text === undefined ? undefined : BigDecimal.fromStringUnsafe(text)
const given = <A extends object>(members: A) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

export const addition = (
  { amount, dex, fee, input = "USDC", lower, pair = ["WETH", "USDC"], share, slippage = 0.5, spacing, upper }: Add
) =>
  AddLiquidityRequest.make({
    asset1: pair[0],
    asset2: pair[1],
    inputAsset: input,
    slippage,
    platform: "auto",
    ...given({ dex, feeTier: fee, tickSpacing: spacing }),
    ...given({ lowerPrice: decimal(lower), upperPrice: decimal(upper), share, amount: decimal(amount) })
  })
export const removal = (
  tokenId: bigint,
  { dex, output, pair = ["WETH", "USDC"], percent = 100, slippage = 0.5 }: Remove
) =>
  RemoveLiquidityRequest.make({
    asset1: pair[0],
    asset2: pair[1],
    tokenId,
    percent,
    slippage,
    platform: "auto",
    ...given({ dex, outputAsset: output })
  })

export const liquidity = Effect.gen(function*() {
  const vault = yield* testVaultOn(network, 1)
  const { entry, owner, pool, read, rpc, token } = vault
  const manager = entry.uniswapV3.positionManager
  const numbers = Schema.Array(Schema.Union([Schema.BigInt, Schema.Number, Schema.String, Schema.Boolean]))

  const planStored = <R, N>(action: Action<R, N>, request: R, place: PlanContext = vault.place) =>
    Effect.map(action.plan(place, request), (decision) => {
      // The ledger keeps details as JSON between planning and settlement.
      const details: unknown = JSON.parse(JSON.stringify(decision.details))
      return { ...decision, details, shown: decodeFields(action.describe(details)) }
    })
  const done = <R, N>(action: Action<R, N>, request: R, place: PlanContext = vault.place) =>
    Effect.gen(function*() {
      const { calls, details, shown, worth } = yield* planStored(action, request, place)
      const receipt = yield* vault.execute(calls)
      const { message, result } = yield* action.interpretReceipt({ network, pool }, details, receipt)
      return { calls, message, worth, planned: yield* shown, result: yield* decodeFields(result) }
    })
  const uniswapPool = (fee: number) =>
    read(
      entry.uniswapV3.factory,
      factoryAbi,
      Schema.String,
      "getPool",
      token("WETH").address,
      token("USDC").address,
      fee
    )

  const ownerHolds = (symbol: string) => read(token(symbol).address, erc20, Schema.BigInt, "balanceOf", owner)
  /** Swaps in one pool as another account. */
  const swap = (fee: number, from: string, to: string, amountIn: bigint) =>
    Effect.gen(function*() {
      const spend = encodeFunctionData({
        abi: erc20,
        functionName: "approve",
        args: [entry.uniswapV3.router, amountIn]
      })
      yield* rpc.send({ from: owner, to: token(from).address, data: spend })
      const args = [{
        tokenIn: token(from).address,
        tokenOut: token(to).address,
        fee,
        recipient: owner,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      }] as const
      yield* rpc.send({
        from: owner,
        to: entry.uniswapV3.router,
        data: encodeFunctionData({ abi: routerAbi, functionName: "exactInputSingle", args })
      })
    })
  const mintDollars = (amount: bigint) => vault.devnet.mintToken({ network, symbol: "USDC", address: owner, amount })

  return {
    ...vault,
    manager,
    plan: planStored,
    done,
    planAdd: (add: Add, place?: PlanContext) => planStored(AddLiquidity, addition(add), place),
    planRemove: (tokenId: bigint, remove: Remove = {}, place?: PlanContext) =>
      planStored(RemoveLiquidity, removal(tokenId, remove), place),
    add: (add: Add, place?: PlanContext) => done(AddLiquidity, addition(add), place),
    remove: (tokenId: bigint, remove: Remove = {}, place?: PlanContext) =>
      done(RemoveLiquidity, removal(tokenId, remove), place),
    /** The vault's number of positions. */
    positions: read(manager, managerAbi, Schema.BigInt, "balanceOf", pool),
    liquidityOf: (tokenId: bigint) =>
      Effect.map(read(manager, managerAbi, numbers, "positions", tokenId), (fields) => BigInt(fields[7] ?? 0)),
    /** The platform's value of the vault's positions, USD with 18 decimals. */
    worthOfPositions: read(vault.poolManagerLogic, logicAbi, Schema.BigInt, "assetBalance", manager),
    /** The tick of WETH/USDC's pool of this fee. */
    tickOf: (fee: number) =>
      Effect.flatMap(
        uniswapPool(fee),
        (address) =>
          Effect.map(read(address.toLowerCase() as typeof pool, poolAbi, numbers, "slot0"), (slot) => Number(slot[1]))
      ),
    /** Swaps this much USDC to WETH and back in one pool, as another account, so that its positions earn fees. */
    churn: (fee: number, usdc: bigint) =>
      Effect.gen(function*() {
        yield* mintDollars(usdc)
        const before = yield* ownerHolds("WETH")
        yield* swap(fee, "USDC", "WETH", usdc)
        yield* swap(fee, "WETH", "USDC", (yield* ownerHolds("WETH")) - before)
      }),
    /** Moves a pool's price by buying WETH for this much USDC; moved back at the end of the scope. */
    movePool: (fee: number, usdc: bigint) =>
      Effect.gen(function*() {
        yield* mintDollars(usdc)
        const before = yield* ownerHolds("WETH")
        yield* swap(fee, "USDC", "WETH", usdc)
        const bought = (yield* ownerHolds("WETH")) - before
        yield* Effect.addFinalizer(() => Effect.orDie(swap(fee, "WETH", "USDC", bought)))
      })
  }
})

export const usdc = 1_000_000n
export const ether = 10n ** 18n

/** A suite on one small devnet. */
export const liquiditySuite = suite(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })
