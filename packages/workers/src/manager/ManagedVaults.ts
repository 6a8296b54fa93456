/**
 * Finds a manager's vaults. The platform's events say which vaults are new and which changed hands; who manages those is read from the
 * chain, so that their order does not matter. What stands is kept in the database; the platform's own view call, which loops over every
 * vault and which some nodes refuse for that, checks it, and takes its place where events cannot be had.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
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

export interface Found {
  /** Vaults of the platform that were looked at. */
  readonly scanned: number
  /** Those that seem to be the manager's; ask each before doing anything for it. */
  readonly pools: ReadonlyArray<Address>
}

export class ManagedVaults extends Context.Service<ManagedVaults, {
  readonly of: (network: Network, chain: ChainClient, manager: Address) => Effect.Effect<Found, ExecutionFailure>
}>()("vault-trader/workers/manager/ManagedVaults") {
  static readonly layer: Layer.Layer<ManagedVaults, never, VaultIndexStore> = Layer.effect(
    ManagedVaults,
    Effect.gen(function*() {
      const store = yield* VaultIndexStore
      // Two sweeps of one runner do not look for the same blocks; those of two runners write the same rows.
      const alone = yield* Semaphore.make(1)

      /** Who manages these now; those the platform does not know any more are gone. */
      const keep = (network: Network, chain: ChainClient, pools: ReadonlyMap<Address, bigint>, reach: bigint) =>
        Effect.gen(function*() {
          const vaults = yield* look(chain, pools)
          const there = new Set(vaults.map(({ pool }) => pool))
          yield* store.keep(network, { vaults, gone: [...pools.keys()].filter((pool) => !there.has(pool)), reach })
        })

      const catchUp = (network: Network, chain: ChainClient) =>
        Effect.gen(function*() {
          const { number: head } = yield* chain.head
          const settled = head > BigInt(chain.book.finalityDepth) ? head - BigInt(chain.book.finalityDepth) : 0n
          const reached = yield* store.reach(network)
          if (Option.isNone(reached) || head - reached.value > longestRange) {
            const pools = yield* everyVault(chain)
            return yield* keep(network, chain, new Map(pools.map((pool) => [pool, head])), settled)
          }
          // What no reorg can take back is behind the reach; everything above it is looked at each time.
          const logs = yield* eventsOf(chain, reached.value + 1n, head)
          const { created, logics } = readEvents(chain, logs)
          const known = yield* store.affected(network, { managerLogics: [...logics.keys()], above: reached.value })
          const pools = new Map(known.map(({ block, managerLogic, pool }) => [pool, logics.get(managerLogic) ?? block]))
          for (const [pool, block] of created) pools.set(pool, block)
          yield* keep(network, chain, pools, settled)
        })

      /** From the index; the view call adds what the index has missed. */
      const indexed = (network: Network, chain: ChainClient, manager: Address) =>
        Effect.gen(function*() {
          yield* alone.withPermits(1)(catchUp(network, chain))
          const [pools, size, told] = [yield* store.managedBy(network, manager), yield* store.size(network), yield* viewed(chain, manager)]
          const missed = Option.getOrElse(told, () => []).filter((pool) => !pools.includes(pool))
          if (missed.length > 0) yield* Effect.logWarning(`the vault index of ${network} missed ${missed.join(", ")}`)
          const all = [...pools, ...missed]
          return { scanned: Math.max(size, all.length), pools: all }
        })

      const viewedOnly = (network: Network, chain: ChainClient, manager: Address, why: RpcFailure | SqlError | NoLogs) =>
        Effect.gen(function*() {
          yield* Effect.logWarning(`the vault index of ${network} cannot be brought up to date`, why)
          const told = yield* viewed(chain, manager)
          if (Option.isNone(told)) return yield* why._tag === "RpcUnavailable" || why._tag === "RpcRefused" ? unavailable(why) : notFound(network)
          return { scanned: told.value.length, pools: told.value }
        })

      return {
        of: (network, chain, manager) =>
          Effect.catch(indexed(network, chain, manager), (why) => viewedOnly(network, chain, manager, why))
      }
    })
  )
}

/** The node gives no events of these blocks, however few are asked for. */
class NoLogs extends Data.TaggedError("NoLogs")<{ readonly from: bigint; readonly reason: string }> {}

