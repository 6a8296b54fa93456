/** The peer of the HTTP benches: what a hand-written server with Fastify, node-postgres and viem does for the same request. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

/** Its name in the table. */
export const name = "Fastify + pg"

/** A token as `getSymbol` answers it. */
interface PeerToken {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
}

/** Swaps that are planned: the call of each vault, and the key of its trader. */
export interface PeerTrades {
  readonly url: string
  readonly chainId: number
  /** By the vault's address, in lower case. */
  readonly calls: Readonly<
    Record<string, { readonly to: Address; readonly data: Hex; readonly privateKey: Hex }>
  >
}

export interface PeerData {
  /** Null for a server that only listens. */
  readonly databaseOf: { readonly host: string; readonly user: string; readonly database: string } | null
  readonly pepper: string
  /** By address, in lower case. */
  readonly tokens: Readonly<Record<string, PeerToken>>
  readonly trades: PeerTrades | null
}

export interface Peer {
  readonly baseUrl: string
  readonly pid: number
  /** Everything that the process has printed. */
  readonly output: () => string
}

/** A server that only listens. */
export const bare: PeerData = { databaseOf: null, pepper: "", tokens: {}, trades: null }

/** Describes the service's database and pepper to the peer: it reads the same rows. */
export const dataOf = (
  dataDir: string,
  tokens: ReadonlyArray<PeerToken>,
  trades: PeerTrades | null = null
): Effect.Effect<PeerData, never, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly host: string; readonly user: string; readonly database: string }>`
      select trim(both '"' from current_setting('unix_socket_directories')) as host, current_user::text as "user",
        current_database()::text as database`
    return {
      databaseOf: row ?? null,
      pepper: Fs.readFileSync(Path.join(dataDir, "pepper"), "utf8").trim(),
      tokens: Object.fromEntries(tokens.map((token) => [token.address.toLowerCase(), token])),
      trades
    }
  }).pipe(Effect.orDie)

/** Starts the peer as a process and waits until it listens; it ends with the scope. */
export const start = (
  data: PeerData,
  nodeOptions: ReadonlyArray<string> = []
): Effect.Effect<Peer, never, Scope> =>
  Effect.gen(function*() {
    let said = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const forked = fork(fileURLToPath(new URL("PeerProcess.ts", import.meta.url)), [], {
          execArgv: [...nodeOptions],
          stdio: ["ignore", "pipe", "pipe", "ipc"]
        })
        for (const stream of [forked.stdout, forked.stderr]) {
          stream?.setEncoding("utf8").on("data", (text: string) => {
            said += text
          })
        }
        forked.send(data)
        return forked
      }),
      (process) => Effect.sync(() => process.kill("SIGKILL"))
    )
    const [port] = yield* Effect.promise(async () => {
      const listening = once(child, "message")
      const ended = once(child, "exit").then(() => {
        throw new Error(`the peer ended: ${said}`)
      })
      return await Promise.race([listening, ended]) as [number]
    })
    return { baseUrl: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, output: () => said }
  })
