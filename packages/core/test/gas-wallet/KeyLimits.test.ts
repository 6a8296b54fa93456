import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"
import {
  aboutWorth,
  isNone,
  KeyLimits,
  none,
  refusalOf,
  refusalOfAll,
  refusalOfWorth,
  tightest,
  VaultId,
  vaultId,
  vaultsOf
} from "../../src/gas-wallet/KeyLimits.ts"

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * 10n ** 12n
const first = vaultId("base", `0x${"01".repeat(20)}`)
const second = vaultId("base", `0x${"02".repeat(20)}`)
const elsewhere = vaultId("optimism", `0x${"01".repeat(20)}`)
const limits = (changes: Partial<KeyLimits>) => KeyLimits.make({ ...none, ...changes })

const amounts = FastCheck.option(FastCheck.bigInt({ min: 0n, max: 10n ** 24n }))
const vaults = FastCheck.option(FastCheck.uniqueArray(FastCheck.constantFrom(first, second, elsewhere)))
const any = FastCheck.record({
  vaults,
  maxUsd18PerTrade: amounts,
  maxUsd18PerDay: amounts,
  readOnly: FastCheck.boolean()
}).map((each) => KeyLimits.make(each))
interface Request {
  readonly vault: VaultId
  readonly usd18: bigint
  readonly others: bigint
}
const requests: FastCheck.Arbitrary<Request> = FastCheck.record({
  vault: FastCheck.constantFrom(first, second, elsewhere),
  usd18: FastCheck.bigInt({ min: 0n, max: 10n ** 24n }),
  others: FastCheck.bigInt({ min: 0n, max: 10n ** 24n })
})
const refused = (by: KeyLimits, request: Request) =>
  refusalOf(by, request.vault) !== undefined || refusalOfWorth(by, request) !== undefined

describe("key limits", () => {
  it("are off until one is set", () => {
    FastCheck.assert(FastCheck.property(requests, (request) => !refused(none, request)))
    assert.deepStrictEqual([isNone(none), aboutWorth(none)], [true, false])
    FastCheck.assert(FastCheck.property(any, requests, (some, request) => !(isNone(some) && refused(some, request))))
  })

  it("combined with others refuse exactly what either refuses", () => {
    FastCheck.assert(
      FastCheck.property(
        any,
        any,
        requests,
        (one, other, request) =>
          refused(tightest(one, other), request) === (refused(one, request) || refused(other, request))
      )
    )
  })

  it("allow exactly the limit, and refuse one smallest unit more", () => {
    const trade = limits({ maxUsd18PerTrade: usd(100) })
    assert.isUndefined(refusalOfWorth(trade, { usd18: usd(100), others: usd(1e9) }))
    assert.strictEqual(
      refusalOfWorth(trade, { usd18: null, others: 0n })?.errorType,
      "price_unavailable",
      "an unknown worth is not 0"
    )
    assert.strictEqual(
      refusalOfWorth(limits({ maxUsd18PerDay: usd(1) }), { usd18: null, others: 0n })?.errorType,
      "price_unavailable"
    )
    assert.isUndefined(refusalOfWorth(limits({}), { usd18: null, others: 0n }))
    assert.isDefined(refusalOfWorth(trade, { usd18: usd(100) + 1n, others: 0n }))
    const day = limits({ maxUsd18PerDay: usd(100) })
    assert.isUndefined(refusalOfWorth(day, { usd18: usd(40), others: usd(60) }))
    assert.isDefined(refusalOfWorth(day, { usd18: usd(40), others: usd(60) + 1n }))
  })

  it("do not refuse a request that sells nothing, even when the day's limit is used up", () => {
    assert.isUndefined(
      refusalOfWorth(limits({ maxUsd18PerDay: usd(1), maxUsd18PerTrade: usd(1) }), { usd18: 0n, others: usd(2) })
    )
  })

  it("name the limit, its value, the requested value and the rest, and never show an exceeding value as allowed", () => {
    const both = limits({ maxUsd18PerTrade: usd(100), maxUsd18PerDay: usd(250.5) })
    const messages = [
      refusalOfWorth(both, { usd18: usd(100) + 1n, others: usd(200.255) }),
      refusalOfWorth(both, { usd18: usd(99.999), others: usd(200.255) }),
      refusalOfWorth(both, { usd18: usd(1), others: usd(300) }),
      refusalOf(limits({ vaults: [first] }), elsewhere),
      refusalOf(limits({ vaults: [] }), first),
      refusalOf(limits({ readOnly: true }), first),
      refusalOf(limits({ readOnly: true }), null)
    ].map((failure) => `${failure?.errorType}: ${failure?.message}`)
    const base = `base/0x${"01".repeat(20)}`
    assert.deepStrictEqual(messages, [
      "limit_exceeded: Limit exceeded: this key may sell 100 USD at a time (50.24 USD of 250.5 USD are left " +
      "today), and the request is worth 100.01 USD. Nothing was sent.",
      "limit_exceeded: Limit exceeded: this key may sell 250.5 USD a day (UTC), of which 50.24 USD are left " +
      "today, and the request is worth 100 USD. Nothing was sent.",
      "limit_exceeded: Limit exceeded: this key may sell 250.5 USD a day (UTC), of which 0 USD are left today, " +
      "and the request is worth 1 USD. Nothing was sent.",
      `limit_exceeded: Limit exceeded: this key may trade only ${base}, and the request is about optimism/0x${
        "01".repeat(20)
      }. Nothing was sent.`,
      `limit_exceeded: Limit exceeded: this key may trade no vault, and the request is about ${base}. Nothing was sent.`,
      `limit_exceeded: Limit exceeded: this key is read-only, and the request would change ${base}. Nothing was sent.`,
      "limit_exceeded: Limit exceeded: this key is read-only. Nothing was sent."
    ])
  })

  it("apply to each vault a write is about; a write about no vault is refused only by read-only", () => {
    assert.isUndefined(refusalOfAll(limits({ vaults: [first, second] }), [second, first]))
    assert.strictEqual(
      refusalOfAll(limits({ vaults: [first] }), [first, second])?.message,
      refusalOf(limits({ vaults: [first] }), second)?.message
    )
    assert.isUndefined(refusalOfAll(limits({ vaults: [] }), []))
    assert.isDefined(refusalOfAll(limits({ readOnly: true }), []))
  })

  it("find a write's vaults: its own, or those it names when it runs under its wallet's address", () => {
    const [pool, wallet] = [`0x${"01".repeat(20)}`, `0x${"0a".repeat(20)}`] as const
    assert.deepStrictEqual(vaultsOf({ network: "base", pool, wallet }, [`0x${"02".repeat(20)}`]), [first])
    assert.deepStrictEqual(vaultsOf({ network: "base", pool: wallet, wallet }, [pool]), [first])
    assert.deepStrictEqual(vaultsOf({ network: "base", pool: wallet, wallet }), [])
  })

  it("name vaults by network and address, and nothing else", () => {
    const is = Schema.is(VaultId)
    assert.isTrue(is(first))
    for (
      const not of [
        "base",
        "base/",
        `base/0x${"01".repeat(19)}`,
        `mars/0x${"01".repeat(20)}`,
        `BASE/0x${"01".repeat(20)}`,
        `base/0x${"AB".repeat(20)}`
      ]
    ) {
      assert.isFalse(is(not), not)
    }
  })
})
