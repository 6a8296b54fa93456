/**
 * Stakes positions, takes them back and claims their rewards. Velodrome has a gauge for each pool, which takes a position
 * that it is approved for. Pancake's MasterChefV3 takes the positions that are sent to it.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { type Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { pad, parseAbi, toEventSelector } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as Dexes from "../address-book/Dex.ts"
import type { PairLiquidity, Position } from "./LiquidityPool.ts"
import type { Pool } from "./PairPools.ts"

const poolAbi = parseAbi(["function gauge() view returns (address)"])
const managerAbi = parseAbi([
  "function approve(address to, uint256 tokenId)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)"
])
const gaugeAbi = parseAbi([
  "function deposit(uint256 tokenId)",
  "function withdraw(uint256 tokenId)",
  "function getReward(uint256 tokenId)",
  "function rewardToken() view returns (address)"
])
const masterChefAbi = parseAbi([
  "function harvest(uint256 tokenId, address to) returns (uint256 reward)",
  "function withdraw(uint256 tokenId, address to) returns (uint256 reward)",
  "function CAKE() view returns (address)"
])

/** A position and where it is, or would be, staked. */
export interface Staking {
  readonly exchange: Pick<Dexes.DexContracts, "dex" | "manager">
  readonly tokenId: bigint
  readonly contract: Address
}

/** Builds the vault's calls that stake a position that it owns. */
export const stake = (vault: Address, { contract, exchange, tokenId }: Staking): ReadonlyArray<VaultCall> =>
  exchange.dex === "pancakeCl"
    ? [{
      to: exchange.manager,
      data: Calldata.encode({
        abi: managerAbi,
        functionName: "safeTransferFrom",
        args: [vault, contract, tokenId]
      })
    }]
    : [
      {
        to: exchange.manager,
        data: Calldata.encode({ abi: managerAbi, functionName: "approve", args: [contract, tokenId] })
      },
      { to: contract, data: Calldata.encode({ abi: gaugeAbi, functionName: "deposit", args: [tokenId] }) }
    ]

/** Builds the call that takes a staked position back; its rewards come with it. */
export const unstake = (vault: Address, { contract, exchange, tokenId }: Staking): VaultCall => ({
  to: contract,
  data: exchange.dex === "pancakeCl"
    ? Calldata.encode({ abi: masterChefAbi, functionName: "withdraw", args: [tokenId, vault] })
    : Calldata.encode({ abi: gaugeAbi, functionName: "withdraw", args: [tokenId] })
})

/** Builds the call that claims a staked position's rewards. */
export const claim = (vault: Address, { contract, exchange, tokenId }: Staking): VaultCall => ({
  to: contract,
  data: exchange.dex === "pancakeCl"
    ? Calldata.encode({ abi: masterChefAbi, functionName: "harvest", args: [tokenId, vault] })
    : Calldata.encode({ abi: gaugeAbi, functionName: "getReward", args: [tokenId] })
})

/** Returns the staking of a position that is staked. */
export const stakingOf = ({ exchange }: PairLiquidity, { staking, tokenId }: Position): Staking | undefined =>
  staking === undefined ? undefined : { exchange, tokenId, contract: staking }

/**
 * Finds where a position of a pool can be staked: in a contract of the address book that the platform guards now. The
 * pool itself names its gauge.
 */
export const placeFor = (context: VaultContext, { exchange }: PairLiquidity, pool: Pool) =>
  Effect.gen(function*() {
    const { chain, network } = context
    const refusal = explain({ _tag: "StakingNotAvailable", dex: exchange.dex, network })
    const named = exchange.dex === "velodromeCl"
      ? yield* Effect.map(
        Effect.mapError(chain.readAll([Contract.read(poolAbi, pool.address, "gauge", [])]), unavailable),
        ([gauge]) => Result.isSuccess(gauge) ? Contract.lower(gauge.success) : undefined
      )
      : exchange.staking[0]
    if (named === undefined || !exchange.staking.includes(named)) return yield* refusal
    const [guard] = yield* Effect.mapError(chain.readAll([ContractGuard.read(chain.book, named)]), unavailable)
    return ContractGuard.isGuarded(guard) ? named : yield* refusal
  })

/** Reads the token in which a staking contract pays rewards; null when it cannot be read. */
export const rewardTokenOf = ({ chain, network }: VaultContext, { contract, exchange }: Staking) =>
  Effect.gen(function*() {
    const [answers] = yield* Effect.mapError(
      readGroups(chain, [[
        exchange.dex === "pancakeCl"
          ? Contract.read(masterChefAbi, contract, "CAKE", [])
          : Contract.read(gaugeAbi, contract, "rewardToken", [])
      ]]),
      unavailable
    )
    const [address] = answers
    if (address === undefined || Result.isFailure(address)) return null
    const [token] = yield* (yield* Tokens).at(network, [Contract.lower(address.success)])
    return token ?? null
  })

const transferred = toEventSelector("Transfer(address,address,uint256)")

/** Reads from a receipt the rewards that a staking contract paid to the vault. */
export const rewardsIn = (
  logs: ReadonlyArray<Log>,
  vault: Address,
  contract: Address | null,
  token: Token | null
): ReadonlyArray<Quantity.Quantity> => {
  if (contract === null || token === null) return []
  const paid = logs
    .filter(({ address, topics: [topic, from, to] }) =>
      address === token.address && topic === transferred && from === pad(contract) && to === pad(vault)
    )
    .reduce((sum, { data }) => sum + BigInt(data === "0x" ? 0 : data.slice(0, 66)), 0n)
  return paid === 0n ? [] : [{ ...Quantity.of(token, paid) }]
}

/**
 * Decodes the calls of `stake`, `unstake` and `claim`, at contracts of the address book only. A gauge pays its caller, the
 * vault. MasterChefV3 books a position for the account that it was sent from, which has to be the vault.
 */
export const staking: MovementDecoder = (chain, { data, to }) => {
  const manager = Dexes.byManager(chain.book, to)
  if (manager !== undefined) {
    const call = Calldata.read(managerAbi, data)
    if (call?.functionName === "approve" && manager.dex === "velodromeCl") {
      return manager.staking.includes(Contract.lower(call.args[0])) ? { gives: [], receiver: null } : undefined
    }
    return call?.functionName === "safeTransferFrom" && manager.dex === "pancakeCl" &&
        manager.staking.includes(Contract.lower(call.args[1]))
      ? { gives: [], receiver: Contract.lower(call.args[0]) }
      : undefined
  }
  switch (Dexes.byStaking(chain.book, to)?.dex) {
    case "velodromeCl": {
      const name = Calldata.read(gaugeAbi, data)?.functionName
      return name === "deposit" || name === "withdraw" || name === "getReward"
        ? { gives: [], receiver: null }
        : undefined
    }
    case "pancakeCl": {
      const call = Calldata.read(masterChefAbi, data)
      return call?.functionName === "harvest" || call?.functionName === "withdraw"
        ? { gives: [], receiver: Contract.lower(call.args[1]) }
        : undefined
    }
    default:
      return undefined
  }
}
