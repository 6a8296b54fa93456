import { assert, layer } from "@effect/vitest"
import { decide } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import * as PairReader from "../../src/threshold-bot/PairReader.ts"
import { network, TestDevnet, testVaultOn } from "../vault/TestVault.ts"

const lenderAbi = parseAbi(["function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)"])
const supplied = 60_000_000_000n

/** A vault that may lend, with 60,000 USDC at lenderA in addition to its own balances. */
const lending = Effect.gen(function*() {
  const vault = yield* testVaultOn(network, 1)
  const { chain, devnet, entry, owner, pool, rpc, send, token } = vault
  const lender = entry.aaveV3
  if (lender === undefined) return yield* Effect.die(new Error("the devnet has no Aave"))
  const usdc = token("USDC").address
  yield* devnet.mintToken({ network, symbol: "USDC", address: owner, amount: supplied })
  yield* send(owner, usdc, vault.own.DevToken.abi, "approve", lender.pool, supplied)
  yield* send(owner, lender.pool, lenderAbi, "supply", usdc, supplied, pool, 0)
  const legs = (lends: boolean, base = "WETH") =>
    Effect.flatMap(
      PairReader.read(chain, [{
        pool,
        base: token(base).address,
        quote: usdc,
        inverse: null,
        lending: lends,
        paper: null
      }]),
      ([found]) =>
        found === undefined || Option.isNone(found) ? Effect.die(new Error("no legs")) : Effect.succeed(found.value)
    )
  /** Makes every call of the contract revert from now on. */
  const silence = (address: string) => rpc.request("anvil_setCode", [address, "0x5f5ffd"], Schema.Unknown)
  return { ...vault, legs, silence, provider: lender.poolDataProvider }
})

const terms = {
  side: "long",
  threshold: 1,
  share: 100,
  maxUsd: BigDecimal.fromStringUnsafe("1000000"),
  lending: true
} as const

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("the legs of a pair", (it) => {
  it.effect("include the supplied amount and the balance, and 0 for assets lenderA does not list", () =>
    Effect.gen(function*() {
      const { legs } = yield* lending
      const { base, quote } = yield* legs(true)
      assert.deepStrictEqual([base.supplied, base.unknown, quote.unknown], [0n, undefined, undefined])
      assert.approximately(Number(quote.supplied), Number(supplied), 1e3)
      const link = (yield* legs(true, "LINK")).base
      assert.deepStrictEqual([link.supplied, link.unknown], [0n, undefined])
      assert.strictEqual((yield* legs(false)).quote.supplied, 0n)
    }))

  it.effect("are unknown, not 0, while lenderA does not report the supplied amount, so a bot that lends does nothing", () =>
    Effect.gen(function*() {
      const { legs, provider, silence } = yield* lending
      assert.strictEqual(decide(terms, yield* legs(true))._tag, "trade")
      yield* silence(provider)
      const found = yield* legs(true)
      assert.strictEqual(found.quote.unknown, "lenderA does not report the supplied amount")
      const decision = decide(terms, found)
      assert.deepInclude(decision, { _tag: "hold", code: "balance_unknown" })
      // A bot that does not lend is not affected.
      assert.strictEqual(decide({ ...terms, lending: false }, yield* legs(false))._tag, "trade")
    }))

  it.effect("are unknown, not 0, while a token's contract does not report the vault's balance", () =>
    Effect.gen(function*() {
      const { legs, silence, token } = yield* lending
      yield* legs(false)
      yield* silence(token("WETH").address)
      const decision = decide({ ...terms, lending: false }, yield* legs(false))
      assert.deepInclude(decision, { _tag: "hold", code: "balance_unknown" })
      assert.match(decision.reason, /^The vault's balance of WETH is unknown/)
    }))
})
