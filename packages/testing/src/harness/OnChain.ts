/** The devnet's chains seen from outside: reads that bypass the service, and actions of a platform's owner. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "@vault-trader/devnet/anvil/AnvilRpc"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { DevnetNetwork } from "@vault-trader/devnet/devnet/DevnetFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  zeroAddress
} from "viem"

export const tokenAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)"
])
const poolAbi = parseAbi(["function poolManagerLogic() view returns (address)"])
const managerLogicAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function getFundComposition() view returns (Asset[] assets, uint256[] balances, uint256[] rates)",
  "function totalFundValue() view returns (uint256)",
  "function getSupportedAssets() view returns (Asset[])",
  "function trader() view returns (address)"
])
const factoryAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "struct PoolPausedInfo { address pool; bool pauseShares; bool pauseTrading; }",
  "function getDeployedFunds() view returns (address[])",
  "function createFund(bool, address, string, string, string, uint256, uint256, uint256, uint256, Asset[]) returns (address)",
  "function setPoolsPaused(PoolPausedInfo[])",
  "function setChainlinkTimeout(uint256)",
  "function getContractGuard(address) view returns (address)",
  "function setContractGuard(address, address)"
])
const accumulatorAbi = parseAbi(["function setMaxCumulativeSlippage(uint128)"])
const feedAbi = parseAbi(["function setFrozenTime(bool)"])

/** Returns a network of the devnet: its node and its deployed contracts. */
export const on = (
  network: Network
): Effect.Effect<{ readonly rpc: AnvilRpc; readonly entry: DevnetNetwork }, never, Devnet> =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const entry = devnet.file.networks[network]
    if (entry === undefined) return yield* Effect.die(new Error(`${network} is not in the devnet`))
    return { rpc: yield* Effect.orDie(devnet.rpc(network)), entry }
  })

/** Reads a view function at the latest block. */
export const read = <
  const A extends Abi,
  N extends ContractFunctionName<A, "view">,
  const Args extends ContractFunctionArgs<A, "view", N>
>(
  network: Network,
  to: Address,
  abi: A,
  functionName: N,
  args: Args
): Effect.Effect<ContractFunctionReturnType<A, "view", N, Args>, never, Devnet> =>
  Effect.gen(function*() {
    const { rpc } = yield* on(network)
    // The signature above ties arguments and result together; viem's own inference does not work on generic parameters.
    const call = { abi: abi as Abi, functionName: functionName as string }
    const data = yield* Effect.orDie(
      rpc.call({ to, data: encodeFunctionData({ ...call, args: args as ReadonlyArray<unknown> }) })
    )
    return decodeFunctionResult({ ...call, data }) as ContractFunctionReturnType<A, "view", N, Args>
  })

/**
 * Runs an effect while the platform does not guard the router of this exchange, as on the live networks. Without an
 * exchange on the network it only runs the effect.
 */
export const whileUnguarded = <A, E, R>(
  network: Network,
  venue: "uniswapV3" | "quickswap",
  effect: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const { entry } = yield* on(network)
    const router = entry[venue]?.router
    if (router === undefined) return yield* effect
    const guard = yield* read(network, entry.factory, factoryAbi, "getContractGuard", [router])
    const set = (to: Address) =>
      asOwner(
        network,
        entry.factory,
        encodeFunctionData({ abi: factoryAbi, functionName: "setContractGuard", args: [router, to] })
      )
    return yield* Effect.acquireUseRelease(set(zeroAddress), () => effect, () => set(guard))
  })

/**
 * Sets the loss by swaps at which the platform refuses a vault's next one, in parts of a million of what each swap sold,
 * summed up over a day.
 */
export const setMaximumLoss = (network: Network, millionths: bigint) =>
  Effect.flatMap(on(network), ({ entry }) =>
    asOwner(
      network,
      entry.slippageAccumulator,
      encodeFunctionData({ abi: accumulatorAbi, functionName: "setMaxCumulativeSlippage", args: [millionths] })
    ))

/** Sends from the account that owns the platform and its feeds. */
export const asOwner = (network: Network, to: Address, data: `0x${string}`) =>
  Effect.gen(function*() {
    const { rpc } = yield* on(network)
    const from = yield* Effect.orDie(rpc.developer)
    return yield* Effect.orDie(rpc.send({ from, to, data }))
  })

/** Returns the address of a token by its symbol. */
export const token = (network: Network, symbol: string): Effect.Effect<Address, never, Devnet> =>
  Effect.flatMap(on(network), ({ entry }) => {
    const found = entry.tokens[symbol]
    return found === undefined
      ? Effect.die(new Error(`no token ${symbol} on ${network}`))
      : Effect.succeed(found.address)
  })

/** Returns a holder's balance of a token, in smallest units. */
export const balanceOf = (network: Network, symbol: string, holder: Address) =>
  Effect.flatMap(token(network, symbol), (address) => read(network, address, tokenAbi, "balanceOf", [holder]))

/** Returns a vault's allowance of a token for the network's swap router, in smallest units. */
export const allowanceOf = (network: Network, symbol: string, pool: Address) =>
  Effect.gen(function*() {
    const { entry } = yield* on(network)
    return yield* read(network, yield* token(network, symbol), tokenAbi, "allowance", [pool, entry.uniswapV3.router])
  })

