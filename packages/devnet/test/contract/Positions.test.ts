import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { read } from "../../src/contract/Deployer.ts"
import { network, refusal, TestDevnet, tokenAbi, yieldVault } from "./TestVault.ts"

const abi = parseAbi([
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function increaseLiquidity(Increase params) payable returns (uint128, uint256, uint256)",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function decreaseLiquidity(Decrease params) payable returns (uint256, uint256)",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function collect(Collect params) payable returns (uint256, uint256)",
  "function burn(uint256 tokenId) payable",
  "function multicall(bytes[] data) payable returns (bytes[])",
  "function balanceOf(address owner) view returns (uint256)",
  "function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)"
])

const usdc = 1_000_000n
const ether = 10n ** 18n
const forever = 2n ** 40n
const whole = 2n ** 128n - 1n
const fullRange = [-887_220, 887_220] as const

const providing = Effect.gen(function*() {
  const vault = yield* yieldVault
  const manager = vault.entry.uniswapV3.positionManager
  const [token0, token1] = [vault.token("USDC"), vault.token("WETH")].sort() as [Address, Address]
  const usdcFirst = token0 === vault.token("USDC")
  const numbers = Schema.Array(Schema.Union([Schema.BigInt, Schema.Number, Schema.String]))
  const tokenId = vault.readNumber(manager, abi, "tokenOfOwnerByIndex", vault.pool, 0n)
  const mint = (changes: {
    readonly recipient?: Address
    readonly token1?: Address
    readonly ticks?: readonly [number, number]
    readonly fee?: number
  } = {}) => {
    const [tickLower, tickUpper] = changes.ticks ?? fullRange
    return encodeFunctionData({
      abi,
      functionName: "mint",
      args: [{
        token0,
        token1: changes.token1 ?? token1,
        fee: changes.fee ?? 3000,
        tickLower,
        tickUpper,
        amount0Desired: usdcFirst ? 6000n * usdc : 2n * ether,
        amount1Desired: usdcFirst ? 2n * ether : 6000n * usdc,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: changes.recipient ?? vault.pool,
        deadline: forever
      }]
    })
  }
  return {
    ...vault,
    positionManager: manager,
    tokenId,
    mint,
    usdcFirst,
    decrease: (id: bigint, liquidity: bigint) =>
      encodeFunctionData({
        abi,
        functionName: "decreaseLiquidity",
        args: [{ tokenId: id, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: forever }]
      }),
    collect: (id: bigint, recipient = vault.pool) =>
      encodeFunctionData({
        abi,
        functionName: "collect",
        args: [{ tokenId: id, recipient, amount0Max: whole, amount1Max: whole }]
      }),
    burn: (id: bigint) => encodeFunctionData({ abi, functionName: "burn", args: [id] }),
    multicall: (calls: ReadonlyArray<Hex>) => encodeFunctionData({ abi, functionName: "multicall", args: [calls] }),
    liquidity: Effect.map(
      Effect.flatMap(tokenId, (id) => read(vault.rpc, { address: manager, abi }, numbers, "positions", id)),
      (fields) => BigInt(fields[7] ?? 0)
    ),
    did: (data: Hex) => vault.execute(vault.trader, manager, data),
    said: (data: Hex) => refusal(vault.execute(vault.trader, manager, data)),
    value: vault.worth(manager),
    approved: Effect.forEach(
      ["USDC", "WETH"],
      (symbol) => vault.execute(vault.trader, vault.token(symbol), vault.approve(manager))
    )
  }
})

