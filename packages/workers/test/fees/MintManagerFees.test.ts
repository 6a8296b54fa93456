import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { MintAllFeesByManagerRequest, MintManagerFeeBatchRequest } from "@vault-trader/core/fees/Fees"
import * as Effect from "effect/Effect"
import { encodeFunctionData, parseUnits } from "viem"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { RpcRefused } from "../../src/chain/RpcFailure.ts"
import { mintCall } from "../../src/fees/FeeMintReceipt.ts"
import { MintAllFeesByManager, MintManagerFeeBatch } from "../../src/fees/MintManagerFees.ts"
import type { Action, Decision, PlanContext } from "../../src/vault/Action.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { FeeDevnet, feeVaults } from "./FeeVaults.ts"

const batch = (pools: ReadonlyArray<Address>, allowFailure = true) =>
  MintManagerFeeBatchRequest.make({ pools, allowFailure })
const sweep = (manager: Address, allowFailure = true) => MintAllFeesByManagerRequest.make({ manager, allowFailure })
const raw = (amount: unknown) => parseUnits(String(amount), 18)

interface Result {
  readonly pool: Address
  readonly availableManagerFee: string | null
  readonly hasFee: boolean | null
  readonly willSucceed: boolean
  readonly managerFee: string | null
  readonly daoFee: string | null
}
interface Fields {
  readonly results: ReadonlyArray<Result>
  readonly skipped: ReadonlyArray<{ readonly pool: Address; readonly reason: string }>
}
const previewOf = <R, N>({ describe }: Pick<Action<R, N>, "describe">, { details }: Decision<unknown>) =>
  describe(details) as unknown as Fields
const counts = (fields: object) => {
  const { count, eligible, matched, minted, scanned, wouldSucceed } = fields as Record<string, unknown>
  return { scanned, matched, eligible, count, wouldSucceed, minted }
}

/** Three vaults that owe fees of 300, 200 and 100 tokens, and one that owes none. */
const four = Effect.gen(function*() {
  const vaults = yield* feeVaults
  const [most, much, little, none] = yield* Effect.forEach([300n, 200n, 100n, 0n], (fee) => vaults.newVault(fee))
  yield* vaults.aYearLater
  return { ...vaults, most: most!, much: much!, little: little!, none: none! }
})

