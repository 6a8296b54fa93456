/**
 * Encodes and decodes the vault's calls to position managers, and decodes their events. Velodrome's and Pancake's are as
 * Uniswap V3's, except for Velodrome's mint.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import { hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import * as Result from "effect/Result"
import { decodeAbiParameters, parseAbi, parseAbiParameters, toEventSelector, toHex, zeroHash } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { Movement, MovementDecoder } from "../platform/AssetMovement.ts"
import type { Amounts } from "./Amounts.ts"
import * as Dexes from "../address-book/Dex.ts"
import type { DexContracts } from "../address-book/Dex.ts"

export const positionManagerAbi = parseAbi([
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function increaseLiquidity(Increase params) payable returns (uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function decreaseLiquidity(Decrease params) payable returns (uint256 amount0, uint256 amount1)",
  "function collect(Collect params) payable returns (uint256 amount0, uint256 amount1)",
  "function burn(uint256 tokenId) payable",
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 feeGrowthInside0LastX128, uint256 feeGrowthInside1LastX128, uint128 tokensOwed0, uint128 tokensOwed1)"
])

/** Velodrome's mint. A `sqrtPriceX96` other than 0 would create the pool. */
const spacingAbi = parseAbi([
  "struct Mint { address token0; address token1; int24 tickSpacing; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; uint160 sqrtPriceX96; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])

/** The maximum a `collect` may take; it collects everything owed. */
const everything = 2n ** 128n - 1n

/** Tokens to put into a position: at most `desired` and at least `minimum`. */
interface Deposit {
  readonly desired: Amounts
  readonly minimum: Amounts
  /** Unix seconds. */
  readonly deadline: bigint
}

export const mint = (
  { dex, manager }: Pick<DexContracts, "dex" | "manager">,
  vault: Address,
  { key, ...range }: {
    readonly token0: Address
    readonly token1: Address
    /** The pool's fee or tick spacing. */
    readonly key: number
    readonly tickLower: number
    readonly tickUpper: number
  },
  { deadline, desired, minimum }: Deposit
): VaultCall => {
  const terms = {
    ...range,
    amount0Desired: desired[0],
    amount1Desired: desired[1],
    amount0Min: minimum[0],
    amount1Min: minimum[1],
    recipient: vault,
    deadline
  }
  return {
    to: manager,
    data: hasTickSpacing(dex)
      ? Calldata.encode({
        abi: spacingAbi,
        functionName: "mint",
        args: [{ ...terms, tickSpacing: key, sqrtPriceX96: 0n }]
      })
      : Calldata.encode({ abi: positionManagerAbi, functionName: "mint", args: [{ ...terms, fee: key }] })
  }
}

export const increase = (manager: Address, tokenId: bigint, { deadline, desired, minimum }: Deposit): VaultCall => ({
  to: manager,
  data: Calldata.encode({
    abi: positionManagerAbi,
    functionName: "increaseLiquidity",
    args: [{
      tokenId,
      amount0Desired: desired[0],
      amount1Desired: desired[1],
      amount0Min: minimum[0],
      amount1Min: minimum[1],
      deadline
    }]
  })
})

/**
 * Removes this much liquidity from a position and collects everything it is owed; `burn` also burns the position's
 * token.
 */
export const withdraw = (
  manager: Address,
  vault: Address,
  tokenId: bigint,
  { burn, deadline, minimum, liquidity }: {
    readonly liquidity: bigint
    readonly minimum: Amounts
    readonly deadline: bigint
    readonly burn: boolean
  }
): VaultCall => {
  const abi = positionManagerAbi
  const calls = [
    // The contract refuses to remove zero liquidity.
    ...(liquidity === 0n ? [] : [Calldata.encode({
      abi,
      functionName: "decreaseLiquidity",
      args: [{ tokenId, liquidity, amount0Min: minimum[0], amount1Min: minimum[1], deadline }]
    })]),
    Calldata.encode({
      abi,
      functionName: "collect",
      args: [{ tokenId, recipient: vault, amount0Max: everything, amount1Max: everything }]
    }),
    ...(burn ? [Calldata.encode({ abi, functionName: "burn", args: [tokenId] })] : [])
  ]
  return { to: manager, data: Calldata.encode({ abi, functionName: "multicall", args: [calls] }) }
}

/** Builds the call that collects, or in a simulation returns, everything a position is owed. */
export const collectAll = (manager: Address, vault: Address, tokenId: bigint): VaultCall => ({
  to: manager,
  data: Calldata.encode({
    abi: positionManagerAbi,
    functionName: "collect",
    args: [{ tokenId, recipient: vault, amount0Max: everything, amount1Max: everything }]
  })
})

/** Decodes the amounts a `collect` returns. */
export const decodeCollected = (answer: Hex): Amounts | undefined =>
  Result.getOrUndefined(Result.try(() => decodeAbiParameters(parseAbiParameters("uint256, uint256"), answer)))

/**
 * Decodes an approval for a position manager. The approved amount counts as leaving the vault, because the call that
 * adds to an existing position names no token. Adding liquidity always sets the allowance, even when one exists.
 */
export const approval: MovementDecoder = (chain, { data, to }) => {
  const call = Calldata.read(erc20, data)
  return call?.functionName === "approve" && Dexes.byManager(chain.book, Contract.lower(call.args[0])) !== undefined
    ? { gives: [{ token: to, amount: call.args[1] }], receiver: null }
    : undefined
}

const atManager = (chain: ChainClient, { data, to }: VaultCall) =>
  Dexes.byManager(chain.book, to) === undefined ? undefined : Calldata.read(positionManagerAbi, data)

/** Decodes the receiver of a mint in the form of its exchange; Velodrome's may not create a pool. */
const mintReceiver = (chain: ChainClient, { data, to }: VaultCall): string | undefined => {
  const exchange = Dexes.byManager(chain.book, to)
  if (exchange === undefined) return undefined
  if (!hasTickSpacing(exchange.dex)) {
    const call = Calldata.read(positionManagerAbi, data)
    return call?.functionName === "mint" ? call.args[0].recipient : undefined
  }
  const [params] = Calldata.read(spacingAbi, data)?.args ?? []
  return params?.sqrtPriceX96 === 0n ? params.recipient : undefined
}

/**
 * Decodes a deposit into a position; approvals bound it. The platform's guard lets a vault add only to its own
 * positions.
 */
export const deposit: MovementDecoder = (chain, call) => {
  const receiver = mintReceiver(chain, call)
  if (receiver !== undefined) return { gives: [], receiver: Contract.lower(receiver) }
  const read = atManager(chain, call)
  return read?.functionName === "increaseLiquidity" ? { gives: [], receiver: null } : undefined
}

/** Decodes a withdrawal from a position: a multicall of only those calls that `withdraw` makes. */
export const withdrawal: MovementDecoder = (chain, call) => {
  const outer = atManager(chain, call)
  if (outer?.functionName !== "multicall") return undefined
  const inner = outer.args[0].map((data) => Calldata.read(positionManagerAbi, data))
  let movement: Movement | undefined
  for (const each of inner) {
    if (each?.functionName === "collect") {
      if (movement !== undefined) return undefined
      movement = { gives: [], receiver: Contract.lower(each.args[0].recipient) }
    } else if (each?.functionName !== "decreaseLiquidity" && each?.functionName !== "burn") return undefined
  }
  return movement
}

/** Decodes the collection of a position's fees. */
export const collection: MovementDecoder = (chain, call) => {
  const read = atManager(chain, call)
  return read?.functionName === "collect"
    ? { gives: [], receiver: Contract.lower(read.args[0].recipient) }
    : undefined
}

/** An event of the manager about a position. */
interface PositionEvent {
  readonly tokenId: bigint
  /** In place of the liquidity, `Collect` has its recipient. */
  readonly liquidity: bigint
  readonly amounts: Amounts
}

const topics = {
  increased: toEventSelector("IncreaseLiquidity(uint256,uint128,uint256,uint256)"),
  decreased: toEventSelector("DecreaseLiquidity(uint256,uint128,uint256,uint256)"),
  collected: toEventSelector("Collect(uint256,address,uint256,uint256)"),
  transferred: toEventSelector("Transfer(address,address,uint256)")
} as const

/**
 * Decodes the manager's events of a kind, in order. `Collect` has its recipient where the others have the liquidity.
 */
export const readEvents = (
  logs: ReadonlyArray<Log>,
  manager: Address,
  kind: "increased" | "decreased" | "collected"
): ReadonlyArray<PositionEvent> =>
  logs.flatMap(({ address, data, topics: [topic, id] }) => {
    if (address !== manager || topic !== topics[kind] || id === undefined) return []
    const words = Result.try(() => decodeAbiParameters(parseAbiParameters("uint256, uint256, uint256"), data))
    return Result.isSuccess(words)
      ? [{ tokenId: BigInt(id), liquidity: words.success[0], amounts: [words.success[1], words.success[2]] as const }]
      : []
  })

/**
 * Sums what a position's events of a kind moved; of `collected` only what the vault received, because a gauge may collect
 * for others.
 */
export const sumOf = (
  logs: ReadonlyArray<Log>,
  { manager, tokenId, vault }: { readonly manager: Address; readonly tokenId: bigint; readonly vault: Address },
  kind: "decreased" | "collected"
): Amounts =>
  readEvents(logs, manager, kind)
    .filter((each) => each.tokenId === tokenId && (kind === "decreased" || each.liquidity === BigInt(vault)))
    .reduce<Amounts>(([sum0, sum1], { amounts: [amount0, amount1] }) => [sum0 + amount0, sum1 + amount1], [0n, 0n])

/** Returns true when a position's token was burnt. */
export const burnt = (logs: ReadonlyArray<Log>, manager: Address, tokenId: bigint): boolean =>
  logs.some(({ address, topics: [topic, , to, id] }) =>
    address === manager && topic === topics.transferred && to === zeroHash && id === toHex(tokenId, { size: 32 })
  )
