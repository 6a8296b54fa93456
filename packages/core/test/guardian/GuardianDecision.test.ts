import { assert, describe, it } from "@effect/vitest"
import { Token } from "../../src/chain/Token.ts"
import {
  GasTerms,
  type Guardian,
  type GuardianTerms,
  HealthTerms,
  LossTerms,
  noMemory,
  OracleTerms
} from "../../src/guardian/Guardian.ts"
import { decide, type Decision, faultOf, type Reading } from "../../src/guardian/GuardianDecision.ts"

const one = 10n ** 18n
const at = (value: number) => BigInt(Math.round(value * 1e6)) * 10n ** 12n
const usdc = Token.make({ address: `0x${"2".repeat(40)}`, symbol: "USDC", decimals: 6 })

const health = HealthTerms.make({
  ...{ floor18: at(1.25), target18: at(1.5), prefer: ["repay"], slippage: 1, confirmations: 2 }
})
const breaker = LossTerms.make({
  ...{ maxDaily: 5, maxTotal: 15, closeInto: usdc, closePositions: true, slippage: 1, confirmations: 2 }
})
const oracle = OracleTerms.make({
  ...{ maxAgeSeconds: 3_600, maxDepeg: 2, assets: null, confirmations: 2 }
})
const gas = GasTerms.make({ minWei: one, targetWei: 3n * one, confirmations: 2 })

type Watched = Pick<Guardian, "terms" | "state" | "memory" | "paper">

/** Feeds readings in turn, as the rows would keep what is remembered; returns the last decision. */
const run = (
  terms: GuardianTerms,
  readings: ReadonlyArray<Reading>,
  from: Partial<Watched> = {}
): { readonly last: Decision; readonly steps: ReadonlyArray<string>; readonly guardian: Watched } => {
  let guardian: Watched = { terms, state: "armed", memory: noMemory, paper: false, ...from }
  let last: Decision | undefined
  const steps: Array<string> = []
  for (const reading of readings) {
    last = decide(guardian, reading, reading.block * 1_000)
    const { step } = last
    const state = step._tag === "trip"
      ? step.acts ? "acting" : "tripped"
      : step._tag === "clear"
      ? "armed"
      : guardian.state
    guardian = { ...guardian, state, memory: last.memory }
    steps.push(step._tag)
  }
  if (last === undefined) throw new Error("no readings")
  return { last, steps, guardian }
}

const factor = (value: number | null, block: number): Reading => ({
  _tag: "health_factor",
  block,
  factor18: value === null ? null : at(value)
})
const share = (value: number, block: number, day = "2026-11-20"): Reading => ({
  _tag: "loss_breaker",
  ...{ block, day, price18: at(value) }
})
const prices = (usd: number | null, block: number, age = 0): Reading => ({
  _tag: "oracle",
  block,
  answers: [{ symbol: "USDC", price18: usd === null ? null : at(usd), updatedAt: block - age, isStable: true }]
})
const balance = (value: number, block: number): Reading => ({ _tag: "gas", block, wei: at(value) })

describe("the health factor guardian", () => {
  it("acts after two readings below the floor, of different blocks, until the target is reached", () => {
    const readings = [factor(1.2, 10), factor(1.2, 10), factor(1.19, 11), factor(1.3, 12), factor(1.5, 13)]
    assert.deepStrictEqual(run(health, readings).steps, ["wait", "wait", "trip", "act", "clear"])
  })

  it("does nothing when the factor jumps below the floor and comes back", () => {
    const readings = [factor(1.1, 10), factor(1.6, 11), factor(1.1, 12), factor(null, 13), factor(1.1, 14)]
    assert.deepStrictEqual(new Set(run(health, readings).steps), new Set(["wait"]))
  })

  it("only reports on paper, and watches again above the floor", () => {
    const { last, steps } = run(health, [factor(1.2, 1), factor(1.2, 2), factor(1.2, 3), factor(1.3, 4)], {
      paper: true
    })
    assert.deepStrictEqual(steps, ["wait", "trip", "wait", "clear"])
    assert.strictEqual(last.step._tag, "clear")
    const tripped = run(health, [factor(1.2, 1), factor(1.2, 2)], { paper: true }).last.step
    assert.match(tripped.reason, /^On paper: .* Nothing is done\.$/)
  })
})

