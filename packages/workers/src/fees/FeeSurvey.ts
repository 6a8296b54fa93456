/** Surveys mintable fees: each vault's fee, its manager, and the simulated outcome of minting it. Nothing is sent. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Reverted } from "@vault-trader/core/failure/Reason"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../platform/PlatformAbi.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"

export interface SurveyedVault {
  readonly pool: Address
  readonly manager: Address
  /** Mintable vault tokens, 18 decimals; undefined when an asset of the vault has no price. */
  readonly available: bigint | undefined
  /** Undefined when the simulation minted the fee. */
  readonly revert: Reverted | undefined
}

/** Number of vaults per simulated call. Each values all its assets, and nodes limit the gas of a call. */
const pageSize = 10

const revertOf = ({ data }: Contract.ReadFailure): Reverted => meaningOf(reasonOf(data))

/**
 * Returns the current state of the vaults in the given order; `undefined` for an address that is not a vault of the
 * platform.
 */
export const survey = (
  chain: ChainClient,
  pools: ReadonlyArray<Address>
): Effect.Effect<ReadonlyArray<SurveyedVault | undefined>, ExecutionFailure> =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(pools, pageSize), (page) => Effect.mapError(surveyPage(chain, page), unavailable), {
      concurrency: 4
    }),
    (pages) => pages.flat()
  )

const surveyPage = (chain: ChainClient, page: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const [known, logics] = yield* readGroups(chain, [
      page.map((pool) => Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [pool])),
      page.map((pool) => Contract.read(poolAbi, pool, "poolManagerLogic", []))
    ])
    const vaults = page.flatMap((pool, index) => {
      const [isPool, logic] = [known[index]!, logics[index]!]
      return Result.isSuccess(isPool) && isPool.success && Result.isSuccess(logic)
        ? [{ pool, logic: Contract.lower(logic.success) }]
        : []
    })
    const [managers, values] = yield* readGroups(chain, [
      vaults.map(({ logic }) => Contract.read(managerLogicAbi, logic, "manager", [])),
      vaults.map(({ logic }) => Contract.read(managerLogicAbi, logic, "totalFundValue", []))
    ])
    // The fees are read before the mints that follow them in the same call are simulated.
    const [fees, mints] = yield* readGroups(chain, [
      vaults.map(({ pool }, index) =>
        Contract.read(poolAbi, pool, "calculateAvailableManagerFee", [Result.getOrElse(values[index]!, () => 0n)])
      ),
      vaults.map(({ pool }) => Contract.read(poolAbi, pool, "mintManagerFee", []))
    ])
    const surveyed = new Map(vaults.flatMap(({ pool }, index) => {
      const [fee, manager, mint, value] = [fees[index]!, managers[index]!, mints[index]!, values[index]!]
      if (Result.isFailure(manager)) return []
      const failed = Option.firstSomeOf([Result.getFailure(value), Result.getFailure(fee), Result.getFailure(mint)])
      return [[pool, {
        pool,
        manager: Contract.lower(manager.success),
        available: Result.isSuccess(value) && Result.isSuccess(fee) ? fee.success : undefined,
        revert: Option.getOrUndefined(Option.map(failed, revertOf))
      }]] as const
    }))
    return page.map((pool) => surveyed.get(pool))
  })
