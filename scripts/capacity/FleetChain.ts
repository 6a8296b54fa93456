/** The chains of a simulated fleet: the contracts that every network has, and the networks' entries. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const addressOf = (prefix: string, number: number): Address =>
  `0x${prefix}${number.toString(16).padStart(40 - prefix.length, "0")}`

/** Prefixes of the addresses of simulated vaults, of their manager contracts, and of gas wallets; all as long. */
export const [vaultPrefix, logicPrefix, walletPrefix] = ["b070000", "1061c00", "9a50000"]

export const [factory, multicall3, weth, usdc] = [1, 2, 3, 4].map((each) => addressOf("c0de", each)) as [
  Address,
  Address,
  Address,
  Address
]
export const vaultOf = (number: number): Address => addressOf(vaultPrefix, number)
export const walletOf = (number: number): Address => addressOf(walletPrefix, number)
export const logicOf = (vault: string): string => `0x${logicPrefix}${vault.slice(2 + logicPrefix.length)}`

/** Each vault's balances, in smallest units: nearly all WETH, so that a bot that is long has nothing to do. */
export const quantities: Readonly<Record<string, bigint>> = { [weth]: 10n ** 18n, [usdc]: 5_000_000n }

/** Names of the kinds of `eth_call`; other calls are counted by their method. */
export const kinds = {
  bots: "eth_call for bots",
  samples: "eth_call for samples",
  wallets: "eth_call for wallets",
  others: "eth_call"
} as const

/** The counts of the nodes since they began. */
export interface Counted {
  readonly calls: Readonly<Record<string, number>>
  readonly requests: number
  /** Balances of vaults that were read; a check of a bot reads two. */
  readonly balances: number
  readonly cpu: NodeJS.CpuUsage
}

export interface Nodes {
  readonly books: ReadonlyArray<NetworkBook>
  readonly seen: Effect.Effect<Counted>
}

const bookOf = (network: Network, url: string): NetworkBook => {
  const { chainId } = facts[network]
  return NetworkBook.make({
    ...{ network, chainId, rpcUrls: [`${url}/${chainId}`], confirmations: 1, finalityDepth: 64 },
    ...{ blockPollMillis: 1_000, platformFactory: factory, multicall3, wrappedNative: weth },
    tokens: [{ symbol: "WETH", address: weth, decimals: 18 }, { symbol: "USDC", address: usdc, decimals: 6 }]
  })
}

/** Starts the nodes of these networks in a separate process, which ends with the scope. */
export const start = (networks: ReadonlyArray<Network>): Effect.Effect<Nodes, never, Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => fork(fileURLToPath(new URL("FleetNode.ts", import.meta.url)))),
      (process) => Effect.sync(() => process.kill("SIGKILL"))
    )
    const [port] = yield* Effect.promise(async () => await once(child, "message") as [number])
    const url = `http://127.0.0.1:${port}`
    return {
      books: networks.map((network) => bookOf(network, url)),
      seen: Effect.promise(async (signal) => await (await fetch(`${url}/seen`, { signal })).json() as Counted)
    }
  })
