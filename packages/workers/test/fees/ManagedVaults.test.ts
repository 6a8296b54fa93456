import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import * as Deployer from "@vault-trader/devnet/contract/Deployer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { encodeFunctionData, toFunctionSelector } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { ManagedVaults } from "../../src/manager/ManagedVaults.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { FeeDevnet, feeVaults } from "./FeeVaults.ts"

const selectors = {
  getManagedPools: toFunctionSelector("getManagedPools(address)"),
  getDeployedFunds: toFunctionSelector("getDeployedFunds()")
} as const

/** A chain client on which some views cannot be called. */
const without = (chain: ChainClient, ...views: ReadonlyArray<keyof typeof selectors>): ChainClient => ({
  ...chain,
  readAll: (reads, block) =>
    reads.some(({ data }) => views.some((view) => data.startsWith(selectors[view])))
      ? Effect.succeed(reads.map(() => Result.fail({ data: undefined, reason: "out of gas" })) as never)
      : chain.readAll(reads, block)
})

/** A chain client that records the queried block ranges. */
const watched = (chain: ChainClient, longest?: bigint) => {
  const ranges: Array<readonly [bigint, bigint]> = []
  const seen: ChainClient = {
    ...chain,
    logs: (filter) => {
      ranges.push([filter.from, filter.to])
      return longest !== undefined && filter.to - filter.from + 1n > longest
        ? new RpcRefused({ code: -32005, reason: "query exceeds max block range" })
        : chain.logs(filter)
    }
  }
  return { chain: seen, ranges }
}

const managed = Effect.gen(function*() {
  const vaults = yield* feeVaults
  const { of } = yield* ManagedVaults
  return {
    ...vaults,
    find: (manager: Address, chain: ChainClient = vaults.chain) => of(network, chain, manager),
    handOver: (pool: Address, to: Address, from = vaults.manager) =>
      Effect.gen(function*() {
        const { own, read, rpc } = vaults
        const logic = yield* read(pool, own.PoolLogic.abi, Deployer.AddressResult, "poolManagerLogic")
        const data = encodeFunctionData({
          abi: own.PoolManagerLogic.abi,
          functionName: "changeManager",
          args: [to, "New"]
        })
        yield* rpc.impersonating(from, rpc.send({ from, to: logic, data }))
      })
  }
})

