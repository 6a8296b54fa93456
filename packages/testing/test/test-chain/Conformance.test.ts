/** Compares the mocked chain with the devnet: the same scenarios, field by field. */
import { assert, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { facts } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { refused, unavailable } from "../../src/test-chain/Rpc.ts"
import * as Conformance from "./Conformance.ts"
import { ether, start, stranger, trader } from "./Trader.ts"

const network = "optimism"

const Answer = Schema.Struct({
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.Struct({ code: Schema.Int, message: Schema.String, data: Schema.optional(Schema.Unknown) })
  )
})

/** Makes JSON-RPC calls and keeps the error's data, which the devnet's own client decodes. */
const requestTo = (url: string): Conformance.Subject["request"] => (method, params) =>
  Effect.gen(function*() {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answered = yield* Effect.tryPromise({
      try: () =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }).then((response) =>
          response.json()
        ),
      catch: (error) => unavailable(network, String(error))
    })
    const { error, result } = yield* Effect.orDie(Schema.decodeUnknownEffect(Answer)(answered))
    if (error === undefined) return result
    return yield* Effect.fail(
      refused(error.code, error.message, typeof error.data === "string" ? error.data : undefined)
    )
  })

const devnetSubject = Effect.gen(function*() {
  const devnet = yield* Devnet
  const entry = devnet.file.networks[network]
  const vault = entry?.vaults[0]
  if (entry === undefined || vault === undefined) return yield* Effect.die(new Error("the devnet has no demo vault"))
  const rpc = yield* devnet.rpc(network)
  yield* devnet.setTrader({ network, pool: vault.pool, trader })
  for (const address of [trader, stranger]) yield* devnet.faucet({ network, address, amountWei: 100n * ether })
  return {
    request: requestTo(entry.rpcUrl),
    chainId: facts[network].chainId,
    factory: entry.factory,
    multicall3: entry.multicall3,
    router: entry.uniswapV3.router,
    quoter: entry.uniswapV3.quoter,
    token: (symbol) => entry.tokens[symbol]?.address ?? "0x",
    pool: vault.pool,
    managerLogic: vault.poolManagerLogic,
    manager: vault.manager,
    mine: Effect.orDie(rpc.mine),
    automine: (on) => Effect.orDie(rpc.setMining(on ? "automatic" : "manual"))
  } satisfies Conformance.Subject
})

const mockedSubject = Effect.gen(function*() {
  const { chain, vault } = yield* start({ network })
  yield* chain.automine(true)
  return {
    ...chain.deployed,
    ...chain.deployed.uniswapV3,
    ...{ request: chain.request, chainId: chain.chainId, factory: chain.deployed.factory, token: chain.token },
    ...vault,
    mine: Effect.asVoid(chain.mine()),
    automine: chain.automine
  } satisfies Conformance.Subject
})

class Subjects
  extends Context.Service<Subjects, { readonly real: Conformance.Subject; readonly mocked: Conformance.Subject }>()(
    "Subjects"
  )
{
  static readonly layer = Layer.effect(Subjects, Effect.all({ real: devnetSubject, mocked: mockedSubject })).pipe(
    Layer.provide(Devnet.layer({ networks: [network], heartbeat: false }))
  )
}

const both = <A, E>(scenario: (subject: Conformance.Subject) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const { mocked, real } = yield* Subjects
    return { real: yield* scenario(real), mocked: yield* scenario(mocked) }
  })

/** Within half a percent. */
const near = (one: bigint | undefined, other: bigint | undefined, what: string) => {
  if (one === undefined || other === undefined) return assert.strictEqual(one, other, what)
  const apart = one > other ? one - other : other - one
  assert.isTrue(apart * 200n <= other, `${what}: ${one} is more than half a percent from ${other}`)
}

// The real clock: a real node has one, and swaps have deadlines.
layer(Subjects.layer, { excludeTestServices: true })("the mocked chain answers as the devnet does", (it) => {
  it.effect("to every read the engine makes", () =>
    Effect.gen(function*() {
      const { mocked, real } = yield* both(Conformance.reads)
      assert.deepStrictEqual(mocked, real)
    }))

  it.effect("to quotes, within half a percent", () =>
    Effect.gen(function*() {
      const { mocked, real } = yield* both(Conformance.quotes)
      mocked.forEach(([what, amount], index) => near(amount, real[index]?.[1], what))
    }))

  it.effect("to calls that revert, with the same data", () =>
    Effect.gen(function*() {
      const { mocked, real } = yield* both(Conformance.reverts)
      assert.deepStrictEqual(mocked, real)
    }))

  it.effect("with receipts of the same shape, logs and transfers", () =>
    Effect.gen(function*() {
      const { mocked, real } = yield* both(Conformance.receipts)
      assert.deepStrictEqual(mocked.told, real.told)
      mocked.amounts.forEach(([token, amount], index) => {
        const [sameToken, realAmount] = real.amounts[index] ?? []
        assert.strictEqual(token, sameToken)
        near(amount, realAmount, token)
      })
      // Anvil returns more than the standard fields; every field we return, it must return too.
      for (const part of ["receipt", "log", "transaction"] as const) {
        assert.deepStrictEqual(mocked.fields[part].filter((field) => !real.fields[part].includes(field)), [], part)
      }
    }))

  it.effect("to transactions in the mempool, in the same classes of messages", () =>
    Effect.gen(function*() {
      const { mocked, real } = yield* both(Conformance.mempool)
      assert.deepStrictEqual(mocked, real)
    }))
})