layer(TestDevnet)("Uniswap's position manager behind a vault", (it) => {
  it.effect("creates a position that is worth its deposit, and a full exit leaves none", () =>
    Effect.gen(function*() {
      const {
        approved,
        burn,
        collect,
        decrease,
        did,
        held,
        liquidity,
        mint,
        multicall,
        pool,
        positionManager,
        readNumber,
        tokenId,
        value
      } = yield* providing
      yield* approved
      yield* did(mint())
      const spent = { usdc: 100_000n * usdc - (yield* held("USDC")), weth: 10n * ether - (yield* held("WETH")) }
      const id = yield* tokenId
      assert.approximately(Number(yield* value), Number(spent.usdc) * 1e12 + Number(spent.weth) * 3000, 20e18)
      yield* did(multicall([decrease(id, (yield* liquidity) / 2n), collect(id)]))
      assert.approximately(Number(yield* value), 6000e18, 20e18)
      yield* did(multicall([decrease(id, yield* liquidity), collect(id), burn(id)]))
      assert.strictEqual(yield* readNumber(positionManager, abi, "balanceOf", pool), 0n)
      assert.strictEqual(yield* value, 0n)
      assert.approximately(Number(yield* held("USDC")), 100_000e6, 10)
    }))

  it.effect("values what is owed and the fees that swaps earn it", () =>
    Effect.gen(function*() {
      const {
        approved,
        decrease,
        devnet,
        did,
        liquidity,
        mint,
        owner,
        router,
        rpc,
        send,
        swap,
        token,
        tokenId,
        value
      } = yield* providing
      yield* approved
      yield* did(mint())
      const before = yield* value
      yield* did(decrease(yield* tokenId, yield* liquidity))
      assert.approximately(Number(yield* value), Number(before), 1e15, "owed, not collected")
      yield* did(mint())
      yield* devnet.mintToken({ network, symbol: "USDC", address: owner, amount: 1_000n * usdc })
      yield* send(owner, token("USDC"), tokenAbi, "approve", router, 1_000n * usdc)
      const entered = yield* value
      yield* rpc.send({ from: owner, to: router, data: swap("USDC", "WETH", 1_000n * usdc, owner, 3000) })
      assert.isAbove(Number(yield* value), Number(entered))
    }))

  it.effect("takes one token for a range beside the price, and adds to it", () =>
    Effect.gen(function*() {
      const { approved, did, held, liquidity, mint, tokenId, usdcFirst, value } = yield* providing
      yield* approved
      // The pool's price is near tick 196,256 of USDC per WETH in smallest units, or its negative.
      const below = usdcFirst ? [150_000, 180_000] as const : [-150_000, -120_000] as const
      yield* did(mint({ ticks: below }))
      const before = yield* liquidity
      assert.isAbove(Number(before), 0)
      const [spentUsdc, spentWeth] = [100_000n * usdc - (yield* held("USDC")), 10n * ether - (yield* held("WETH"))]
      assert.isTrue(spentUsdc === 0n || spentWeth === 0n)
      assert.approximately(Number(yield* value), 6000e18, 10e18)
      const more = encodeFunctionData({
        abi,
        functionName: "increaseLiquidity",
        args: [{
          tokenId: yield* tokenId,
          amount0Desired: usdcFirst ? 600n * usdc : ether / 5n,
          amount1Desired: usdcFirst ? ether / 5n : 600n * usdc,
          amount0Min: 0n,
          amount1Min: 0n,
          deadline: forever
        }]
      })
      yield* did(more)
      assert.isAbove(Number(yield* liquidity), Number(before))
    }))

  it.effect("belongs to the vault and to assets it supports", () =>
    Effect.gen(function*() {
      const { asManager, collect, mint, own, positionManager, said, stranger, token } = yield* providing
      assert.strictEqual(yield* said(mint({ recipient: stranger })), "recipient is not pool")
      assert.strictEqual(yield* said(collect(1n, stranger)), "recipient is not pool")
      assert.strictEqual(yield* said(mint({ token1: token("AAVE") })), "unsupported asset: tokenB")
      assert.strictEqual(yield* said("0xdeadbeef"), "dh23")
      yield* asManager(own.PoolManagerLogic.abi, "changeAssets", [], [positionManager])
      assert.strictEqual(yield* said(mint()), "uniswap asset not enabled")
    }))

  it.effect("touches no position that the vault did not create", () =>
    Effect.gen(function*() {
      const { burn, collect, decrease, said } = yield* providing
      for (const data of [burn(1n), collect(1n), decrease(1n, 1n)]) {
        assert.strictEqual(yield* said(data), "position is not in track")
      }
    }))

  it.effect("creates one position per call and at most three", () =>
    Effect.gen(function*() {
      const { approved, did, mint, multicall, said } = yield* providing
      yield* approved
      assert.strictEqual(yield* said(multicall([mint(), mint()])), "invalid multicall")
      assert.strictEqual(yield* said(multicall(["0xdeadbeef"])), "invalid transaction")
      const small = mint({ ticks: [-120, 120] })
      for (let count = 0; count < 3; count++) yield* did(small)
      assert.strictEqual(yield* said(small), "max position reached")
    }))

  it.effect("has no value, nor has the vault, while the pool's price differs from the feeds'", () =>
    Effect.gen(function*() {
      const { approved, devnet, did, mint, own, poolManagerLogic, readNumber, value } = yield* providing
      yield* approved
      yield* did(mint())
      const total = readNumber(poolManagerLogic, own.PoolManagerLogic.abi, "totalFundValue")
      const [before, worth] = [yield* total, yield* value]
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 3100 })
      assert.strictEqual(yield* refusal(value), "Uni v3 LP price mismatch")
      assert.strictEqual(yield* refusal(total), "Uni v3 LP price mismatch")
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 3000 })
      assert.deepStrictEqual([yield* total, yield* value], [before, worth])
    }))

  it.effect("is refused while the pool's price differs from the feeds'", () =>
    Effect.gen(function*() {
      const { approved, devnet, did, mint, said } = yield* providing
      yield* approved
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 3020 })
      yield* did(mint())
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 3040 })
      assert.strictEqual(yield* said(mint()), "Uni v3 LP price mismatch")
    }))
})