layer(FeeDevnet, { timeout: "4 minutes", excludeTestServices: true })("the vaults of a manager", (it) => {
  it.effect("are found when the platform's own search cannot be called, including later created or transferred ones", () =>
    Effect.gen(function*() {
      const { chain, entry, find, handOver, manager, newVault, owner } = yield* managed
      const blind = without(chain, "getManagedPools")
      const demo = entry.vaults.map(({ pool }) => pool)
      const first = yield* find(manager, blind)
      assert.deepStrictEqual([first.scanned, [...first.pools].sort()], [2, [...demo].sort()])
      const made = yield* newVault(0n)
      const given = yield* newVault(0n)
      yield* handOver(given, owner)
      yield* handOver(demo[0]!, owner)
      const second = yield* find(manager, blind)
      assert.deepStrictEqual([second.scanned, [...second.pools].sort()], [4, [demo[1], made].sort()])
      assert.sameMembers([...(yield* find(owner, blind)).pools], [given, demo[0]])
      // Created and transferred between two reads, and transferred back.
      yield* handOver(made, owner)
      yield* handOver(made, manager, owner)
      assert.deepStrictEqual([...(yield* find(manager, blind)).pools].sort(), [demo[1], made].sort())
    }))

  it.effect("are not searched for again: only newer blocks are queried", () =>
    Effect.gen(function*() {
      const { chain, find, manager, newVault, rpc } = yield* managed
      const { chain: seen, ranges } = watched(without(chain, "getManagedPools"))
      yield* find(manager, seen)
      assert.deepStrictEqual(ranges, [])
      const reach = Option.getOrThrow(yield* (yield* VaultIndexStore).reach(network))
      yield* newVault(0n)
      yield* rpc.mine
      yield* find(manager, seen)
      assert.deepStrictEqual(ranges, [[reach + 1n, yield* rpc.blockNumber]])
      // On the devnet all but the newest block are final.
      assert.deepStrictEqual(yield* (yield* VaultIndexStore).reach(network), Option.some((yield* rpc.blockNumber) - 1n))
    }))

  it.effect("are found with shorter block ranges when a node refuses long ones", () =>
    Effect.gen(function*() {
      const { chain, find, manager, newVault, rpc } = yield* managed
      const blind = without(chain, "getManagedPools")
      yield* find(manager, blind)
      const made = yield* newVault(0n)
      yield* rpc.request("anvil_mine", ["0x400"], Schema.Unknown)
      const { chain: seen, ranges } = watched(blind, 500n)
      assert.include((yield* find(manager, seen)).pools, made)
      assert.isAbove(ranges.length, 3)
      assert.isTrue(ranges.slice(1).every(([from, to]) => to - from + 1n <= 500n))
    }))

  it.effect("are read again when the last read is too old for events", () =>
    Effect.gen(function*() {
      const { chain, find, manager, newVault } = yield* managed
      const blind = without(chain, "getManagedPools")
      yield* find(manager, blind)
      const made = yield* newVault(0n)
      const monthsLater = Effect.map(chain.head, (block) => ({ ...block, number: block.number + 300_000n }))
      const { chain: seen, ranges } = watched({ ...blind, head: monthsLater })
      assert.include((yield* find(manager, seen)).pools, made)
      assert.deepStrictEqual(ranges, [])
    }))

  it.effect("come from the platform's own search when the node returns no events, or the index missed one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { chain, entry, find, manager, newVault } = yield* managed
      yield* find(manager)
      const made = yield* newVault(0n)
      const { chain: deaf } = watched(chain, 0n)
      assert.sameMembers([...(yield* find(manager, deaf)).pools], [...entry.vaults.map(({ pool }) => pool), made])
      assert.strictEqual((yield* find(manager, without(chain, "getDeployedFunds"))).pools.length, 3)
      yield* sql`delete from vault_index where pool = ${made}`
      yield* sql`update vault_index_reach set block = block + 1000`
      const found = yield* find(manager)
      assert.deepStrictEqual([found.scanned, found.pools.includes(made)], [3, true])
    }))

  it.effect("that a reorg removed are forgotten", () =>
    Effect.gen(function*() {
      const { book, chain, find, manager, newVault, rpc } = yield* managed
      const blind = without({ ...chain, book: NetworkBook.make({ ...book, finalityDepth: 10 }) }, "getManagedPools")
      yield* find(manager, blind)
      const snapshot = yield* rpc.snapshot
      const made = yield* newVault(0n)
      assert.include((yield* find(manager, blind)).pools, made)
      yield* rpc.revert(snapshot)
      yield* rpc.mine
      yield* rpc.mine
      const after = yield* find(manager, blind)
      assert.deepStrictEqual([after.scanned, after.pools.includes(made)], [2, false])
    }))

  it.effect("that cannot be determined fail with 2020 and name an alternative", () =>
    Effect.gen(function*() {
      const { chain, find, manager } = yield* managed
      const failure = yield* refusal(find(manager, without(chain, "getManagedPools", "getDeployedFunds")))
      assert.strictEqual(failure.errorType, "rpc_unavailable")
      assert.match(failure.message, /Nothing was sent.*mintManagerFeeBatch/)
      const gone = Effect.fail(new RpcUnavailable({ network, reason: "gone" }))
      const down: ChainClient = { ...chain, head: gone, readAll: () => gone }
      assert.match((yield* refusal(find(manager, down))).message, /cannot be reached at the moment/)
    }))
})