describe("the loss breaker", () => {
  it("trips on a loss since the day's beginning, or since the peak, that two readings confirm", () => {
    assert.deepStrictEqual(run(breaker, [share(10, 1), share(10, 2), share(9.5, 3), share(9.5, 4)]).steps, [
      ...["wait", "wait", "wait", "trip"]
    ])
    const slow = [
      ...[share(10, 1), share(10, 2), share(9.6, 3, "2026-11-21"), share(9.6, 4, "2026-11-21")],
      ...[share(9.2, 5, "2026-11-22"), share(9.2, 6, "2026-11-22"), share(8.8, 7, "2026-11-23")],
      ...[share(8.8, 8, "2026-11-23"), share(8.49, 9, "2026-11-24"), share(8.49, 10, "2026-11-24")]
    ]
    assert.deepStrictEqual(run(breaker, slow).steps.slice(-2), ["wait", "trip"])
  })

  it("counts a loss over midnight, and knows no peak that one reading alone has shown", () => {
    const overnight = [share(10, 1), share(10, 2), share(9.4, 3, "2026-11-21"), share(9.4, 4, "2026-11-21")]
    assert.deepStrictEqual(run(breaker, overnight).steps, ["wait", "wait", "wait", "trip"])
    const jump = [share(10, 1), share(10, 2), share(20, 3), share(10, 4), share(10, 5), share(10, 6)]
    assert.deepStrictEqual(new Set(run(breaker, jump).steps), new Set(["wait"]))
  })

  it("has tripped until it is reset, whatever the share price does", () => {
    const { guardian } = run({ ...breaker, closeInto: null }, [share(10, 1), share(10, 2), share(9, 3), share(9, 4)])
    assert.strictEqual(guardian.state, "tripped")
    const later = decide(guardian, share(12, 5), 5_000)
    assert.strictEqual(later.step._tag, "wait")
    assert.match(later.step.reason, /resetGuardian arms it/)
  })
})

describe("the oracle guardian", () => {
  it("holds at the first bad reading, and lets pass after two good ones", () => {
    const readings = [prices(1, 10), prices(0.97, 11), prices(1, 12), prices(0.97, 13), prices(1, 14), prices(1, 15)]
    assert.deepStrictEqual(run(oracle, readings).steps, ["wait", "trip", "wait", "wait", "wait", "clear"])
  })

  it("refuses prices that are missing, too old, of unknown age, or off the peg in either direction", () => {
    const answer = { symbol: "USDC", price18: one, updatedAt: 10_000, isStable: true }
    const fault = (more: Partial<typeof answer> | { updatedAt: null } | { price18: null }, now = 10_000) =>
      faultOf(oracle, [{ ...answer, ...more }], now) ?? ""
    assert.strictEqual(fault({}), "")
    assert.strictEqual(fault({}, 13_600), "")
    assert.match(fault({}, 13_601), /is 3601 seconds old; 3600 are accepted/)
    assert.match(fault({ price18: null }), /no fresh price for USDC/)
    assert.match(fault({ updatedAt: null }), /age .* unknown/)
    assert.match(fault({ price18: at(1.02) }), /USDC is at \$1.02, 2 % or more off its peg/)
    assert.match(fault({ price18: at(0.98) }), /off its peg/)
    assert.strictEqual(fault({ price18: at(0.981) }), "")
    assert.strictEqual(fault({ price18: at(3000), isStable: false }), "")
  })
})

describe("the gas guardian", () => {
  it("proposes a refill after two low readings, and watches again when the wallet is a tenth above", () => {
    const { guardian, steps } = run(gas, [balance(0.9, 1), balance(0.9, 2)])
    assert.deepStrictEqual(steps, ["wait", "trip"])
    assert.strictEqual(guardian.memory.refillWei, at(2.1))
    const later = run(gas, [balance(1.05, 3), balance(1.1, 4), balance(1.1, 5)], guardian)
    assert.deepStrictEqual(later.steps, ["wait", "wait", "clear"])
    assert.isNull(later.guardian.memory.refillWei)
  })
})
