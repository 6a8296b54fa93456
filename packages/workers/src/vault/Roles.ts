/**
 * Checks for the signer which contracts are vaults of the platform, and who may trade them. Only positive results are
 * cached, so that a new vault or trader is known at once. An outdated positive result is harmless, because the vault
 * itself refuses the call. What one endpoint says while the others are silent is never cached.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../platform/PlatformAbi.ts"

export interface Roles {
  /** Returns true when all of these are vaults of the platform's factory. */
  readonly areVaults: (chain: ChainClient, pools: ReadonlyArray<Address>) => Effect.Effect<boolean, RpcFailure>
  /** Returns true when the pool is a vault of the platform's factory and the wallet is its trader or manager. */
  readonly mayTrade: (chain: ChainClient, pool: Address, wallet: Address) => Effect.Effect<boolean, RpcFailure>
  /** Returns true when the wallet may trade the pool, and `logic` is that pool's own manager contract. */
  readonly mayChangeAssets: (
    chain: ChainClient,
    pool: Address,
    logic: Address,
    wallet: Address
  ) => Effect.Effect<boolean, RpcFailure>
}

/** How long a wallet counts as the trader of a vault without being read again. */
const traderTtlMillis = 600_000

/** Maximum number of cached entries of each kind; the oldest are dropped first. */
const maxEntries = 10_000

const remember = <A>(entries: Map<string, A>, key: string, value: A) => {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.keys()
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
}

export const make = (): Roles => {
  /** Never expires: a factory never removes a vault, and a vault never changes the contract that holds its roles. */
  const logics = new Map<string, Address>()
  const vaults = new Map<string, true>()
  const traders = new Map<string, number>()

  const isYes = (result: Result.Result<boolean, unknown>) => Result.isSuccess(result) && result.success

  const areVaults: Roles["areVaults"] = (chain, pools) =>
    Effect.gen(function*() {
      const nameOf = (pool: Address) => `${chain.book.network}/${pool}`
      const unknown = [...new Set(pools)].filter((pool) => !vaults.has(nameOf(pool)))
      if (unknown.length === 0) return true
      const { isAlone, results } = yield* chain.readToKeep(
        unknown.map((pool) => Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [pool]))
      )
      for (const [index, pool] of unknown.entries()) {
        const answer = results[index]
        if (answer === undefined || !isYes(answer)) return false
        if (!isAlone) remember(vaults, nameOf(pool), true)
      }
      return true
    })

  const logicOf = (chain: ChainClient, pool: Address) =>
    Effect.gen(function*() {
      const name = `${chain.book.network}/${pool}`
      const known = logics.get(name)
      if (known !== undefined) return { address: known, isAlone: false }
      const { isAlone, results: [isPool, logic] } = yield* chain.readToKeep([
        Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [pool]),
        Contract.read(poolAbi, pool, "poolManagerLogic", [])
      ])
      if (!isYes(isPool) || Result.isFailure(logic)) return undefined
      const found = Contract.lower(logic.success)
      if (!isAlone) {
        remember(logics, name, found)
        remember(vaults, name, true)
      }
      return { address: found, isAlone }
    })

  const mayTrade: Roles["mayTrade"] = (chain, pool, wallet) =>
    Effect.gen(function*() {
      const name = `${chain.book.network}/${pool}/${wallet}`
      const now = yield* Clock.currentTimeMillis
      const checkedAt = traders.get(name)
      if (checkedAt !== undefined && now - checkedAt < traderTtlMillis) return true
      const logic = yield* logicOf(chain, pool)
      if (logic === undefined) return false
      const { isAlone, results: roles } = yield* chain.readToKeep([
        Contract.read(managerLogicAbi, logic.address, "trader", []),
        Contract.read(managerLogicAbi, logic.address, "manager", [])
      ])
      if (!roles.some((role) => Result.isSuccess(role) && Contract.lower(role.success) === wallet)) return false
      // All endpoints confirm the roles of a contract that one endpoint alone names.
      if (!isAlone && !logic.isAlone) remember(traders, name, now)
      return true
    })

  return {
    areVaults,
    mayTrade,
    mayChangeAssets: (chain, pool, logic, wallet) =>
      Effect.flatMap(
        logicOf(chain, pool),
        (own) => own?.address === logic ? mayTrade(chain, pool, wallet) : Effect.succeed(false)
      )
  }
}
