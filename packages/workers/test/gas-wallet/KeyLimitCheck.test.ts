import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { concatHex, encodeFunctionData } from "viem"
import type { TestChain } from "@vault-trader/testing/test-chain/TestChain"
import * as Contract from "../../src/chain/Contract.ts"
import { erc20 } from "../../src/chain/Tokens.ts"
import { KeyLimitCheck } from "../../src/gas-wallet/KeyLimitCheck.ts"
import { throughVault } from "../../src/platform/VaultCall.ts"
import { clientOf } from "../chain/TestClient.ts"
import * as LimitedLane from "./LimitedLane.ts"
import { routerAbi, usd } from "./LimitedLane.ts"
import * as TestLane from "./TestLane.ts"

const concurrent = { concurrent: true }
const stranger: Address = "0x00000000000000000000000000000000000000cc"

/** USDC and WETH of a vault, smallest units. */
const held = (chain: TestChain, pool: Address) =>
  Effect.gen(function*() {
    const client = yield* clientOf(chain)
    const read = (symbol: string) => Contract.read(erc20, chain.token(symbol), "balanceOf", [pool])
    const [usdc, weth] = yield* client.readAll([read("USDC"), read("WETH")])
    return { usdc: yield* Effect.fromResult(usdc), weth: yield* Effect.fromResult(weth) }
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("limits at the signature", (it) => {
  it.effect(
    "admit a trade within all of them, and an approval when the daily limit is used up",
    () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        yield* bench.limit({ vaults: [bench.own], maxUsd18PerTrade: usd(100), maxUsd18PerDay: usd(150) })
        yield* bench.mining
        const lane = yield* bench.open
        const trade = yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))
        yield* bench.queued(50, { calls: bench.selling(50) })
        const approval = yield* lane.submit(
          yield* bench.queued(0, { calls: [bench.approve(2n ** 256n - 1n)] }, "Approve")
        )
        assert.deepStrictEqual([bench.fate(trade), bench.fate(approval), yield* bench.sent], ["sent", "sent", 2])
      }),
    concurrent
  )

  it.effect("refuse what the bytes sell, whatever the plan was, and sign nothing", () =>
    Effect.gen(function*() {
      const bench = yield* LimitedLane.make
      yield* bench.limit({ maxUsd18PerTrade: usd(100), maxUsd18PerDay: usd(1000) })
      yield* bench.mining
      const lane = yield* bench.open
      const fates = yield* Effect.forEach([
        bench.queued(100, { calls: bench.selling(101) }),
        bench.queued(20, { calls: bench.selling(21) }),
        bench.queued(0, { calls: bench.selling(1) }),
        bench.queued(null, { calls: bench.selling(1) }),
        bench.queued(60, { calls: [...bench.selling(50), ...bench.selling(50)] })
      ], (put) => Effect.map(Effect.flatMap(put, lane.submit), bench.fate))
      const planned = (told: string, found: string) =>
        `limit_exceeded: Limit exceeded: this key has limits, the request was planned to sell ${told} USD, and ` +
        `the transaction would sell ${found} USD. Nothing was sent.`
      assert.deepStrictEqual(fates, [
        "limit_exceeded: Limit exceeded: this key may sell 100 USD at a time (1000 USD of 1000 USD are left " +
        "today), and the request is worth 101 USD. Nothing was sent.",
        planned("20", "21"),
        planned("0", "1"),
        planned("0", "1"),
        planned("60", "100")
      ])
      assert.deepStrictEqual([bench.signed, yield* bench.sent], [[], 0])
    }), concurrent)

  it.effect(
    "refuse bytes that an action of that request would not produce, and sign nothing",
    () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        const { approve, newVault, pool, queued, router, selling, swap, under, usdc } = bench
        yield* bench.limit({ maxUsd18PerTrade: usd(100) })
        yield* bench.mining
        const lane = yield* bench.open
        const other = yield* newVault
        const inner = encodeFunctionData({
          abi: routerAbi,
          functionName: "exactOutputSingle",
          args: [{
            tokenIn: bench.chain.token("USDC"),
            tokenOut: bench.chain.token("WETH"),
            fee: 3000,
            recipient: pool,
            amountIn: 1n,
            amountOutMinimum: usdc(5000),
            sqrtPriceLimitX96: 0n
          }]
        })
        const suspects = {
          "another vault": queued(50, { to: other, calls: selling(50, other) }),
          "no vault at all": queued(50, { to: stranger, calls: selling(50) }),
          "money of the wallet": queued(50, { calls: selling(50), value: 1n }),
          "no calls": queued(50, { calls: [] }),
          "no call data": queued(50, { data: "0x" }),
          "an unknown function of the vault": queued(50, { data: "0x12345678" }),
          "the same call, spelt otherwise": queued(50, {
            data: concatHex([throughVault(selling(50)), `0x${"00".repeat(32)}`])
          }),
          "a swap spelt otherwise": queued(50, {
            calls: [approve(usdc(50)), under([concatHex([swap(usdc(50)), "0x00"])])]
          }),
          "two swaps under one": queued(100, { calls: [approve(usdc(100)), under([swap(usdc(50)), swap(usdc(50))])] }),
          "another function of the router": queued(50, { calls: [approve(usdc(50)), under([inner])] }),
          "a swap without a deadline": queued(50, { calls: [approve(usdc(50)), { to: router, data: swap(usdc(50)) }] }),
          "an approval for a stranger": queued(50, { calls: [approve(usdc(50), stranger), ...selling(50)] }),
          "a transfer": queued(50, {
            calls: [{
              to: bench.chain.token("USDC"),
              data: concatHex(["0xa9059cbb", `0x${"00".repeat(31)}bb`, `0x${"00".repeat(31)}01`])
            }]
          }),
          "a swap where an approval was asked for": queued(50, { calls: selling(50) }, "Approve"),
          "an unknown request": queued(50, { calls: selling(50) }, "Unheard"),
          "all the router holds": queued(50, { calls: [approve(usdc(50)), under([swap(0n)])] }),
          "an invalid exact path": queued(50, {
            calls: [under([encodeFunctionData({
              abi: routerAbi,
              functionName: "exactInput",
              args: [{ path: `0x${"11".repeat(42)}`, recipient: pool, amountIn: 1n, amountOutMinimum: 0n }]
            })])]
          })
        }
        const told = yield* Effect.forEach(
          Object.entries(suspects),
          ([name, put]) =>
            Effect.map(Effect.flatMap(put, lane.submit), (settled) => [name, bench.fate(settled)] as const)
        )
        for (const [name, fate] of told) {
          assert.strictEqual(
            fate,
            "limit_exceeded: Limit exceeded: this key has limits, and what the transaction would do cannot be " +
              "decoded from its bytes. Nothing was sent.",
            name
          )
        }
        const robbed = yield* lane.submit(
          yield* queued(50, { calls: [approve(usdc(50)), under([swap(usdc(50), stranger)])] })
        )
        assert.match(bench.fate(robbed), new RegExp(`its proceeds would go to ${stranger}, not to the vault`))
        assert.deepStrictEqual([bench.signed, yield* bench.sent], [[], 0])
      }),
    concurrent
  )

  it.effect(
    "admit a call with a single change only where it still sells no more, to the vault",
    () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        const limits = yield* KeyLimitCheck
        yield* bench.limit({ maxUsd18PerTrade: usd(100) })
        const key = yield* bench.queued(100, { calls: bench.selling(100) })
        const submission = yield* bench.row(key)
        const client = yield* clientOf(bench.chain)
        const length = submission.data.length / 2 - 1
        const inspected = (data: Hex) =>
          Effect.map(
            limits.inspect(client, bench.wallet, [{ ...submission, data }]),
            ({ refusals }) => refusals.get(key)
          )
        assert.isUndefined(yield* inspected(submission.data))
        let passed = 0
        const mutants = FastCheck.sample(
          FastCheck.tuple(FastCheck.nat(length - 1), FastCheck.integer({ min: 1, max: 255 })),
          { numRuns: 200, seed: 7 }
        )
        yield* Effect.forEach(mutants, ([place, flip]) =>
          Effect.gen(function*() {
            const at = 2 + place * 2
            const changed = (Number.parseInt(submission.data.slice(at, at + 2), 16) ^ flip).toString(16).padStart(
              2,
              "0"
            )
            const data: Hex = `0x${submission.data.slice(2, at)}${changed}${submission.data.slice(at + 2)}`
            if ((yield* inspected(data)) !== undefined) {
              return
            }
            passed += 1
            // An admitted call is executed on a separate chain: it must take no more than allowed, and send it to no
            // other address.
            const fork = yield* bench.chain.fork
            yield* fork.automine(true)
            yield* Effect.ignore(fork.foreign(bench.privateKey, { to: submission.to, data, gas: 1_000_000n }))
            const { usdc, weth } = yield* held(fork, bench.pool)
            assert.isTrue(usdc >= bench.usdc(1_000_000 - 100), `byte ${place} of the call lets ${usdc} stay`)
            assert.isTrue(
              weth > 300n * 10n ** 18n || usdc === bench.usdc(1_000_000),
              `byte ${place} of the call gives the proceeds to another account`
            )
          }), { discard: true })
        // The deadline, the minimum proceeds and the approved amount may change; hardly anything else.
        assert.isAbove(passed, 0)
        assert.isBelow(passed, mutants.length / 2)
      }),
    concurrent
  )

  it.effect("are those of the moment of the signature, not of planning", () =>
    Effect.gen(function*() {
      const bench = yield* LimitedLane.make
      const keys = yield* Effect.forEach([100, 100, 100], (dollars) =>
        bench.queued(dollars, { calls: bench.selling(dollars) }))
      yield* bench.limit({ maxUsd18PerTrade: usd(100), maxUsd18PerDay: usd(300) })
      yield* bench.mining
      const lane = yield* bench.open
      assert.strictEqual(bench.fate(yield* lane.submit(keys[0]!)), "sent")
      yield* Effect.forEach(
        [
          [{ readOnly: true }, /read-only/],
          [{ vaults: [] }, /no vault/],
          [{ maxUsd18PerTrade: usd(99) }, /99 USD at a time, and the request is worth 100 USD/],
          [{ maxUsd18PerDay: usd(250) }, /250 USD a day/]
        ] as const,
        ([changes, reason]) =>
          Effect.gen(function*() {
            yield* bench.limit(changes)
            assert.match(
              bench.fate(yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))),
              reason
            )
          }),
        { discard: true }
      )
      yield* bench.limit({})
      assert.strictEqual(
        bench.fate(yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))),
        "sent"
      )
    }), concurrent)

  it.effect(
    "are checked again when they change between the inspection and the signature",
    () =>
      Effect.gen(function*() {
        const limits = yield* KeyLimitCheck
        const store = yield* KeyLimitStore
        let inspections = 0
        // Lowered at the worst moment: after the first inspection has passed.
        const lowered: KeyLimitCheck["Service"] = {
          ...limits,
          inspect: (chain, wallet, submissions) =>
            Effect.tap(limits.inspect(chain, wallet, submissions), () => {
              inspections += 1
              return inspections > 1
                ? Effect.void
                : Effect.asVoid(store.change(wallet, () => KeyLimits.make({ ...none, maxUsd18PerTrade: usd(99) })))
            })
        }
        const bench = yield* Effect.provideService(LimitedLane.make, KeyLimitCheck, lowered)
        yield* bench.mining
        const lane = yield* bench.open
        const settled = yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))
        assert.match(bench.fate(settled), /99 USD at a time/)
        assert.deepStrictEqual([inspections, bench.signed, yield* bench.sent], [2, [], 0])
      }),
    concurrent
  )

  it.effect(
    "cost a wallet without limits no call of a node and no decoding of its bytes",
    () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        const client = yield* clientOf(bench.chain)
        const limits = yield* KeyLimitCheck
        const silent = { ...client, readAll: () => Effect.die(new Error("asked")) }
        const key = yield* bench.queued(null, { data: "0x12345678" })
        const inspect = Effect.flatMap(
          bench.row(key),
          (submission) => limits.inspect(silent, bench.wallet, [submission])
        )
        assert.strictEqual((yield* inspect).refusals.size, 0)
        const { revision } = yield* inspect
        yield* bench.limit({ vaults: [bench.own] })
        assert.strictEqual((yield* inspect).refusals.size, 1)
        assert.isAbove((yield* inspect).revision, revision)
      }),
    concurrent
  )

  it.effect(
    "refuse what the oracle cannot price, and let a price move a little since planning",
    () =>
      Effect.gen(function*() {
        const bench = yield* LimitedLane.make
        yield* bench.limit({ maxUsd18PerTrade: usd(1000) })
        yield* bench.mining
        const lane = yield* bench.open
        yield* bench.chain.setPrice("USDC", 1.009)
        assert.strictEqual(
          bench.fate(yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))),
          "sent"
        )
        yield* bench.chain.setPrice("USDC", 1.02)
        assert.match(
          bench.fate(yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))),
          /planned to sell 100 USD, and the transaction would sell 102 USD/
        )
        yield* bench.chain.setPrice("USDC", 1, 0n)
        assert.match(
          bench.fate(yield* lane.submit(yield* bench.queued(100, { calls: bench.selling(100) }))),
          /^price_unavailable: .*Nothing was sent\.$/
        )
        assert.strictEqual(yield* bench.sent, 1)
      }),
    concurrent
  )
})
