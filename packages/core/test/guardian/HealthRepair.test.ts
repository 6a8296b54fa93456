import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import type { Address } from "../../src/chain/Address.ts"
import {
  type GuardianAction,
  type GuardianMemory,
  HealthTerms,
  maxActionsPerDay,
  noMemory
} from "../../src/guardian/Guardian.ts"
import { type Account, afterAction, nextAction, type Supply } from "../../src/guardian/HealthRepair.ts"

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [weth, usdc, dai] = [address("1"), address("2"), address("3")]
const usd8 = (value: number) => BigInt(Math.round(value * 1e8))
const one = 10n ** 18n

const termsOf = (prefer: HealthTerms["prefer"] = ["repay", "unlend", "deleverage"]): HealthTerms =>
  HealthTerms.make({ floor18: 125n * one / 100n, target18: 15n * one / 10n, prefer, slippage: 1, confirmations: 2 })

/** A vault with `collateral` WETH at $2,000 (threshold 80 %), and `debt` USDC. */
const vaultOf = (
  { bought = 0, collateral, dais = 0, debt, supplied = 0, wallet = 0 }: {
    readonly collateral: number
    readonly debt: number
    /** WETH, USDC and DAI that the vault holds, and USDC that it supplied to lenderB. */
    readonly wallet?: number
    readonly bought?: number
    readonly dais?: number
    readonly supplied?: number
  }
): Account => {
  const wethPriced = { asset: weth, decimals: 18, price8: usd8(2_000) }
  const usdcPriced = { asset: usdc, decimals: 6, price8: usd8(1) }
  const wethSupply: Supply = {
    ...{ ...wethPriced, lender: "lenderA", supplied: BigInt(Math.round(collateral * 1e6)) * 10n ** 12n },
    ...{ available: 10n ** 30n, threshold: 8_000n }
  }
  const usdcRaw = (value: number) => BigInt(Math.round(value * 1e6))
  return {
    collateral8: usd8(collateral * 2_000),
    debt8: usd8(debt),
    threshold: 8_000n,
    debts: [{ ...usdcPriced, owed: usdcRaw(debt), held: usdcRaw(bought) }],
    supplies: [
      wethSupply,
      ...(supplied === 0 ? [] : [{
        ...{ ...usdcPriced, lender: "lenderB" as const, supplied: usdcRaw(supplied), available: usdcRaw(supplied) },
        threshold: 0n
      }])
    ],
    tokens: [
      { ...wethPriced, held: BigInt(Math.round(wallet * 1e6)) * 10n ** 12n },
      { ...usdcPriced, held: usdcRaw(bought) },
      { asset: dai, decimals: 18, price8: usd8(1), held: BigInt(Math.round(dais * 1e6)) * 10n ** 12n }
    ].filter(({ held }) => held > 0n)
  }
}