layer(FeeDevnet, { timeout: "4 minutes", excludeTestServices: true })("minting the fees of several vaults", (it) => {
  it.effect("is one transaction that mints all owed fees, and leaves out vaults without one", () =>
    Effect.gen(function*() {
      const { little, manager, most, much, none, place, send, tokensOf } = yield* four
      const pools = [little, none, most, much]
      const decision = yield* MintManagerFeeBatch.plan(place, batch(pools))
      const preview = previewOf(MintManagerFeeBatch, decision)
      assert.deepStrictEqual(counts(preview), {
        scanned: 4,
        matched: 4,
        eligible: 3,
        count: 3,
        wouldSucceed: 3,
        minted: 0
      })
      // A vault without a fee is in `skipped` only.
      assert.deepStrictEqual(
        preview.results.map(({ hasFee, pool, willSucceed }) => [pool, hasFee, willSucceed]),
        [little, most, much].map((pool) => [pool, true, true])
      )
      assert.deepStrictEqual(preview.skipped, [{ pool: none, reason: "The vault has no fee to mint" }])
      const before = yield* Effect.forEach(pools, (pool) => tokensOf(pool, manager))
      const receipt = yield* send(place.pool, decision)
      const { message, result } = yield* MintManagerFeeBatch.interpretReceipt(
        { network, pool: place.pool },
        decision.details,
        receipt
      )
      const after = yield* Effect.forEach(pools, (pool) => tokensOf(pool, manager))
      assert.strictEqual(message, "Minted the fees of 3 vaults.")
      assert.deepStrictEqual(counts(result), {
        scanned: 4,
        matched: 4,
        eligible: 3,
        count: 3,
        wouldSucceed: 3,
        minted: 3
      })
      const { results } = result as unknown as Fields
      assert.deepStrictEqual(
        pools.map((pool) => raw(results.find((each) => each.pool === pool)?.managerFee ?? 0)),
        after.map((amount, index) => amount - before[index]!)
      )
      assert.deepStrictEqual(results.map(({ managerFee }) => Math.round(Number(managerFee))), [90, 270, 180])
      assert.deepStrictEqual([decision.calls, decision.vaults], [[], [most, much, little]])
    }))

  it.effect("is estimated as if no mint could fail: the estimate that tolerates failures is too low to mint anything", () =>
    Effect.gen(function*() {
      const { estimated, little, most, much, place, send, tokensOf, manager, rpc } = yield* four
      const decision = yield* MintManagerFeeBatch.plan(place, batch([most, much, little]))
      const measured = decision.estimate?.gas ?? 0n
      const tolerated = yield* estimated(decision.direct!)
      assert.isBelow(Number(tolerated) * 1.2, Number(measured))
      const sentWith = (gas: bigint) =>
        Effect.gen(function*() {
          const snapshot = yield* rpc.snapshot
          const before = yield* tokensOf(little, manager)
          const receipt = yield* send(place.pool, decision, gas)
          const minted = (yield* tokensOf(little, manager)) > before
          yield* rpc.revert(snapshot)
          return [receipt.succeeded, minted]
        })
      assert.deepStrictEqual(yield* sentWith(tolerated * 12n / 10n), [true, false])
      assert.deepStrictEqual(yield* sentWith(measured * 12n / 10n), [true, true])
    }))

  it.effect("mints for the others when one cannot, and names it", () =>
    Effect.gen(function*() {
      const { most, much, pauseShares, place, send } = yield* four
      yield* pauseShares(most)
      const decision = yield* MintManagerFeeBatch.plan(place, batch([most, much]))
      const preview = previewOf(MintManagerFeeBatch, decision)
      assert.deepStrictEqual(counts(preview), {
        scanned: 2,
        matched: 2,
        eligible: 2,
        count: 1,
        wouldSucceed: 1,
        minted: 0
      })
      assert.deepInclude(preview.results[0], { pool: most, hasFee: true, willSucceed: false })
      assert.deepStrictEqual(preview.skipped, [{ pool: most, reason: "The vault's shares are paused (dh2)" }])
      const { message } = yield* MintManagerFeeBatch.interpretReceipt(
        { network, pool: place.pool },
        decision.details,
        yield* send(place.pool, decision)
      )
      assert.strictEqual(message, "Minted the fee of 1 vault.")
    }))

  it.effect("is refused as a whole when all are required and one cannot mint; a vault without a fee does not matter", () =>
    Effect.gen(function*() {
      const { most, much, none, pauseShares, place, send, tokensOf, manager } = yield* four
      const wanted = MintManagerFeeBatch.plan(place, batch([most, much, none], false))
      const decision = yield* wanted
      assert.deepStrictEqual(counts(previewOf(MintManagerFeeBatch, decision)), {
        scanned: 3,
        matched: 3,
        eligible: 2,
        count: 2,
        wouldSucceed: 2,
        minted: 0
      })
      yield* pauseShares(most)
      const failure = yield* refusal(wanted)
      assert.strictEqual(failure.errorType, "vault_paused")
      assert.strictEqual(
        failure.message,
        `Not all of them can be minted: ${most}: The vault's shares are paused (dh2). Nothing was sent.`
      )
      // A transaction planned before the pause mints nothing either.
      const before = yield* tokensOf(much, manager)
      assert.isFalse((yield* send(place.pool, decision)).succeeded)
      assert.strictEqual(yield* tokensOf(much, manager), before)
    }))

  it.effect("reports vaults that failed to mint, and fails when none did", () =>
    Effect.gen(function*() {
      const { most, much, pauseShares, place, rpc, send } = yield* four
      const decision = yield* MintManagerFeeBatch.plan(place, batch([most, much]))
      const settled = Effect.flatMap(send(place.pool, decision), (receipt) =>
        MintManagerFeeBatch.interpretReceipt({ network, pool: place.pool }, decision.details, receipt))
      yield* pauseShares(most)
      const snapshot = yield* rpc.snapshot
      const { message, result } = yield* settled
      assert.strictEqual(message, "Minted the fee of 1 vault; 1 failed to mint.")
      assert.deepInclude((result as unknown as Fields).results[0], { pool: most, willSucceed: true, managerFee: null })
      yield* rpc.revert(snapshot)
      yield* pauseShares(much)
      const failure = yield* refusal(settled)
      assert.strictEqual(failure.errorType, "transaction_reverted")
      assert.match(
        failure.message,
        /^None of the 2 vaults minted its fee\. The transaction was mined, so its gas is spent/
      )
    }))

  it.effect("reports the fee of a vault without a price as unknown", () =>
    Effect.gen(function*() {
      const { expirePrice, most, place } = yield* four
      yield* expirePrice("WBTC")
      const decision = yield* MintManagerFeeBatch.plan(place, batch([most]))
      assert.isUndefined(decision.direct)
      assert.strictEqual(
        decision.nothingToDo,
        "There is no fee to mint in 1 vault, and 1 vault cannot be minted now; nothing was sent."
      )
      const { results, skipped } = previewOf(MintManagerFeeBatch, decision)
      assert.deepInclude(results[0], { availableManagerFee: null, hasFee: null, willSucceed: false })
      assert.match(skipped[0]?.reason ?? "", /no fresh price/)
      assert.strictEqual(
        (yield* refusal(MintManagerFeeBatch.plan(place, batch([most], false)))).errorType,
        "price_unavailable"
      )
    }))

  it.effect("of an address that is not a vault fails with 1004 and names it", () =>
    Effect.gen(function*() {
      const { most, place, stranger, token } = yield* four
      const failure = yield* Effect.flip(
        MintManagerFeeBatch.plan(place, batch([most, stranger, token("USDC").address]))
      )
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1004")
      assert.include(failure.message, `${stranger}, ${token("USDC").address}`)
      assert.notInclude(failure.message, most)
    }))

  it.effect("selects the vaults that owe most when there is no room for all, whether the node estimates the gas or refuses", () =>
    Effect.gen(function*() {
      const { chain, little, most, much, place } = yield* four
      const callsIn = (data: string) => data.split(mintCall.slice(2)).length - 1
      const costly: PlanContext["chain"] = {
        ...chain,
        estimateGas: ({ data }) => Effect.succeed(BigInt(callsIn(data)) * 6_000_000n)
      }
      const full: PlanContext["chain"] = {
        ...chain,
        estimateGas: (call) =>
          callsIn(call.data) > 2
            ? new RpcRefused({ code: -32000, reason: "gas required exceeds allowance" })
            : chain.estimateGas(call)
      }
      for (const [limited, expected] of [[costly, [most, much]], [full, [most]]] as const) {
        const decision = yield* MintManagerFeeBatch.plan({ ...place, chain: limited }, batch([little, most, much]))
        assert.deepStrictEqual(decision.vaults, expected)
        const { results, skipped } = previewOf(MintManagerFeeBatch, decision)
        assert.deepStrictEqual(
          results.filter(({ willSucceed }) => willSucceed).map(({ pool }) => pool).sort(),
          [...expected].sort()
        )
        assert.match(skipped[0]?.reason ?? "", /has no room for it; request it again/)
      }
    }))

  it.effect("decodes as a call that takes nothing out of its vaults, and not at all when it contains other calls", () =>
    Effect.gen(function*() {
      const { chain, most, much, token } = yield* four
      const calls = (...targets: ReadonlyArray<readonly [Address, `0x${string}`]>) =>
        encodeFunctionData({
          abi: multicall3Abi,
          functionName: "aggregate3",
          args: [targets.map(([target, callData]) => ({ target, allowFailure: true, callData }))]
        })
      const read = (data: `0x${string}`, to = chain.book.multicall3) =>
        MintManagerFeeBatch.directMovement?.(chain, { to, data })
      const mints = calls([most, mintCall], [much, mintCall])
      assert.deepStrictEqual(read(mints), { gives: [], receiver: null, vaults: [most, much] })
      assert.isUndefined(read(mints, most))
      assert.isUndefined(read(calls([most, mintCall], [token("USDC").address, "0xa9059cbb"])))
      assert.isUndefined(read(mintCall))
    }))
})

