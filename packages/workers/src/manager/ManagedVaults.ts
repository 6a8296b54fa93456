/**
 * Finds a manager's vaults. The platform's events show which vaults are new and which have a new manager; the manager
 * of those is read from the chain, so that the order of events does not matter. The result is stored in the database.
 * The platform's own view call loops over every vault, so some nodes refuse it; it checks the index, and replaces it
 * where events are not available.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { IndexedVault, VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { SqlError } from "effect/sql/SqlError"
import { decodeAbiParameters, parseAbiParameters, toEventSelector } from "viem"
import type { ChainClient, PlacedLog } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { type RpcFailure, unavailable } from "../chain/RpcFailure.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../platform/PlatformAbi.ts"

interface ManagedPools {
  /** Number of the platform's vaults that were checked. */
  readonly scanned: number
  /** Vaults that seem to be the manager's; check each on chain before acting for it. */
  readonly pools: ReadonlyArray<Address>
}

export class ManagedVaults extends Context.Service<ManagedVaults, {
  readonly of: (network: Network, chain: ChainClient, manager: Address) => Effect.Effect<ManagedPools, ExecutionFailure>
}>()("vault-trader/workers/manager/ManagedVaults") {
  static readonly layer: Layer.Layer<ManagedVaults, never, VaultIndexStore> = Layer.effect(
    ManagedVaults,
    Effect.gen(function*() {
      const store = yield* VaultIndexStore
      // Sweeps of one runner do not read the same blocks concurrently; those of two runners write the same rows.
      const mutex = yield* Semaphore.make(1)

      /** Stores the current managers of these vaults, and removes the vaults that the platform no longer knows. */
      const update = (network: Network, chain: ChainClient, pools: ReadonlyMap<Address, bigint>, reach: bigint) =>
        Effect.gen(function*() {
          const vaults = yield* readVaults(chain, pools)
          const there = new Set(vaults.map(({ pool }) => pool))
          yield* store.keep(network, { vaults, gone: [...pools.keys()].filter((pool) => !there.has(pool)), reach })
        })

      const catchUp = (network: Network, chain: ChainClient) =>
        Effect.gen(function*() {
          const { number: head } = yield* chain.head
          const settled = head > BigInt(chain.book.finalityDepth) ? head - BigInt(chain.book.finalityDepth) : 0n
          const reached = yield* store.reach(network)
          if (Option.isNone(reached) || head - reached.value > maxRange) {
            const pools = yield* everyVault(chain)
            return yield* update(network, chain, new Map(pools.map((pool) => [pool, head])), settled)
          }
          // Blocks up to the reach are final; everything above it is read each time.
          const logs = yield* eventsOf(chain, reached.value + 1n, head)
          const { created, logics } = readEvents(chain, logs)
          const known = yield* store.findAffected(network, { managerLogics: [...logics.keys()], above: reached.value })
          const pools = new Map(known.map(({ block, managerLogic, pool }) => [pool, logics.get(managerLogic) ?? block]))
          for (const [pool, block] of created) pools.set(pool, block)
          yield* update(network, chain, pools, settled)
        })

      /** Finds vaults by the index; the view call adds those that the index has missed. */
      const fromIndex = (network: Network, chain: ChainClient, manager: Address) =>
        Effect.gen(function*() {
          yield* mutex.withPermits(1)(catchUp(network, chain))
          const [pools, size, viewPools] = [
            yield* store.managedBy(network, manager),
            yield* store.size(network),
            yield* callView(chain, manager)
          ]
          const missed = Option.getOrElse(viewPools, () => []).filter((pool) => !pools.includes(pool))
          if (missed.length > 0) yield* Effect.logWarning(`the vault index of ${network} missed ${missed.join(", ")}`)
          const all = [...pools, ...missed]
          return { scanned: Math.max(size, all.length), pools: all }
        })

      const fromView = (network: Network, chain: ChainClient, manager: Address, why: RpcFailure | SqlError | NoLogs) =>
        Effect.gen(function*() {
          yield* Effect.logWarning(`the vault index of ${network} cannot be updated`, why)
          const viewPools = yield* callView(chain, manager)
          if (Option.isNone(viewPools)) {
            return yield* why._tag === "RpcUnavailable" || why._tag === "RpcRefused"
              ? unavailable(why)
              : notFound(network)
          }
          return { scanned: viewPools.value.length, pools: viewPools.value }
        })

      return {
        of: (network, chain, manager) =>
          Effect.catch(fromIndex(network, chain, manager), (why) => fromView(network, chain, manager, why))
      }
    })
  )
}