describe("the repair of a health factor", () => {
  it("repays exactly what the target needs, and never more than the vault holds", () => {
    // $20,000 at 80 % over $13,000 is 1.23; 1.5 needs a debt of $10,667, and a little less.
    const rich = nextAction(vaultOf({ collateral: 10, debt: 13_000, bought: 9_000 }), termsOf(), noMemory)
    assert.deepInclude(rich, { _tag: "repay", asset: usdc, whole: false })
    assert.closeTo(Number(rich?.amount) / 1e6, 13_000 - 16_000 / 1.503, 0.01)
    const poor = nextAction(vaultOf({ collateral: 10, debt: 13_000, bought: 500 }), termsOf(), noMemory)
    assert.deepInclude(poor, { _tag: "repay", amount: 500_000_000n })
  })

  it("goes by the order of preference, and leaves out what is not named", () => {
    const vault = vaultOf({ collateral: 10, debt: 13_000, bought: 500, supplied: 700, wallet: 1, dais: 50 })
    const first = (prefer: HealthTerms["prefer"]) => nextAction(vault, termsOf(prefer), noMemory)?._tag
    assert.strictEqual(first(["unlend", "repay"]), "unlend")
    assert.strictEqual(first(["sell", "repay"]), "sell")
    assert.strictEqual(first(["deleverage"]), "withdraw")
    assert.strictEqual(first(["repay"]), "repay")
    assert.isUndefined(nextAction(vaultOf({ collateral: 10, debt: 13_000, wallet: 1 }), termsOf(["repay"]), noMemory))
  })

  it("leaves out an action that has failed too often, and takes the next", () => {
    const vault = vaultOf({ collateral: 10, debt: 13_000, bought: 500, supplied: 700 })
    const memory = { ...noMemory, skipped: [`repay ${usdc}`] }
    assert.deepInclude(nextAction(vault, termsOf(), memory), { _tag: "unlend", lender: "lenderB" })
  })

  it("withdraws collateral only as far as the health factor stays above 1.05", () => {
    const action = nextAction(vaultOf({ collateral: 10, debt: 14_500 }), termsOf(["deleverage"]), noMemory)
    assert.strictEqual(action?._tag, "withdraw")
    const left8 = usd8(20_000) - (action?.amount ?? 0n) * usd8(2_000) / one
    assert.isAtLeast(Number(left8 * 8_000n / 10_000n) / Number(usd8(14_500)), 1.05)
    // At 1.04 nothing can be withdrawn.
    assert.isUndefined(nextAction(vaultOf({ collateral: 10, debt: 15_385 }), termsOf(["deleverage"]), noMemory))
  })

  it("sells what was freed before anything else, and repays with it although repaying is not preferred", () => {
    const terms = termsOf(["deleverage"])
    const withdrawn: GuardianAction = { _tag: "withdraw", asset: weth, amount: one }
    const freed = afterAction(noMemory, withdrawn, true)
    const sale = nextAction(vaultOf({ collateral: 9, debt: 13_000, wallet: 1 }), terms, freed)
    assert.deepInclude(sale, { _tag: "sell", asset: weth, to: usdc, amount: one, freed: true })
    const after = afterAction(freed, sale ?? withdrawn, true)
    assert.deepStrictEqual([after.freed, after.bought], [null, usdc])
    const repayment = nextAction(vaultOf({ collateral: 9, debt: 13_000, bought: 1_980 }), terms, after)
    assert.deepInclude(repayment, { _tag: "repay", amount: 1_980_000_000n })
    // A failure changes nothing that is remembered.
    assert.deepStrictEqual(afterAction(freed, withdrawn, false), freed)
  })

  it("reaches the target from any account that it can repair, within a day's actions", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.double({ min: 1.06, max: 1.24, noNaN: true }),
        FastCheck.double({ min: 0, max: 20_000, noNaN: true }),
        (factor, held) => {
          let [collateral, debt, bought, wallet] = [10, 16_000 / factor, held, 0]
          let memory: GuardianMemory = noMemory
          for (let left = maxActionsPerDay; left > 0; left--) {
            const vault = vaultOf({ collateral, debt, bought, wallet })
            if (collateral * 2_000 * 0.8 / debt >= 1.5) return
            const action = nextAction(vault, termsOf(), memory)
            assert.isDefined(action)
            if (action === undefined) return
            const whole = Number(action.amount) / (action.asset === weth ? 1e18 : 1e6)
            if (action._tag === "repay") [debt, bought] = [debt - whole, bought - whole]
            if (action._tag === "withdraw") [collateral, wallet] = [collateral - whole, wallet + whole]
            if (action._tag === "sell") [wallet, bought] = [wallet - whole, bought + whole * 1_985]
            memory = afterAction(memory, action, true)
            assert.isAtLeast(collateral * 2_000 * 0.8 / debt, 1.05)
          }
          assert.fail("it takes too many actions")
        }
      ),
      { numRuns: 60 }
    )
  })
})
