/** Vaults that exist on no chain, and bots that watch them. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as JsonRpcClient from "../engine/JsonRpcClient.ts"

/** Configuration of the front. */
export interface FrontData {
  readonly node: string
  readonly multicall3: Address
  /** Each vault's balance of a token, in smallest units. */
  readonly quantities: Readonly<Record<string, string>>
}

/**
 * Requests since the last `forget`: calls, counted one by one inside batches, and the number of simulated vaults read.
 */
export interface Seen {
  readonly calls: number
  readonly requests: number
  readonly vaults: number
}

export interface VaultsFront {
  readonly url: string
  readonly seen: Effect.Effect<Seen>
  readonly forget: Effect.Effect<void>
}

/** Prefix of the addresses of simulated vaults; no other address has it. */
const prefix = `0x${"b07".repeat(9)}0`
export const isSimulated = (address: string): boolean => address.startsWith(prefix)

/** Starts the front in a separate process, so that its work and memory are not counted as the watch's. */
export const start = (
  book: NetworkBook,
  quantities: FrontData["quantities"]
): Effect.Effect<VaultsFront, never, Scope> =>
  Effect.gen(function*() {
    const data: FrontData = { node: book.rpcUrls[0], multicall3: book.multicall3, quantities }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => fork(fileURLToPath(new URL("VaultsFront.ts", import.meta.url)), [JSON.stringify(data)])),
      (process) => Effect.sync(() => process.kill("SIGKILL"))
    )
    const [port] = yield* Effect.promise(async () => await once(child, "message") as [number])
    const url = `http://127.0.0.1:${port}`
    const rpc = yield* JsonRpcClient.make(url)
    const ask = (method: string) => Effect.promise(() => rpc.call(method))
    return {
      url,
      seen: Effect.map(ask("bench_seen"), (seen) => seen as Seen),
      forget: Effect.asVoid(ask("bench_forget"))
    }
  })

/**
 * Replaces all bots by this many, each with its own vault: long, within its threshold. They have no real wallet and
 * trade nothing.
 */
export const bots = (book: NetworkBook, pair: { readonly base: Address; readonly quote: Address }, count: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(Effect.gen(function*() {
      // Skips foreign keys: a wallet and a key for each bot would change nothing, because no bot trades.
      yield* sql`set local session_replication_role = replica`
      yield* sql`delete from threshold_bots`
      yield* sql`insert into threshold_bots (id, network, pool, pair, base, quote, side, threshold, share, max_usd,
        slippage, platform, lending, paper, wallet, key_id)
        select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${book.network},
        ${prefix} || lpad(to_hex(n), 12, '0'), 'WETH-USDC',
          ${pair.base}, ${pair.quote}, 'long', 1, 100, 10000000, 1, 'auto', false, false, ${`0x${"0".repeat(40)}`},
          '00000000-0000-7000-8000-000000000000'::uuid from generate_series(1, ${count}::int) n`
    }))
    yield* sql`vacuum analyze threshold_bots`
  }).pipe(Effect.orDie)
