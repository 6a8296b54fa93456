import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { IndexedVault, VaultIndexStore } from "../../src/manager/VaultIndexStore.ts"
import { Database, freshAddress } from "../storage/Database.ts"

const network = "base"

/** Builds a fresh vault of this manager. */
const vaultOf = (manager: Address, block: bigint) =>
  Effect.map(
    Effect.all([freshAddress, freshAddress]),
    ([pool, managerLogic]) => IndexedVault.make({ pool, managerLogic, manager, block })
  )

layer(VaultIndexStore.layer.pipe(Layer.provideMerge(Database)), { timeout: "4 minutes", excludeTestServices: true })(
  "VaultIndexStore",
  (it) => {
    it.effect("is empty for a network that was not indexed, and keeps networks apart", () =>
      Effect.gen(function*() {
        const store = yield* VaultIndexStore
        const manager = yield* freshAddress
        const vault = yield* vaultOf(manager, 5n)
        assert.deepStrictEqual([yield* store.reach("polygon"), yield* store.size("polygon")], [Option.none(), 0])
        yield* store.keep("arbitrum", { vaults: [vault], gone: [], reach: 4n })
        assert.deepStrictEqual(yield* store.reach("arbitrum"), Option.some(4n))
        assert.deepStrictEqual(yield* store.managedBy("arbitrum", manager), [vault.pool])
        assert.deepStrictEqual([yield* store.reach("polygon"), yield* store.managedBy("polygon", manager)], [
          Option.none(),
          []
        ])
      }))

    it.effect("keeps the newest rows, removes vaults that are gone, and never decreases its reach", () =>
      Effect.gen(function*() {
        const store = yield* VaultIndexStore
        const [first, second] = [yield* freshAddress, yield* freshAddress]
        const [one, other] = [yield* vaultOf(first, 10n), yield* vaultOf(first, 10n)]
        yield* store.keep(network, { vaults: [one, other], gone: [], reach: 9n })
        yield* store.keep(network, {
          vaults: [IndexedVault.make({ ...one, manager: second, block: 20n })],
          gone: [other.pool],
          reach: 19n
        })
        // A process that has read earlier writes later.
        yield* store.keep(network, { vaults: [IndexedVault.make({ ...one, block: 15n })], gone: [], reach: 14n })
        assert.deepStrictEqual(yield* store.reach(network), Option.some(19n))
        assert.deepStrictEqual([yield* store.managedBy(network, first), yield* store.managedBy(network, second)], [[], [
          one.pool
        ]])
      }))

    it.effect("finds the vaults affected by an event, and those that a reorg can still change", () =>
      Effect.gen(function*() {
        const store = yield* VaultIndexStore
        const manager = yield* freshAddress
        const vaults = yield* Effect.forEach([1n, 2n, 9_000_003n], (block) => vaultOf(manager, block))
        yield* store.keep(network, { vaults, gone: [], reach: 2n })
        const affected = (managerLogics: ReadonlyArray<Address>, above: bigint) =>
          Effect.map(
            store.findAffected(network, { managerLogics, above }),
            (found) => found.map(({ pool }) => pool).sort()
          )
        assert.deepStrictEqual(yield* affected([], 9_000_002n), [vaults[2]!.pool])
        assert.deepStrictEqual(
          yield* affected([vaults[0]!.managerLogic, yield* freshAddress], 9_000_002n),
          [vaults[0]!.pool, vaults[2]!.pool].sort()
        )
        assert.deepStrictEqual(yield* affected([], 9_000_003n), [])
      }))

    it.effect("stores more vaults at once than one statement has parameters for", () =>
      Effect.gen(function*() {
        const store = yield* VaultIndexStore
        const sql = yield* SqlClient.SqlClient
        const manager = yield* freshAddress
        const vaults = yield* Effect.forEach(Array.from({ length: 2_500 }), () => vaultOf(manager, 1n))
        yield* store.keep("ethereum", { vaults, gone: [], reach: 1n })
        assert.strictEqual(yield* store.size("ethereum"), 2_500)
        yield* store.keep("ethereum", { vaults: [], gone: vaults.map(({ pool }) => pool), reach: 2n })
        assert.deepStrictEqual(yield* sql`select count(*)::int as count from vault_index where network = 'ethereum'`, [{
          count: 0
        }])
      }))
  }
)
