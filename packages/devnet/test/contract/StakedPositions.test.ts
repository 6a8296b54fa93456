import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { refusal, TestDevnet, yieldVault } from "./TestVault.ts"

const shared = [
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function decreaseLiquidity(Decrease params) payable returns (uint256, uint256)",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function collect(Collect params) payable returns (uint256, uint256)",
  "function burn(uint256 tokenId) payable",
  "function multicall(bytes[] data) payable returns (bytes[])",
  "function ownerOf(uint256) view returns (address)",
  "function approve(address to, uint256 tokenId)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, int24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)"
] as const
const velodrome = parseAbi([
  ...shared,
  "struct Mint { address token0; address token1; int24 tickSpacing; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; uint160 sqrtPriceX96; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])
const pancake = parseAbi([
  ...shared,
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])
const gaugeAbi = parseAbi([
  "function deposit(uint256 tokenId)",
  "function withdraw(uint256 tokenId)",
  "function getReward(uint256 tokenId)",
  "function earned(address account, uint256 tokenId) view returns (uint256)"
])
const chefAbi = parseAbi([
  "function harvest(uint256 tokenId, address to) returns (uint256)",
  "function withdraw(uint256 tokenId, address to) returns (uint256)",
  "function pendingCake(uint256 tokenId) view returns (uint256)"
])

const usdc = 1_000_000n
const ether = 10n ** 18n
const forever = 2n ** 40n
const whole = 2n ** 128n - 1n
const numbers = Schema.Array(Schema.Union([Schema.BigInt, Schema.Number, Schema.String]))

/** The vault with a position manager enabled, and its calls. */
const providing = (exchange: "velodromeCl" | "pancakeCl") =>
  Effect.gen(function*() {
    const vault = yield* yieldVault
    const manager = vault.entry[exchange]?.positionManager ?? "0x"
    const abi = exchange === "velodromeCl" ? velodrome : pancake
    const enable = (asset: Address, remove: ReadonlyArray<Address> = []) =>
      vault.asManager(vault.own.PoolManagerLogic.abi, "changeAssets", [{ asset, isDeposit: false }], remove)
    const usdcFirst = vault.token("USDC") < vault.token("WETH")
    const [token0, token1] = [vault.token("USDC"), vault.token("WETH")].sort() as [Address, Address]
    const mint = (
      changes: { readonly recipient?: Address; readonly price?: bigint; readonly token1?: Address } = {}
    ) => {
      const terms = {
        ...{ token0, token1: changes.token1 ?? token1, tickLower: -887_200, tickUpper: 887_200 },
        amount0Desired: usdcFirst ? 6000n * usdc : 2n * ether,
        amount1Desired: usdcFirst ? 2n * ether : 6000n * usdc,
        ...{ amount0Min: 0n, amount1Min: 0n, recipient: changes.recipient ?? vault.pool, deadline: forever }
      }
      return exchange === "velodromeCl"
        ? encodeFunctionData({
          abi: velodrome,
          functionName: "mint",
          args: [{ ...terms, tickSpacing: 200, sqrtPriceX96: changes.price ?? 0n }]
        })
        : encodeFunctionData({ abi: pancake, functionName: "mint", args: [{ ...terms, fee: 2500 }] })
    }
    const did = (to: Address, data: Hex) => vault.execute(vault.trader, to, data)
    return {
      ...vault,
      ...{ manager, abi, enable, mint, did },
      said: (to: Address, data: Hex) => refusal(did(to, data)),
      tokenId: vault.readNumber(manager, abi, "tokenOfOwnerByIndex", vault.pool, 0n),
      ownerOf: (id: bigint) => read(vault.rpc, { address: manager, abi }, AddressResult, "ownerOf", id),
      liquidity: (id: bigint) =>
        Effect.map(
          read(vault.rpc, { address: manager, abi }, numbers, "positions", id),
          (fields) => BigInt(fields[7] ?? 0)
        ),
      value: vault.worth(manager),
      approved: Effect.forEach(["USDC", "WETH"], (symbol) => did(vault.token(symbol), vault.approve(manager))),
      exit: (id: bigint, liquidity: bigint) =>
        encodeFunctionData({
          abi,
          functionName: "multicall",
          args: [[
            encodeFunctionData({
              abi,
              functionName: "decreaseLiquidity",
              args: [{ tokenId: id, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: forever }]
            }),
            encodeFunctionData({
              abi,
              functionName: "collect",
              args: [{ tokenId: id, recipient: vault.pool, amount0Max: whole, amount1Max: whole }]
            }),
            encodeFunctionData({ abi, functionName: "burn", args: [id] })
          ]]
        })
    }
  })

layer(TestDevnet, { timeout: "3 minutes" })("positions of Velodrome and Pancake behind a vault", (it) => {
  it.effect("a Velodrome position is worth its deposit, also staked, earns rewards in its gauge, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const at = yield* providing("velodromeCl")
      const { abi, approved, did, enable, entry, exit, held, liquidity, manager, mint, ownerOf, pool, tokenId, value } =
        at
      yield* enable(manager)
      yield* approved
      yield* did(manager, mint())
      const id = yield* tokenId
      const deposited = yield* value
      assert.approximately(Number(deposited) / 1e18, 12_000, 40)
      const gauge = entry.velodromeCl!.gauges[1]!
      const call = (name: "deposit" | "withdraw" | "getReward") =>
        did(gauge, encodeFunctionData({ abi: gaugeAbi, functionName: name, args: [id] }))
      const approveGauge = encodeFunctionData({ abi, functionName: "approve", args: [gauge, id] })
      yield* did(manager, approveGauge)
      yield* call("deposit")
      assert.strictEqual(yield* ownerOf(id), gauge)
      yield* at.pass(100)
      const earned = yield* at.readNumber(gauge, gaugeAbi, "earned", pool, id)
      assert.isAtLeast(Number(earned), 1e18)
      // AERO is 1.25 USD.
      assert.approximately(Number((yield* value) - deposited) / 1e18, Number(earned) / 1e18 * 1.25, 0.1)
      yield* call("getReward")
      assert.isAtLeast(Number(yield* held("AERO")), Number(earned))
      assert.strictEqual(yield* refusal(did(manager, exit(id, 1n))), "Not approved")
      yield* call("withdraw")
      assert.strictEqual(yield* ownerOf(id), pool)
      yield* did(manager, exit(id, yield* liquidity(id)))
      assert.strictEqual(yield* value, 0n)
      assert.approximately(Number(yield* held("USDC")), 100_000e6, 10)
    }))

  it.effect("the guard of Velodrome's manager refuses with the platform's words", () =>
    Effect.gen(function*() {
      const { abi, approved, did, enable, manager, mint, said, stranger, token } = yield* providing("velodromeCl")
      assert.strictEqual(yield* said(manager, mint()), "velodrome cl asset not enabled")
      yield* enable(manager)
      assert.strictEqual(yield* said(manager, mint({ price: 1n })), "sqrtPriceX96 must be 0")
      assert.strictEqual(yield* said(manager, mint({ recipient: stranger })), "recipient is not pool")
      assert.strictEqual(yield* said(manager, mint({ token1: token("AAVE") })), "unsupported asset: tokenB")
      const approve = (spender: Address, id: bigint) =>
        encodeFunctionData({ abi, functionName: "approve", args: [spender, id] })
      assert.strictEqual(yield* said(manager, approve(stranger, 1n)), "position is not in track")
      yield* approved
      const twice = encodeFunctionData({ abi, functionName: "multicall", args: [[mint(), mint()]] })
      assert.strictEqual(yield* said(manager, twice), "invalid multicall")
      for (let count = 0; count < 3; count++) {
        yield* did(manager, mint())
        yield* did(token("WETH"), encodeFunctionData({ abi: wethAbi, functionName: "approve", args: [manager, whole] }))
        if (count === 0) assert.strictEqual(yield* said(manager, approve(stranger, 4n)), "unsupported spender approval")
      }
      assert.strictEqual(yield* said(manager, mint()), "max position reached")
    }))

  it.effect("a Pancake position is staked by sending it to MasterChefV3, harvested and withdrawn for the vault alone", () =>
    Effect.gen(function*() {
      const at = yield* providing("pancakeCl")
      const {
        abi,
        approved,
        did,
        enable,
        entry,
        exit,
        liquidity,
        manager,
        mint,
        ownerOf,
        pool,
        said,
        stranger,
        tokenId
      } = at
      assert.strictEqual(yield* said(manager, mint()), "pancake cl asset not enabled")
      yield* enable(manager)
      yield* approved
      yield* did(manager, mint())
      const id = yield* tokenId
      const deposited = yield* at.value
      const { cake, masterChef } = entry.pancakeCl!
      const send = (to: Address) => encodeFunctionData({ abi, functionName: "safeTransferFrom", args: [pool, to, id] })
      assert.strictEqual(yield* said(manager, send(stranger)), "to is not masterchef")
      yield* did(manager, send(masterChef))
      assert.strictEqual(yield* ownerOf(id), masterChef)
      assert.approximately(Number(yield* at.value), Number(deposited), 1e15)
      yield* at.pass(100)
      const chef = (name: "harvest" | "withdraw", to: Address) =>
        encodeFunctionData({ abi: chefAbi, functionName: name, args: [id, to] })
      assert.strictEqual(yield* said(masterChef, chef("harvest", stranger)), "recipient is not pool")
      assert.strictEqual(yield* said(masterChef, chef("withdraw", stranger)), "recipient is not pool")
      yield* did(masterChef, chef("harvest", pool))
      assert.isAtLeast(Number(yield* at.readNumber(cake, wethAbi, "balanceOf", pool)), 1e18)
      yield* did(masterChef, chef("withdraw", pool))
      yield* did(manager, exit(id, yield* liquidity(id)))
      assert.strictEqual(yield* at.value, 0n)
    }))
})

const wethAbi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)"
])
