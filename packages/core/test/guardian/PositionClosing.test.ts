import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"
import type { Address } from "../../src/chain/Address.ts"
import { actionName, type GuardianAction, GuardianTerms, maxActionsPerDay } from "../../src/guardian/Guardian.ts"
import type { Account } from "../../src/guardian/HealthRepair.ts"
import { nextClosing, type PoolPosition } from "../../src/guardian/PositionClosing.ts"

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [weth, usdc, dai] = [address("1"), address("2"), address("3")]
const usd = 10n ** 8n
const terms = { slippage: 1 }
const threshold = 8_000n

/** Whole dollars of each part of a vault; every token has 8 decimals and costs a dollar. */
interface Vault {
  readonly positions: ReadonlyArray<PoolPosition>
  readonly owed: Readonly<Record<Address, bigint>>
  readonly supplied: Readonly<Record<Address, bigint>>
  readonly held: Readonly<Record<Address, bigint>>
}

const priced = (asset: Address) => ({ asset, decimals: 8, price8: usd })
const total = (of: Readonly<Record<Address, bigint>>) => Object.values(of).reduce((sum, each) => sum + each, 0n)
const entries = (of: Readonly<Record<Address, bigint>>) =>
  (Object.entries(of) as ReadonlyArray<[Address, bigint]>).filter(([, amount]) => amount > 0n)

const accountOf = ({ held, owed, supplied }: Vault): Account => ({
  ...{ collateral8: total(supplied), debt8: total(owed), threshold },
  debts: entries(owed).map(([asset, amount]) => ({ ...priced(asset), owed: amount, held: held[asset] ?? 0n })),
  supplies: entries(supplied).map(([asset, amount]) => ({
    ...{ ...priced(asset), lender: "lenderA", supplied: amount, available: 10n ** 20n, threshold }
  })),
  tokens: entries(held).map(([asset, amount]) => ({ ...priced(asset), held: amount }))
})

const changed = (of: Readonly<Record<Address, bigint>>, asset: Address, by: bigint) => ({
  ...of,
  [asset]: (of[asset] ?? 0n) + by
})

/** The vault after an action; a sale loses half a percent. */
const after = (vault: Vault, action: GuardianAction): Vault => {
  switch (action._tag) {
    case "remove":
      return {
        ...vault,
        positions: vault.positions.filter(({ tokenId }) => tokenId !== action.tokenId),
        held: changed(changed(vault.held, action.asset, 100n * usd), action.other, 100n * usd)
      }
    case "repay":
      return {
        ...vault,
        owed: changed(vault.owed, action.asset, -action.amount),
        held: changed(vault.held, action.asset, -action.amount)
      }
    case "sell":
      return {
        ...vault,
        held: changed(changed(vault.held, action.asset, -action.amount), action.to, action.amount * 995n / 1_000n)
      }
    case "unlend":
    case "withdraw":
      return {
        ...vault,
        supplied: changed(vault.supplied, action.asset, -action.amount),
        held: changed(vault.held, action.asset, action.amount)
      }
  }
}

const nothing: Vault = { positions: [], owed: {}, supplied: {}, held: {} }
const next = (vault: Vault, skipped: ReadonlyArray<string> = []) =>
  nextClosing(accountOf(vault), vault.positions, terms, { skipped })
const position: PoolPosition = { dex: "uniswapV3", tokenId: 7n, token0: weth, token1: usdc }

describe("the closing of positions", () => {
  it("is not part of a breaker that was set before it could be", () => {
    const stored = { _tag: "loss_breaker", maxDaily: 5, maxTotal: null, closeInto: null, slippage: 1, confirmations: 2 }
    assert.deepInclude(Schema.decodeUnknownSync(GuardianTerms)(stored), { closePositions: false })
  })

  it("removes liquidity, then repays with what is held, then buys what is owed, then withdraws all that was supplied", () => {
    const vault = {
      ...{ positions: [position], owed: { [dai]: 50n * usd }, supplied: { [weth]: 500n * usd } },
      held: { [dai]: 10n * usd }
    }
    const made: Array<string> = []
    let now: Vault = vault
    for (let action = next(now); action !== undefined; action = next(now)) {
      made.push(action._tag)
      now = after(now, action)
    }
    assert.deepStrictEqual(made, ["remove", "repay", "sell", "repay", "unlend"])
    assert.deepStrictEqual([now.owed[dai], now.supplied[weth], now.positions], [0n, 0n, []])
  })

  it("withdraws collateral for a debt only when nothing else can repay it, and keeps a health factor of 1.05", () => {
    const indebted = { ...nothing, owed: { [usdc]: 700n * usd }, supplied: { [weth]: 1_000n * usd } }
    const withdrawn = next(indebted)
    assert.strictEqual(withdrawn?._tag, "unlend")
    const left = 1_000n * usd - (withdrawn?._tag === "unlend" ? withdrawn.amount : 0n)
    assert.isAtLeast(Number(left * threshold) / Number(700n * usd * 10_000n), 1.05)
    assert.deepInclude(next({ ...indebted, held: { [dai]: 800n * usd } }), { _tag: "sell", asset: dai, to: usdc })
  })

  it("leaves out an action that has failed too often, and closes the rest", () => {
    const vault = { ...nothing, positions: [position, { ...position, tokenId: 8n }], supplied: { [weth]: 5n * usd } }
    const first = next(vault)
    assert.strictEqual(first === undefined ? "" : actionName(first), "remove position 7 of uniswapV3")
    assert.deepInclude(next(vault, ["remove position 7 of uniswapV3"]), { _tag: "remove", tokenId: 8n })
    const both = ["remove position 7 of uniswapV3", "remove position 8 of uniswapV3"]
    assert.deepInclude(next(vault, both), { _tag: "unlend", whole: true })
    assert.isUndefined(next(vault, [...both, `unlend ${weth}`]))
  })

  it("leaves no debt, no supply and no liquidity of any solvent vault, within a day's actions", () => {
    const dollars = FastCheck.bigInt({ min: 0n, max: 10_000n }).map((amount) => amount * usd)
    FastCheck.assert(
      FastCheck.property(dollars, dollars, dollars, FastCheck.integer({ min: 0, max: 70 }), (one, other, held, ltv) => {
        const supplied = { [weth]: one, [dai]: other }
        let vault: Vault = {
          ...{ positions: [position], supplied, held: { [weth]: held, [usdc]: 0n } },
          owed: { [usdc]: total(supplied) * BigInt(ltv) / 100n }
        }
        let left = maxActionsPerDay
        for (let action = next(vault); action !== undefined && left > 0; action = next(vault), left--) {
          vault = after(vault, action)
        }
        assert.isAbove(left, 0)
        assert.isBelow(Number(total(vault.owed) + total(vault.supplied)), 4 * Number(usd))
        assert.deepStrictEqual(vault.positions, [])
      })
    )
  })
})