layer(FeeDevnet, { timeout: "4 minutes", excludeTestServices: true })("minting all fees of a manager", (it) => {
  it.effect("mints only for the manager's vaults, and counts the scanned ones", () =>
    Effect.gen(function*() {
      const { aYearLater, newVault, owner, place, send, tokensOf } = yield* feeVaults
      const [most, idle, little] = yield* Effect.forEach([300n, 0n, 100n], (fee) => newVault(fee, owner))
      const others = yield* newVault(300n)
      yield* aYearLater
      const decision = yield* MintAllFeesByManager.plan(place, sweep(owner))
      const preview = previewOf(MintAllFeesByManager, decision)
      // The two demo vaults, and the four of this test.
      assert.deepStrictEqual(counts(preview), {
        scanned: 6,
        matched: 3,
        eligible: 2,
        count: 2,
        wouldSucceed: 2,
        minted: 0
      })
      assert.sameMembers(preview.results.map(({ pool }) => pool), [most!, little!])
      assert.deepStrictEqual(preview.skipped.map(({ pool }) => pool), [idle!])
      const before = yield* tokensOf(others, owner)
      const { result } = yield* MintAllFeesByManager.interpretReceipt(
        { network, pool: place.pool },
        decision.details,
        yield* send(place.pool, decision)
      )
      assert.deepInclude(result, { minted: 2, manager: owner })
      assert.strictEqual(yield* tokensOf(others, owner), before)
    }))

  it.effect("of a manager without vaults finds none, and sends nothing", () =>
    Effect.gen(function*() {
      const { place, stranger } = yield* feeVaults
      const decision = yield* MintAllFeesByManager.plan(place, sweep(stranger, false))
      assert.isUndefined(decision.direct)
      assert.deepStrictEqual(counts(previewOf(MintAllFeesByManager, decision)), {
        scanned: 2,
        matched: 0,
        eligible: 0,
        count: 0,
        wouldSucceed: 0,
        minted: 0
      })
      assert.strictEqual(decision.nothingToDo, `${stranger} manages no vault on ${network}; nothing was sent.`)
      const { result } = yield* MintAllFeesByManager.interpretReceipt(
        { network, pool: place.pool },
        decision.details,
        null
      )
      assert.deepInclude(result, { minted: 0, results: [] })
    }))
})