/** The node returns no events of these blocks, even for the smallest range. */
class NoLogs extends Data.TaggedError("NoLogs")<{ readonly from: bigint; readonly reason: string }> {}

/** Number of blocks per query: accepted by most nodes, and reduced when one refuses. */
const defaultRange = 2_000n
const minRange = 16n
/** Maximum number of blocks to read events of; beyond that, reading all vaults costs less. */
const maxRange = 200_000n

/** Fund, privacy, names, manager, time and fees; none of them is indexed. */
const fundCreatedTypes = "address,bool,string,string,address,uint256,uint256,uint256,uint256"
const fundCreatedParameters = parseAbiParameters(fundCreatedTypes)
const fundCreated = toEventSelector(`FundCreated(${fundCreatedTypes})`)
const managerUpdated = toEventSelector("ManagerUpdated(address,string)")

/** Reads the platform's events of these blocks. */
const eventsOf = (chain: ChainClient, first: bigint, last: bigint): Effect.Effect<ReadonlyArray<PlacedLog>, NoLogs> =>
  Effect.gen(function*() {
    const logs: Array<PlacedLog> = []
    let range = defaultRange
    for (let from = first; from <= last;) {
      const to = from + range - 1n < last ? from + range - 1n : last
      const found = yield* Effect.result(chain.logs({ from, to, topics: [fundCreated, managerUpdated] }))
      if (Result.isSuccess(found)) {
        logs.push(...found.success)
        from = to + 1n
      } else if (range > minRange) range /= 4n
      else return yield* new NoLogs({ from, reason: found.failure.reason })
    }
    return logs
  })

/** Returns the vaults created and the manager contracts with a new manager, each with the block of its last event. */
const readEvents = (chain: ChainClient, logs: ReadonlyArray<PlacedLog>) => {
  const created = new Map<Address, bigint>()
  const logics = new Map<Address, bigint>()
  for (const { block, log } of logs) {
    const { address, data, topics: [topic] } = log
    if (topic === managerUpdated) logics.set(address, block)
    // Any contract may emit an event with this name; only the platform's factory counts.
    else if (topic === fundCreated && address === chain.book.platformFactory) {
      const event = Result.try(() => decodeAbiParameters(fundCreatedParameters, data))
      if (Result.isSuccess(event)) created.set(Contract.lower(event.success[0]), block)
    }
  }
  return { created, logics }
}

const everyVault = (chain: ChainClient) =>
  Effect.flatMap(
    chain.readAll([Contract.read(factoryAbi, chain.book.platformFactory, "getDeployedFunds", [])]),
    ([funds]) =>
      Result.isSuccess(funds)
        ? Effect.succeed(funds.success.map(Contract.lower))
        : new NoLogs({ from: 0n, reason: "the platform does not list its vaults" })
  )

/** Reads the manager's vaults by the platform's view call; none when the call fails. */
const callView = (chain: ChainClient, manager: Address): Effect.Effect<Option.Option<ReadonlyArray<Address>>> =>
  chain.readAll([Contract.read(factoryAbi, chain.book.platformFactory, "getManagedPools", [manager])]).pipe(
    Effect.map(([pools]) => Result.isSuccess(pools) ? Option.some(pools.success.map(Contract.lower)) : Option.none()),
    Effect.catch((failure) => Effect.as(Effect.logDebug("getManagedPools could not be called", failure), Option.none()))
  )

/** Number of vaults per multicall. */
const pageSize = 100

/** Reads these vaults from the chain, each with the block whose event caused the read. */
const readVaults = (chain: ChainClient, pools: ReadonlyMap<Address, bigint>) =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(pools, pageSize), (page) =>
      Effect.gen(function*() {
        const logics = yield* chain.readAll(page.map(([pool]) => Contract.read(poolAbi, pool, "poolManagerLogic", [])))
        const found = page.flatMap(([pool, block], index) => {
          const logic = logics[index]!
          return Result.isSuccess(logic) ? [{ pool, block, managerLogic: Contract.lower(logic.success) }] : []
        })
        const managers = yield* chain.readAll(
          found.map(({ managerLogic }) => Contract.read(managerLogicAbi, managerLogic, "manager", []))
        )
        return found.flatMap((vault, index) => {
          const manager = managers[index]!
          return Result.isSuccess(manager)
            ? [IndexedVault.make({ ...vault, manager: Contract.lower(manager.success) })]
            : []
        })
      }), { concurrency: 4 }),
    (pages) => pages.flat()
  )

const notFound = (network: Network) => explain({ _tag: "ManagedVaultsUnreadable", network })

/** The service with its store. */
export const ManagedVaultsLive = ManagedVaults.layer.pipe(Layer.provide(VaultIndexStore.layer))
