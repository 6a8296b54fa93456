import { assert, it } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { type Request, unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import { privateKeyToAddress } from "viem/accounts"
import { clientOver, endpointOf } from "./TestClient.ts"

const key = `0x${"11".repeat(32)}` as const
const vault: Address = "0x00000000000000000000000000000000000000aa"
const down: Request = () => Effect.fail(unavailable("optimism", "HTTP 503"))

/** A chain with one mined transaction of the wallet. */
const mined = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "optimism", baseFee: 1n })
  yield* chain.setBalance(privateKeyToAddress(key).toLowerCase() as Address, 10n ** 18n)
  const hash = yield* chain.foreign(key, { to: vault })
  yield* chain.mine()
  return { chain, hash }
})

/** Changes a node's answers about transactions. */
const altered = (request: Request, change: object): Request => (method, params) =>
  Effect.map(
    request(method, params),
    (answer) => method === "eth_getTransactionByHash" && answer !== null ? { ...answer as object, ...change } : answer
  )

/** The same transaction as a node shows one whose signature cannot be checked. */
const unproven = (request: Request) => altered(request, { r: undefined, s: undefined })

const read = (chain: TestChain.TestChain, hash: Hash, ...nodes: ReadonlyArray<Request>) =>
  Effect.flatMap(
    clientOver(chain, nodes.map((node, index) => endpointOf(`node ${index}`, node, 1 + 60 * index))),
    (client) => client.transaction(hash)
  )

it.effect("believes one endpoint whose signed bytes have the hash", () =>
  Effect.gen(function*() {
    const { chain, hash } = yield* mined
    const sent = yield* read(chain, hash, chain.request, down)
    assert.strictEqual(sent?.to, vault)
    assert.isDefined(sent?.signed)
  }))

it.effect("takes the proven transaction where the best endpoint shows another call", () =>
  Effect.gen(function*() {
    const { chain, hash } = yield* mined
    const liar = altered(chain.request, { to: "0x00000000000000000000000000000000000000bb" })
    assert.strictEqual((yield* read(chain, hash, liar, chain.request))?.to, vault)
    assert.isNull(yield* read(chain, hash, liar, down))
    assert.isNull(yield* read(chain, hash, liar, unproven(chain.request)))
  }))

it.effect("needs two of several endpoints for a transaction whose signature it cannot check", () =>
  Effect.gen(function*() {
    const { chain, hash } = yield* mined
    assert.strictEqual((yield* read(chain, hash, unproven(chain.request)))?.to, vault)
    assert.strictEqual((yield* read(chain, hash, unproven(chain.request), unproven(chain.request)))?.to, vault)
    assert.isNull(yield* read(chain, hash, unproven(chain.request), down))
  }))

it.effect("does not take another transaction for the one that was asked for", () =>
  Effect.gen(function*() {
    const { chain, hash } = yield* mined
    const other = yield* chain.foreign(key)
    yield* chain.mine()
    const swapped: Request = (method, params) =>
      chain.request(method, method === "eth_getTransactionByHash" ? [other] : params)
    assert.isNull(yield* read(chain, hash, swapped))
  }))