/** Blocks asked for at a time: what most nodes give, and less where one refuses. */
const usualRange = 2_000n
const shortestRange = 16n
/** Further back than this, the vaults themselves are read: that costs less. */
const longestRange = 200_000n

/** Fund, privacy, names, manager, time and fees; nothing of it is indexed. */
const fundCreatedTypes = "address,bool,string,string,address,uint256,uint256,uint256,uint256"
const fundCreatedParameters = parseAbiParameters(fundCreatedTypes)
const fundCreated = toEventSelector(`FundCreated(${fundCreatedTypes})`)
const managerUpdated = toEventSelector("ManagerUpdated(address,string)")

/** The platform's events of these blocks. */
const eventsOf = (chain: ChainClient, first: bigint, last: bigint): Effect.Effect<ReadonlyArray<PlacedLog>, NoLogs> =>
  Effect.gen(function*() {
    const logs: Array<PlacedLog> = []
    let range = usualRange
    for (let from = first; from <= last;) {
      const to = from + range - 1n < last ? from + range - 1n : last
      const found = yield* Effect.result(chain.logs({ from, to, topics: [fundCreated, managerUpdated] }))
      if (Result.isSuccess(found)) {
        logs.push(...found.success)
        from = to + 1n
      } else if (range > shortestRange) range /= 4n
      else return yield* new NoLogs({ from, reason: found.failure.reason })
    }
    return logs
  })

/** Vaults that were created and managers' contracts that changed hands, with the last block that says so. */
const readEvents = (chain: ChainClient, logs: ReadonlyArray<PlacedLog>) => {
  const created = new Map<Address, bigint>()
  const logics = new Map<Address, bigint>()
  for (const { block, log } of logs) {
    const { address, data, topics: [topic] } = log
    if (topic === managerUpdated) logics.set(address, block)
    // Anybody may emit an event of that name; the platform's factory is one contract.
    else if (topic === fundCreated && address === chain.book.platformFactory) {
      const event = Result.try(() => decodeAbiParameters(fundCreatedParameters, data))
      if (Result.isSuccess(event)) created.set(Contract.lower(event.success[0]), block)
    }
  }
  return { created, logics }
}

const everyVault = (chain: ChainClient) =>
  Effect.flatMap(chain.readAll([Contract.read(factoryAbi, chain.book.platformFactory, "getDeployedFunds", [])]), ([funds]) =>
    Result.isSuccess(funds) ? Effect.succeed(funds.success.map(Contract.lower)) : new NoLogs({ from: 0n, reason: "the platform does not list its vaults" }))

/** The manager's vaults as the platform's view call has them; none where it cannot be made. */
const viewed = (chain: ChainClient, manager: Address): Effect.Effect<Option.Option<ReadonlyArray<Address>>> =>
  chain.readAll([Contract.read(factoryAbi, chain.book.platformFactory, "getManagedPools", [manager])]).pipe(
    Effect.map(([pools]) => Result.isSuccess(pools) ? Option.some(pools.success.map(Contract.lower)) : Option.none()),
    Effect.catch((failure) => Effect.as(Effect.logDebug("getManagedPools could not be called", failure), Option.none()))
  )

/** Vaults a multicall asks about. */
const pageSize = 100

/** These vaults as the chain has them now, each with the block that made us look. */
const look = (chain: ChainClient, pools: ReadonlyMap<Address, bigint>) =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(pools, pageSize), (page) =>
      Effect.gen(function*() {
        const logics = yield* chain.readAll(page.map(([pool]) => Contract.read(poolAbi, pool, "poolManagerLogic", [])))
        const found = page.flatMap(([pool, block], index) => {
          const logic = logics[index]!
          return Result.isSuccess(logic) ? [{ pool, block, managerLogic: Contract.lower(logic.success) }] : []
        })
        const managers = yield* chain.readAll(found.map(({ managerLogic }) => Contract.read(managerLogicAbi, managerLogic, "manager", [])))
        return found.flatMap((vault, index) => {
          const manager = managers[index]!
          return Result.isSuccess(manager) ? [IndexedVault.make({ ...vault, manager: Contract.lower(manager.success) })] : []
        })
      }), { concurrency: 4 }),
    (pages) => pages.flat()
  )

const notFound = (network: Network) =>
  new ExecutionFailure({
    errorType: "rpc_unavailable",
    message: `The vaults of the manager on ${network} cannot be told at the moment; nothing was sent. Try again, or list them for mintManagerFeeBatch.`
  })
