import { assert, describe, it } from "@effect/vitest"
import * as HealthFactor from "../../src/lending/HealthFactor.ts"

const usd = 10n ** 8n
const factor = (text: number) => BigInt(Math.round(text * 1e6)) * 10n ** 12n

/** 15,000 USD of collateral that counts at 83 %, 80.5 % of it to be borrowed against, 5,000 USD owed. */
const account: HealthFactor.Account = {
  collateral: 15_000n * usd,
  debt: 5_000n * usd,
  available: 7_075n * usd,
  threshold: 8300n,
  ltv: 8050n
}

describe("a health factor", () => {
  it("is collateral at its threshold over debt, and none without debt", () => {
    assert.strictEqual(HealthFactor.of(account), factor(2.49))
    assert.isUndefined(HealthFactor.of({ ...account, debt: 0n }))
  })

  it("falls by borrowing and by withdrawing, and rises by repaying and lending", () => {
    assert.strictEqual(HealthFactor.of(HealthFactor.afterBorrowing(account, 5_000n * usd)), factor(1.245))
    assert.strictEqual(HealthFactor.of(HealthFactor.afterUnlending(account, 7_500n * usd, 8300n)), factor(1.245))
    assert.strictEqual(HealthFactor.of(HealthFactor.afterRepaying(account, 2_500n * usd)), factor(4.98))
    assert.isUndefined(HealthFactor.of(HealthFactor.afterRepaying(account, 5_001n * usd)))
    assert.strictEqual(HealthFactor.of(HealthFactor.afterLending(account, 15_000n * usd, 8300n)), factor(4.98))
  })

  it("is 0 when all the collateral is withdrawn, or more than there is", () => {
    for (const value of [15_000n, 15_001n]) {
      assert.strictEqual(HealthFactor.of(HealthFactor.afterUnlending(account, value * usd, 8300n)), 0n)
    }
  })

  it("counts withdrawn collateral at its own threshold, not at the mean", () => {
    // Half counts at 86 %, half at 80 %: without the better half the rest counts at 80 %.
    const after = HealthFactor.afterUnlending(account, 7_500n * usd, 8600n)
    assert.strictEqual(after.threshold, 8000n)
    assert.strictEqual(HealthFactor.of(after), factor(1.2))
  })

  it("limits borrowing to the smaller of the floor's and the market's limit", () => {
    const most = HealthFactor.borrowable(account, factor(1.3))
    assert.strictEqual(HealthFactor.of(HealthFactor.afterBorrowing(account, most))! / 10n ** 14n, 13_000n)
    assert.isBelow(Number(HealthFactor.of(HealthFactor.afterBorrowing(account, most + usd))), 1.3e18)
    // At a low floor the market's own limit comes first, and not quite all of it is taken.
    const narrow = HealthFactor.borrowable({ ...account, available: 100n * usd }, factor(1.05))
    assert.isTrue(narrow < 100n * usd && narrow > 99n * usd)
    assert.strictEqual(HealthFactor.borrowable({ ...account, debt: 14_000n * usd, available: 0n }, factor(1.3)), 0n)
  })

  it("is shown with four decimals, rounded down", () => {
    assert.strictEqual(HealthFactor.show(1_299_999_999_999_999_999n), "1.2999")
    assert.strictEqual(HealthFactor.show(factor(2.49)), "2.49")
    assert.strictEqual(HealthFactor.show(0n), "0")
    assert.strictEqual(HealthFactor.show(undefined), "infinity")
  })

  it("values what counts against the vault up, and everything else down", () => {
    assert.strictEqual(HealthFactor.worth(1n, 3000n * usd, 18, true), 1n)
    assert.strictEqual(HealthFactor.worth(1n, 3000n * usd, 18, false), 0n)
    assert.strictEqual(HealthFactor.worth(1_500_000n, usd, 6, true), 150_000_000n)
  })
})
