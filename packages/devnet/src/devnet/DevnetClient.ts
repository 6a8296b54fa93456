/** Works a devnet from the outside: everything here needs only devnet.json, not the processes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as AnvilRpc from "../anvil/AnvilRpc.ts"
import { assertLoopback, type NotLoopback } from "../anvil/Loopback.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Receipt } from "../anvil/RpcSchema.ts"
import { AddressResult, read as readContract } from "../contract/Deployer.ts"
import { feedAnswer } from "../contract/Market.ts"
import { type DevnetFile, type DevnetManager, type DevnetNetwork, entries } from "./DevnetFile.ts"
import { type DevnetFileUnreadable, read } from "./DevnetStore.ts"

/** The devnet has no such network, or no such token there. */
export class NotInDevnet extends Schema.TaggedError<NotInDevnet>()("NotInDevnet", { what: Schema.String }) {
  override get message() {
    return `The devnet has no ${this.what}.`
  }
}

export type DevnetFailure = NotInDevnet | RpcFailure

export interface DevnetClient {
  readonly file: DevnetFile
  readonly rpc: (network: Network) => Effect.Effect<AnvilRpc.AnvilRpc, NotInDevnet>
  /** Adds native money to an address, out of nothing. */
  readonly faucet: (request: {
    readonly network: Network
    readonly address: Address
    readonly amountWei: bigint
  }) => Effect.Effect<void, DevnetFailure>
  /** Native balance in wei. */
  readonly balance: (request: {
    readonly network: Network
    readonly address: Address
  }) => Effect.Effect<bigint, DevnetFailure>
  /** Makes `trader` the trader of a vault that the devnet's manager manages, in a transaction the manager signs. */
  readonly setTrader: (request: {
    readonly network: Network
    readonly pool: Address
    readonly trader: Address
  }) => Effect.Effect<Receipt, DevnetFailure>
  /** Sets what the token's price feed answers. Pools do not follow by themselves. */
  readonly setPrice: (request: {
    readonly network: Network
    readonly symbol: string
    readonly usd: number
  }) => Effect.Effect<Receipt, DevnetFailure>
  /** Gives tokens to an address; `amount` in the token's smallest unit. */
  readonly mintToken: (request: {
    readonly network: Network
    readonly symbol: string
    readonly address: Address
    readonly amount: bigint
  }) => Effect.Effect<Receipt, DevnetFailure>
}

const abi = parseAbi([
  "function poolManagerLogic() view returns (address)",
  "function setTrader(address trader)",
  "function updateAnswer(int256 answer)",
  "function mint(address to, uint256 amount)",
  "function deposit() payable",
  "function transfer(address to, uint256 amount) returns (bool)"
])

const gwei = 1_000_000_000n

/** Two signatures at once would take the same nonce, so the manager signs one transaction at a time. */
const manager = Effect.map(
  Effect.makeSemaphore(1),
  (turn) => (rpc: AnvilRpc.AnvilRpc, { address, privateKey }: DevnetManager, to: Address, data: Hex) =>
    Effect.gen(function*() {
      const { baseFeePerGas } = yield* rpc.latestBlock
      const [chainId, nonce] = yield* Effect.all([rpc.chainId, rpc.nonce(address)])
      const signed = yield* Effect.promise(() =>
        privateKeyToAccount(privateKey).signTransaction({
          type: "eip1559",
          chainId,
          nonce,
          to,
          data,
          gas: 1_000_000n,
          maxFeePerGas: baseFeePerGas * 2n + 2n * gwei,
          maxPriorityFeePerGas: gwei
        })
      )
      return yield* rpc.sendRaw(signed)
    }).pipe(turn.withPermits(1))
)

const found = <A>(value: A | undefined, what: string) =>
  value === undefined ? new NotInDevnet({ what }) : Effect.succeed(value)

/** Fails when one of the file's nodes is not on this machine. */
export const make = (file: DevnetFile): Effect.Effect<DevnetClient, NotLoopback> =>
  Effect.gen(function*() {
    const nodes = new Map<Network, { readonly entry: DevnetNetwork; readonly rpc: AnvilRpc.AnvilRpc }>()
    for (const [network, entry] of entries(file)) {
      yield* assertLoopback(entry.rpcUrl)
      nodes.set(network, { entry, rpc: AnvilRpc.make(entry.rpcUrl) })
    }
    const sendAsManager = yield* manager
    const node = (network: Network) => found(nodes.get(network), `network ${network}`)
    const rpc = (network: Network) => Effect.map(node(network), (node) => node.rpc)
    const developerSends = (node: AnvilRpc.AnvilRpc, to: Address, data: Hex, value = 0n) =>
      Effect.flatMap(node.developer, (from) => node.send({ from, to, data, value }))
    return {
      file,
      rpc,
      faucet: Effect.fn("DevnetClient.faucet")(function*({ address, amountWei, network }) {
        const node = yield* rpc(network)
        yield* node.addBalance(address, amountWei)
      }),
      balance: ({ address, network }) => Effect.flatMap(rpc(network), (node) => node.balance(address)),
      setTrader: Effect.fn("DevnetClient.setTrader")(function*({ network, pool, trader }) {
        const node = yield* rpc(network)
        const logic = yield* readContract(node, { address: pool, abi }, AddressResult, "poolManagerLogic")
        const data = encodeFunctionData({ abi, functionName: "setTrader", args: [trader] })
        return yield* sendAsManager(node, file.manager, logic, data)
      }),
      setPrice: Effect.fn("DevnetClient.setPrice")(function*({ network, symbol, usd }) {
        const { entry, rpc } = yield* node(network)
        const feed = yield* found(entry.feeds[symbol], `price feed for ${symbol} on ${network}`)
        const data = encodeFunctionData({ abi, functionName: "updateAnswer", args: [feedAnswer(usd)] })
        return yield* developerSends(rpc, feed, data)
      }),
      mintToken: Effect.fn("DevnetClient.mintToken")(function*({ address, amount, network, symbol }) {
        const { entry, rpc } = yield* node(network)
        const token = yield* found(entry.tokens[symbol], `token ${symbol} on ${network}`)
        if (symbol !== "WETH" && token.address !== entry.wrappedNative) {
          const data = encodeFunctionData({ abi, functionName: "mint", args: [address, amount] })
          return yield* developerSends(rpc, token.address, data)
        }
        // Wrapped tokens are not printed but bought one for one.
        yield* developerSends(rpc, token.address, encodeFunctionData({ abi, functionName: "deposit" }), amount)
        const data = encodeFunctionData({ abi, functionName: "transfer", args: [address, amount] })
        return yield* developerSends(rpc, token.address, data)
      })
    }
  })

/** A client of the devnet that wrote the devnet.json at `path`. */
export const fromFile = (path: string): Effect.Effect<DevnetClient, NotLoopback | DevnetFileUnreadable> =>
  Effect.flatMap(read(path), make)
