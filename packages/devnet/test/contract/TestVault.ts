/** The demo vaults of a small devnet, as tests use them: each test starts from the same freshly deployed chain. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Schema from "effect/Schema"
import { type Abi, encodeFunctionData, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../../src/anvil/AnvilRpc.ts"
import { RpcFailure } from "../../src/anvil/RpcFailure.ts"
import * as Artifact from "../../src/contract/Artifact.ts"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"

export const network = "optimism"

/** Runs one network, saves nothing and mines only the test's blocks. */
export const TestDevnet = Devnet.layer({ networks: [network], heartbeat: false })

export const tokenAbi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address owner) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)"
])

export const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
  "struct Multi { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInput(Multi params) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])"
])

/** Reverts the test's changes to the chain when the scope closes. */
const isolated = (rpc: AnvilRpc): Effect.Effect<bigint, RpcFailure, Scope.Scope> =>
  Effect.acquireRelease(rpc.snapshot, (snapshot) => Effect.orDie(rpc.revert(snapshot)))

/** Returns the reason for which a call or transaction reverted. Dies if it succeeds. */
export const refusal = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const failure = yield* Effect.flip(effect)
    if (!Schema.is(RpcFailure)(failure) || failure._tag === "RpcUnreachable") return yield* Effect.die(failure)
    return failure.revert
  })

const vaultAt = (index: number, network: Network, prepare: typeof isolated = isolated) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    yield* prepare(rpc)
    const own = yield* Artifact.own
    const entry = devnet.file.networks[network]
    const vault = entry?.vaults[index]
    if (entry === undefined || vault === undefined) return yield* Effect.die(new Error("the devnet has no demo vault"))

    const accounts = yield* rpc.request("eth_accounts", [], Schema.Array(AddressResult))
    const [owner, trader, stranger] = accounts
    if (owner === undefined || trader === undefined || stranger === undefined) {
      return yield* Effect.die(new Error("accounts"))
    }
    yield* devnet.setTrader({ network, pool: vault.pool, trader })

    const token = (symbol: string): Address => entry.tokens[symbol]?.address ?? "0x"
    const send = (from: Address, to: Address, abi: Abi, functionName: string, ...args: ReadonlyArray<unknown>) =>
      rpc.send({ from, to, data: encodeFunctionData({ abi, functionName, args }) })
    const asManager = (abi: Abi, name: string, ...args: ReadonlyArray<unknown>) =>
      rpc.impersonating(vault.manager, send(vault.manager, vault.poolManagerLogic, abi, name, ...args))
    const { router } = entry.uniswapV3

    /** Encodes a swap of vault assets through the cheapest WETH/USDC pool, or the 0.3% tier. */
    const swap = (from: string, to: string, amountIn: bigint, recipient = vault.pool, fee = 500) =>
      encodeFunctionData({
        abi: routerAbi,
        functionName: "exactInputSingle",
        args: [{
          tokenIn: token(from),
          tokenOut: token(to),
          fee,
          recipient,
          amountIn,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n
        }]
      })
    const approve = (spender: Address, amount = 2n ** 255n) =>
      encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [spender, amount] })
    const execute = (from: Address, to: Address, data: Hex) =>
      send(from, vault.pool, own.PoolLogic.abi, "execTransaction", to, data)

    return {
      ...vault,
      devnet,
      rpc,
      entry,
      own,
      owner,
      trader,
      stranger,
      router,
      token,
      send,
      asManager,
      swap,
      approve,
      execute,
      executeAll: (steps: ReadonlyArray<{ readonly to: Address; readonly data: Hex }>) =>
        send(trader, vault.pool, own.PoolLogic.abi, "execTransactions", steps),
      /** Lets the router take an asset of the vault. */
      approveRouter: (symbol: string) => execute(trader, token(symbol), approve(router)),
      asOwner: (abi: Abi, name: string, ...args: ReadonlyArray<unknown>) =>
        send(owner, entry.factory, abi, name, ...args),
      held: (symbol: string, holder = vault.pool) =>
        read(rpc, { address: token(symbol), abi: tokenAbi }, Schema.BigInt, "balanceOf", holder),
      readNumber: (address: Address, abi: Abi, name: string, ...args: ReadonlyArray<unknown>) =>
        read(rpc, { address, abi }, Schema.BigInt, name, ...args),
      /** Returns the vault's value in one asset in USD, 18 decimals. */
      worth: (asset: Address) =>
        read(
          rpc,
          { address: vault.poolManagerLogic, abi: own.PoolManagerLogic.abi },
          Schema.BigInt,
          "assetValue",
          asset
        ),
      /** Makes the price of one token too old to use: sets the allowed age to zero and leaves its feed as it is. */
      expire: (symbol: string) =>
        Effect.gen(function*() {
          yield* send(owner, entry.feeds[symbol] ?? "0x", own.DevAggregator.abi, "setFrozenTime", true)
          yield* send(owner, entry.factory, own.PoolFactory.abi, "setChainlinkTimeout", 0n)
          yield* rpc.increaseTime(2)
          yield* rpc.mine
        }),
      pass: (seconds: number) => Effect.andThen(rpc.increaseTime(seconds), rpc.mine)
    }
  })

/** The vault of plain tokens with a trader set, and everything a test calls. */
export const testVault = vaultAt(0, network)

/** Like `testVault`, for the vault that may also lend and provide liquidity. */
export const yieldVault = vaultAt(1, network)

/** Like `testVault`, on another network of the devnet. */
export const testVaultOn = (other: Network) => vaultAt(0, other)

/** The vault of the derivatives network that may trade perpetual contracts. */
export const perpetualsVault = vaultAt(1, "hyperliquid")

/** The same without reverting the changes to the chain. */
export const lastingPerpetualsVault = vaultAt(1, "hyperliquid", () => Effect.succeed(0n))
