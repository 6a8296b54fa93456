import { assert, it } from "@effect/vitest"
import type { Network } from "@vault-trader/core/chain/Network"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as Contract from "../../src/chain/Contract.ts"
import * as DataFee from "../../src/chain/DataFee.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { RawReceipt, toReceipt } from "../../src/chain/RpcSchema.ts"
import * as Schema from "effect/Schema"
import { withOracle } from "./L1Oracle.ts"

/** Fees as the oracle computes them: a price per byte, with the signature's bytes and a minimum. */
let perByte = 1_000n
const feeOf = (bytes: bigint) => (bytes < 100n ? 100n : bytes + 68n) * perByte

/** A client that counts its requests, of a network with or without the oracle. */
const clientOf = (network: Network, hasOracle: boolean) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network, seed: 1 })
    let requests = 0
    const endpoint = {
      name: "test-chain",
      score: () => ({ latency: 50, errors: 0, head: 0n }),
      send: ({ method, params }: { readonly method: string; readonly params: ReadonlyArray<unknown> }) => {
        requests += 1
        return Effect.mapError(
          chain.request(method, params),
          (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
        )
      }
    }
    const book = chain.book({})
    const client = yield* ChainClient.make(
      book,
      JsonRpc.overEndpoints(network, [
        hasOracle ? withOracle(endpoint, feeOf) : { ...endpoint }
      ])
    )
    const blockNumber = Effect.map(
      client.readAll([Contract.read(multicall3Abi, book.multicall3, "getBlockNumber", [])]),
      ([number]) => number
    )
    return { client, blockNumber, requests: Effect.sync(() => requests) }
  })

/** Calldata of this many bytes. */
const calldata = (bytes: number) => `0x${"11".repeat(bytes)}` as const

it.effect("is at least the oracle's fee, for short and long calldata", () =>
  Effect.gen(function*() {
    perByte = 1_000n
    const { client } = yield* clientOf("optimism", true)
    const price = yield* client.dataPrice
    for (const bytes of [0, 4, 68, 500, 5_000, 50_000]) {
      const fee = DataFee.ofCall(price, calldata(bytes))
      // An unsigned transaction has up to a hundred bytes beside its calldata.
      const real = feeOf(BigInt(bytes) + 80n)
      assert.isTrue(fee >= real && fee < real * 2n, `${bytes}: ${fee}, ${real}`)
      assert.isTrue(DataFee.ofSigned(price, calldata(bytes + 150)) >= real)
    }
  }))

it.effect("is read together with other reads, and by itself only when nothing was read for half a minute", () =>
  Effect.gen(function*() {
    perByte = 1_000n
    const { blockNumber, client, requests } = yield* clientOf("base", true)
    const before = yield* blockNumber
    assert.strictEqual(before._tag, "Success")
    const first = yield* client.dataPrice
    assert.isTrue(first.ofSample > 0n)
    assert.strictEqual(yield* requests, 1)
    perByte = 2_000n
    yield* TestClock.adjust("4 seconds")
    yield* blockNumber
    assert.deepStrictEqual(yield* client.dataPrice, first)
    yield* TestClock.adjust("1 second")
    yield* blockNumber
    const second = yield* client.dataPrice
    assert.strictEqual(second.ofSample, 2n * first.ofSample)
    assert.strictEqual(yield* requests, 3)
    yield* TestClock.adjust("29 seconds")
    yield* client.dataPrice
    assert.strictEqual(yield* requests, 3)
    yield* TestClock.adjust("1 second")
    yield* Effect.all([client.dataPrice, client.dataPrice], { concurrency: "unbounded" })
    assert.strictEqual(yield* requests, 4)
  }))

it.effect("is zero where there is no oracle, and is not even read on other networks", () =>
  Effect.gen(function*() {
    const bare = yield* clientOf("optimism", false)
    assert.strictEqual((yield* bare.blockNumber)._tag, "Success")
    assert.strictEqual(DataFee.ofCall(yield* bare.client.dataPrice, calldata(1_000)), 0n)
    for (const network of ["arbitrum", "polygon", "ethereum", "hyperliquid"] as const) {
      const { client, requests } = yield* clientOf(network, true)
      assert.strictEqual(DataFee.ofCall(yield* client.dataPrice, calldata(1_000)), 0n)
      assert.strictEqual(yield* requests, 0)
    }
  }))

it.effect("of a mined transaction comes from its receipt, where the node reports one", () =>
  Effect.gen(function*() {
    const raw = {
      transactionHash: `0x${"ab".repeat(32)}`,
      blockHash: `0x${"cd".repeat(32)}`,
      blockNumber: "0x10",
      status: "0x1",
      gasUsed: "0x5208",
      effectiveGasPrice: "0x2",
      logs: []
    }
    const receiptOf = (fields: object) => Effect.map(Schema.decodeUnknownEffect(RawReceipt)(fields), toReceipt)
    assert.strictEqual((yield* receiptOf({ ...raw, l1Fee: "0x3e8" }))?.l1Fee, 1_000n)
    for (const fields of [raw, { ...raw, l1Fee: null }]) {
      assert.notProperty(yield* receiptOf(fields), "l1Fee")
    }
  }))
