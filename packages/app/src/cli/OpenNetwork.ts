/** The networks that a command reads without a running service, and the connection to one of them. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as ChainClient from "@vault-trader/workers/chain/ChainClient"
import * as JsonRpc from "@vault-trader/workers/chain/JsonRpc"
import * as RpcEndpoint from "@vault-trader/workers/chain/RpcEndpoint"
import type { Finding } from "@vault-trader/workers/network/NetworkCheck"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Scope from "effect/Scope"
import { configured, type Networks, withDevnetKey } from "../Networks.ts"
import type { Settings } from "../Settings.ts"
import type { CannotStart } from "../StartupFailure.ts"
import { networksOnDisk } from "./LocalTools.ts"

/** Returns the configured networks, with the devnet's key where they are the devnet's. */
export const configuredNetworks = (settings: Settings): Effect.Effect<Networks, CannotStart> =>
  Effect.flatMap(configured(settings), (books) => withDevnetKey(settings, books))

/** Returns the configured networks, or those of the devnet on DATA_DIR; empty without either. */
export const knownNetworks = (settings: Settings): Effect.Effect<Networks, CannotStart> =>
  Effect.flatMap(
    configuredNetworks(settings),
    (chosen) => chosen.books.length > 0 ? Effect.succeed(chosen) : networksOnDisk(settings)
  )

/** A network's client, and the chain that each of its endpoints serves. */
export interface OpenNetwork {
  readonly chain: ChainClient.ChainClient
  readonly endpoints: ReadonlyArray<Finding>
}

/**
 * Connects to a network, and asks every endpoint for its chain. `timeout`: of one request, milliseconds. `urls` are
 * connected to in place of the book's, which name the endpoints.
 */
export const openNetwork = (
  book: NetworkBook,
  timeout: number,
  urls: ReadonlyArray<string> = book.rpcUrls
): Effect.Effect<OpenNetwork, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const { network } = book
    const endpoints = yield* Effect.forEach(urls, (url) => RpcEndpoint.make({ network, url, timeout }))
    const rpc = JsonRpc.overEndpoints(network, endpoints)
    return { endpoints: yield* chainsServed(book, rpc), chain: yield* ChainClient.make(book, rpc) }
  })

/** Reads the chain id from every endpoint. One that does not answer, or serves another chain, is a finding each. */
const chainsServed = ({ chainId, rpcUrls }: NetworkBook, rpc: JsonRpc.JsonRpc) =>
  Effect.map(
    rpc.requestEverywhere("eth_chainId", []),
    (answers): ReadonlyArray<Finding> =>
      rpcUrls.map((url, place) => {
        const check = `endpoint ${URL.canParse(url) ? new URL(url).host : place + 1}`
        const found = answers.find(({ endpoint }) => endpoint === place)
        if (found === undefined) return { check, status: "warning", detail: "no answer" }
        return Number(found.answer) === chainId
          ? { check, status: "ok", detail: `serves chain ${chainId}` }
          : { check, status: "failed", detail: `serves chain ${Number(found.answer)}, not ${chainId}` }
      })
  )
