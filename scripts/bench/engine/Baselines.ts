/**
 * Other ways to send transactions of one wallet: viem and ethers as their users run them, and transactions that were
 * signed before.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { JsonRpcProvider, Network, NonceManager, Wallet } from "ethers"
import { createNonceManager, createWalletClient, defineChain, http, webSocket } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { jsonRpc } from "viem/nonce"
import { type BenchNode, callNumber, type Counter } from "./BenchNode.ts"
import * as JsonRpcClient from "./JsonRpcClient.ts"

/**
 * A prepared client with a fresh wallet: everything that may happen before the clock starts is done. `run` sends all
 * transactions.
 */
export interface Ready {
  readonly run: Effect.Effect<unknown, BaselineFailed>
}

export interface Baseline {
  readonly name: string
  readonly prepare: (node: BenchNode, counter: Counter, count: number) => Effect.Effect<Ready, never, Scope>
}

/** A client failed to send a transaction; those after it wait for a nonce that never comes. */
export class BaselineFailed extends Data.TaggedError("BaselineFailed")<{ readonly reason: string }> {}

/**
 * Calls `send` for each index, `concurrency` at a time. Fails with the first error, because its nonce is missing from
 * then on.
 */
const concurrently = (concurrency: number, count: number, send: (index: number) => Promise<unknown>) => {
  let next = 0
  const worker = async () => {
    while (next < count) await send(next++)
  }
  return Effect.tryPromise({
    try: () => Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker)),
    catch: (error) =>
      new BaselineFailed({
        reason: error instanceof Error ? error.message.split("\n")[0] ?? error.name : String(error)
      })
  })
}

const funded = (node: BenchNode) =>
  Effect.gen(function*() {
    const privateKey = generatePrivateKey()
    const address = privateKeyToAccount(privateKey).address.toLowerCase() as Address
    yield* node.fund(address)
    return { privateKey, address }
  })

type Transport = "http" | "http, batched" | "websocket"

/** A wallet client with viem's nonce manager; `sendTransaction` fills in nonce, fees and gas as it does by default. */
export const viem = (concurrency: number, transport: Transport): Baseline => ({
  name: `viem nonceManager, ${concurrency} at a time, ${transport}`,
  prepare: (node, counter, count) =>
    Effect.gen(function*() {
      const { privateKey } = yield* funded(node)
      const chain = defineChain({
        id: node.chainId,
        name: node.network,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [node.url] } }
      })
      const account = privateKeyToAccount(privateKey, { nonceManager: createNonceManager({ source: jsonRpc() }) })
      const over = transport === "websocket"
        ? webSocket(node.url.replace("http", "ws"))
        : http(node.url, { batch: transport === "http, batched" })
      const client = createWalletClient({ chain, account, transport: over })
      if (transport === "websocket") yield* Effect.addFinalizer(() => closed(client))
      return {
        run: concurrently(
          concurrency,
          count,
          (index) => client.sendTransaction({ to: counter.address, data: callNumber(index) })
        )
      }
    })
})

const closed = (client: { readonly transport: object }) =>
  Effect.promise(async () => {
    // viem infers a transport's type from its creation; a client that allows several kinds has lost it.
    const { getRpcClient } = client.transport as {
      readonly getRpcClient?: () => Promise<{ readonly close: () => void }>
    }
    if (getRpcClient !== undefined) (await getRpcClient()).close()
  })

/** A wallet under ethers' NonceManager; the provider batches by itself, as it does by default. */
export const ethers = (concurrency: number): Baseline => ({
  name: `ethers NonceManager, ${concurrency} at a time`,
  prepare: (node, counter, count) =>
    Effect.gen(function*() {
      const { privateKey } = yield* funded(node)
      const network = new Network(node.network, node.chainId)
      const provider = yield* Effect.acquireRelease(
        Effect.sync(() => new JsonRpcProvider(node.url, network, { staticNetwork: network })),
        (made) => Effect.sync(() => made.destroy())
      )
      const signer = new NonceManager(new Wallet(privateKey, provider))
      return {
        run: concurrently(
          concurrency,
          count,
          (index) => signer.sendTransaction({ to: counter.address, data: callNumber(index) })
        )
      }
    })
})

/** The upper bound: signed transactions are only sent, in nonce order, in batches. */
export const presigned = (batch: number, connections: number): Baseline => ({
  name: `pre-signed, batches of ${batch} over ${connections} connections`,
  prepare: (node, counter, count) =>
    Effect.gen(function*() {
      const { privateKey } = yield* funded(node)
      const rpc = yield* JsonRpcClient.make(node.url, connections)
      const account = privateKeyToAccount(privateKey)
      const sign = (index: number) =>
        account.signTransaction({
          type: "eip1559",
          chainId: node.chainId,
          to: counter.address,
          data: callNumber(index),
          nonce: index,
          gas: 60_000n,
          maxFeePerGas: 10_000_000_000n,
          maxPriorityFeePerGas: 1_000_000n
        })
      const raw = yield* Effect.promise(() => Promise.all(Array.from({ length: count }, (_, index) => sign(index))))
      const batches = Array.from({ length: Math.ceil(count / batch) }, (_, index) =>
        raw.slice(index * batch, (index + 1) * batch).map((
          bytes
        ): JsonRpcClient.Call => ["eth_sendRawTransaction", bytes]))
      return {
        run: concurrently(connections, batches.length, (index) =>
          rpc.batch(batches[index] ?? []))
      }
    })
})
