/**
 * Takes a vault's snapshot when its composition is read, at most once a day. A snapshot that cannot be taken delays and
 * fails nothing.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { type VaultSnapshot, VaultSnapshotStore } from "@vault-trader/core/vault/VaultSnapshotStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"

const priceAbi = parseAbi(["function tokenPrice() view returns (uint256)"])

interface Since {
  readonly first: VaultSnapshot | undefined
  /** Current price of the vault's token, USD with 18 decimals; `undefined` when it cannot be read. */
  readonly price: bigint | undefined
}

interface Snapshots {
  /** Takes a snapshot unless there is one from the last day. */
  readonly note: (pool: Address) => Effect.Effect<void>
  /** Returns the vault's first snapshot, which is taken now if it has none. */
  readonly since: (pool: Address) => Effect.Effect<Since, ExecutionFailure>
}

const day = 86_400_000

/** Maximum time that a read of the composition waits for its snapshot. */
const snapshotTimeout = "2 seconds"

/** Makes the snapshots service of a network's vaults. */
export const make = (network: Network, chain: ChainClient): Effect.Effect<Snapshots, never, SqlClient.SqlClient> =>
  Effect.map(VaultSnapshotStore.make, (store) => {
    /** Time at which a vault was last found to have a recent snapshot, so that the next read needs no query. */
    const recentAt = new Map<Address, number>()

    const price = (pool: Address) =>
      Effect.map(
        chain.readAll([Contract.read(priceAbi, pool, "tokenPrice", [])]),
        ([answer]) => Result.isSuccess(answer) && answer.success > 0n ? answer.success : undefined
      )

    const note = (pool: Address) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (now - (recentAt.get(pool) ?? -day) < day) return
        if (!(yield* store.isRecent(network, pool))) {
          const worth = yield* price(pool)
          if (worth === undefined) return
          yield* store.add(network, pool, worth)
        }
        recentAt.set(pool, now)
      }).pipe(
        Effect.timeout(snapshotTimeout),
        Effect.catchCause((cause) => Effect.logWarning(`no snapshot of ${pool} on ${network} could be taken`, cause))
      )

    return {
      note,
      since: (pool) =>
        Effect.gen(function*() {
          const worth = yield* Effect.mapError(price(pool), unavailable)
          if (worth !== undefined) yield* Effect.orDie(store.add(network, pool, worth))
          const first = yield* Effect.orDie(store.first(network, pool))
          return { first: Option.getOrUndefined(first), price: worth }
        })
    }
  })
