/** Takes a vault's snapshot when somebody looks at it, at most once a day: nobody is kept waiting, and nothing fails, for want of one. */
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

export interface Since {
  readonly first: VaultSnapshot | undefined
  /** What the vault's token is worth now, USD with 18 decimals; absent when nobody can tell. */
  readonly price: bigint | undefined
}

export interface Snapshots {
  /** Takes one where none of the last day is there. */
  readonly note: (pool: Address) => Effect.Effect<void>
  /** The vault's first snapshot, taken now if it has none. */
  readonly since: (pool: Address) => Effect.Effect<Since, ExecutionFailure>
}

const day = 86_400_000

/** How long a look waits for the snapshot it causes. */
const patience = "2 seconds"

/** The snapshots of a network's vaults. */
export const make = (network: Network, chain: ChainClient): Effect.Effect<Snapshots, never, SqlClient.SqlClient> =>
  Effect.map(VaultSnapshotStore.make, (store) => {
    /** When a vault was last found to have one, so that the next look costs nothing. */
    const known = new Map<Address, number>()

    const price = (pool: Address) =>
      Effect.map(chain.readAll([Contract.read(priceAbi, pool, "tokenPrice", [])]), ([told]) =>
        Result.isSuccess(told) && told.success > 0n ? told.success : undefined)

    const note = (pool: Address) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (now - (known.get(pool) ?? -day) < day) return
        if (!(yield* store.isRecent(network, pool))) {
          const worth = yield* price(pool)
          if (worth === undefined) return
          yield* store.add(network, pool, worth)
        }
        known.set(pool, now)
      }).pipe(
        Effect.timeout(patience),
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
