/** A fast local node: anvil with a block every quarter of a second, and a contract that counts its calls. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { anvilBinary } from "@vault-trader/devnet/anvil/AnvilBinary"
import * as Guard from "@vault-trader/devnet/anvil/Guard"
import { multicall3Code } from "@vault-trader/devnet/contract/Artifact"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as JsonRpcClient from "./JsonRpcClient.ts"

/** Number of transactions that called a contract: pending or mined, and mined. */
export interface Count {
  readonly arrived: number
  readonly mined: number
}

/** A contract to call, new for each round: its number of calls is the number of mined transactions of the round. */
export interface Counter {
  readonly address: Address
  readonly count: Effect.Effect<Count>
}

export interface BenchNode {
  readonly network: Network
  readonly chainId: number
  readonly url: string
  readonly rpc: JsonRpcClient.JsonRpcClient
  /** The network's configuration for the engine: as for the devnet, so that finality comes within the round. */
  readonly book: NetworkBook
  /** Deploys a counter. The node's pool must be empty: its pending transactions count as arrived. */
  readonly counter: Effect.Effect<Counter>
  /** Sets an address's balance and its first nonce. */
  readonly fund: (address: Address, nonce?: number) => Effect.Effect<void>
}

/**
 * Returns the calldata of call `index`. Each differs, so that no client can answer one from the cached result of
 * another.
 */
export const callNumber = (index: number): Hex => `0xd09de08a${index.toString(16).padStart(64, "0")}`

/** `sstore(0, sload(0) + 1)`, whatever it is called with. */
const code = "0x5f546001015f5500"
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`
const zero = `0x${"0".repeat(40)}` as const

/** Options for blocks that hold thousands of transactions: the node's gas limit is not what is measured. */
const flags = (chainId: number, cache: string) => [
  ...["--host", "127.0.0.1", "--port", "0", "--chain-id", String(chainId), "--hardfork", "cancun"],
  ...[
    "--block-time",
    "0.25",
    "--gas-limit",
    "3000000000",
    "--prune-history",
    "64",
    "--slots-in-an-epoch",
    "1",
    "--cache-path",
    cache
  ]
]

const portIn = (logFile: string) =>
  Effect.sync(() =>
    /Listening on 127\.0\.0\.1:(\d+)/.exec(Fs.existsSync(logFile) ? Fs.readFileSync(logFile, "utf8") : "")?.[1]
  ).pipe(
    Effect.delay("10 millis"),
    Effect.repeat({ while: (port) => port === undefined }),
    Effect.timeout("20 seconds"),
    Effect.orDie
  )

/** Multicall3, which every supported network has. */
const multicall3: Address = "0x00000000000000000000000000000000000000d3"

export const start = (network: Network): Effect.Effect<BenchNode, never, Scope> =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const { chainId } = facts[network]
    const logFile = Path.join(folder, "log")
    const binary = yield* Effect.orDie(anvilBinary)
    const command = [binary, ...flags(chainId, folder)]
    yield* Effect.orDie(Guard.start({ command, marker: folder, pidFile: Path.join(folder, "pid"), logFile }))
    const url = `http://127.0.0.1:${yield* portIn(logFile)}`
    const rpc = yield* JsonRpcClient.make(url)
    const ask = (...calls: ReadonlyArray<JsonRpcClient.Call>) => Effect.promise(() => rpc.batch(calls))
    yield* ask(["anvil_setLoggingEnabled", false])
    const [runtime] = yield* ask(["eth_call", { data: yield* Effect.orDie(multicall3Code) }, "latest"])
    yield* ask(["anvil_setCode", multicall3, runtime])
    return {
      network,
      chainId,
      url,
      rpc,
      book: NetworkBook.make({
        network,
        chainId,
        rpcUrls: [url],
        confirmations: 1,
        finalityDepth: 1,
        blockPollMillis: 100,
        platformFactory: zero,
        multicall3,
        wrappedNative: zero,
        tokens: []
      }),
      fund: (address, nonce = 0) =>
        Effect.asVoid(ask(
          ["anvil_setBalance", address, `0x${(10n ** 24n).toString(16)}`],
          ["anvil_setNonce", address, `0x${nonce.toString(16)}`]
        )),
      counter: Effect.gen(function*() {
        const address: Address = `0x${randomBytes(20).toString("hex")}`
        // It starts at one: the first call would cost more gas than the others if it wrote to an empty slot.
        yield* ask(["anvil_setCode", address, code], ["anvil_setStorageAt", address, word(0), word(1)])
        return {
          address,
          // The block first and the pool second: a transaction mined between them is counted later, and none is counted
          // twice.
          count: Effect.map(
            ask(["eth_getStorageAt", address, word(0), "latest"], ["txpool_status"]),
            ([stored, pool]) => {
              const mined = Number(stored) - 1
              const { pending, queued } = pool as { readonly pending: string; readonly queued: string }
              return { mined, arrived: mined + Number(pending) + Number(queued) }
            }
          )
        }
      })
    }
  })