/** Mines a block each second, as a chain with other users does: without one, nothing more becomes final. */
export const mining = (network: Network) =>
  Effect.flatMap(
    on(network),
    ({ rpc }) => Effect.forkScoped(Effect.forever(Effect.delay(Effect.orDie(rpc.mine), "1 second")))
  )

/** Returns a vault's trader, in lower case. */
export const traderOf = (network: Network, pool: Address) =>
  Effect.gen(function*() {
    const logic = yield* read(network, pool, poolAbi, "poolManagerLogic", [])
    return (yield* read(network, logic, managerLogicAbi, "trader", [])).toLowerCase()
  })

/** Returns the number of an address's mined transactions. */
export const transactionCount = (network: Network, address: Address) =>
  Effect.flatMap(
    on(network),
    ({ rpc }) => Effect.orDie(Effect.map(rpc.request("eth_getTransactionCount", [address, "latest"], Quantity), Number))
  )

/** Returns the receipt of a transaction, which must be mined. */
export const receipt = (network: Network, hash: unknown) =>
  Effect.flatMap(on(network), ({ rpc }) =>
    Effect.orDie(Effect.flatMap(
      rpc.receipt(hash as Hash),
      Option.match({
        onNone: () => Effect.die(new Error(`no receipt for  ${String(hash)}`)),
        onSome: Effect.succeed
      })
    )))

export const managerLogicOf = (network: Network, pool: Address) => read(network, pool, poolAbi, "poolManagerLogic", [])

/**
 * Returns assets, balances (smallest units), rates (USD per whole unit, 18 decimals) and their total, as the platform
 * reports them.
 */
export const fundComposition = (network: Network, pool: Address) =>
  Effect.gen(function*() {
    const logic = yield* managerLogicOf(network, pool)
    const [assets, balances, rates] = yield* read(network, logic, managerLogicAbi, "getFundComposition", [])
    const total = yield* read(network, logic, managerLogicAbi, "totalFundValue", [])
    return {
      total,
      lines: assets.map(({ asset, isDeposit }, index) => ({
        asset: asset.toLowerCase(),
        isDeposit,
        balance: balances[index] ?? 0n,
        rate: rates[index] ?? 0n
      }))
    }
  })

/** Creates another vault of the devnet's manager, with the demo vault's assets and this much USDC (whole). */
export const createVault = (network: Network, usdc: bigint): Effect.Effect<Address, never, Devnet> =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const { entry } = yield* on(network)
    const [demo] = entry.vaults
    if (demo === undefined) return yield* Effect.die(new Error(`no vault on ${network}`))
    const assets = yield* read(network, demo.poolManagerLogic, managerLogicAbi, "getSupportedAssets", [])
    yield* asOwner(
      network,
      entry.factory,
      encodeFunctionData({
        abi: factoryAbi,
        functionName: "createFund",
        args: [false, devnet.file.manager.address, "Demo manager", "Another Vault", "MORE", 1000n, 200n, 0n, 0n, assets]
      })
    )
    const funds = yield* read(network, entry.factory, factoryAbi, "getDeployedFunds", [])
    const pool = String(funds.at(-1)).toLowerCase() as Address
    yield* Effect.orDie(devnet.mintToken({ network, symbol: "USDC", address: pool, amount: usdc * 1_000_000n }))
    return pool
  })

/** Runs `effect` while the platform has paused trading for a vault. */
export const whilePaused = <A, E, R>(network: Network, pool: Address, effect: Effect.Effect<A, E, R>) => {
  const set = (pauseTrading: boolean) =>
    Effect.flatMap(on(network), ({ entry }) =>
      asOwner(
        network,
        entry.factory,
        encodeFunctionData({
          abi: factoryAbi,
          functionName: "setPoolsPaused",
          args: [[{ pool, pauseShares: false, pauseTrading }]]
        })
      ))
  return Effect.acquireUseRelease(set(true), () => effect, () => set(false))
}

/** Seconds for which the platform accepts a feed's answer. */
const feedTimeout = 90_000n

/**
 * Runs `effect` while a token's price feed is older than the platform accepts. Advances the chain's clock by two
 * seconds for it.
 */
export const whileStale = <A, E, R>(network: Network, symbol: string, effect: Effect.Effect<A, E, R>) => {
  const set = (frozen: boolean) =>
    Effect.gen(function*() {
      const { entry, rpc } = yield* on(network)
      const feed = entry.feeds[symbol]
      if (feed === undefined) return yield* Effect.die(new Error(`no feed of ${symbol} on ${network}`))
      yield* asOwner(network, feed, encodeFunctionData({ abi: feedAbi, functionName: "setFrozenTime", args: [frozen] }))
      const timeout = frozen ? 0n : feedTimeout
      yield* asOwner(
        network,
        entry.factory,
        encodeFunctionData({ abi: factoryAbi, functionName: "setChainlinkTimeout", args: [timeout] })
      )
      if (frozen) yield* Effect.orDie(rpc.increaseTime(2))
      yield* Effect.orDie(rpc.mine)
    })
  return Effect.acquireUseRelease(set(true), () => effect, () => set(false))
}
