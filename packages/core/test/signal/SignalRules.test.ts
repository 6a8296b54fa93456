import { assert, describe, it } from "@effect/vitest"
import {
  addressesOf,
  isQuiet,
  isTighter,
  noRules,
  type Occasion,
  readQuiet,
  refusalOf,
  type SignalRules
} from "../../src/signal/SignalRules.ts"

const now = Date.parse("2026-11-26T22:30:00Z")
const occasion: Occasion = { now, time: null, maxLag: null, source: "203.0.113.9", isListed: true, recent: 0 }
const quiet = { from: "22:00", to: "06:00", timeZone: "UTC" }

describe("the rules of a token", () => {
  const cases: ReadonlyArray<readonly [Partial<SignalRules>, Partial<Occasion>, RegExp | null]> = [
    [{}, {}, null],
    [{ muted: true }, {}, /^token: is muted/],
    [{ sources: ["tradingview"] }, { isListed: false }, /^token: takes no calls from 203\.0\.113\.9/],
    [{ quiet }, {}, /^token: has quiet hours, 22:00-06:00 UTC/],
    [{ quiet: { ...quiet, timeZone: "America/New_York" } }, {}, null],
    [{ perMinute: 3 }, { recent: 2 }, null],
    [{ perMinute: 3 }, { recent: 3 }, /^token: its rate is 3 a minute/],
    [{ maxAge: 60 }, {}, /^timestamp: is required with the token's max_age/],
    [{ maxAge: 60 }, { time: now - 60_000 }, null],
    [{ maxAge: 60 }, { time: now - 61_000 }, /is 61 s old, and the token's max_age is 60 s; nothing was done/],
    [{ maxAge: 60 }, { time: now - 31_000, maxLag: 30 }, /is 31 s old, and max_lag is 30 s/],
    [{ maxAge: 60 }, { time: now - 61_000, maxLag: 300 }, /the token's max_age is 60 s/],
    [{}, { time: now - 61_000, maxLag: 60 }, /max_lag is 60 s/],
    [{}, { time: now - 61_000 }, null],
    [{ maxAge: 60 }, { time: now + 120_000 }, /is 120 s in the future/]
  ]
  for (const [rules, at, message] of cases) {
    it(`${message === null ? "admit" : "refuse"} at ${JSON.stringify({ ...rules, ...at })}`, () => {
      const refusal = refusalOf({ ...noRules, ...rules }, { ...occasion, ...at })
      if (message === null) assert.isNull(refusal)
      else assert.match(refusal ?? "", message)
    })
  }

  it("know quiet hours in a time zone, over midnight and over a change of its clock", () => {
    const berlin = readQuiet("02:00-04:00 Europe/Berlin")!
    assert.deepStrictEqual(berlin, { from: "02:00", to: "04:00", timeZone: "Europe/Berlin" })
    assert.isTrue(isQuiet(berlin, Date.parse("2026-07-01T00:30:00Z")))
    assert.isFalse(isQuiet(berlin, Date.parse("2026-12-01T00:30:00Z")))
    assert.isTrue(isQuiet(berlin, Date.parse("2026-12-01T01:30:00Z")))
    assert.isTrue(isQuiet(quiet, Date.parse("2026-12-01T05:59:00Z")))
    assert.isFalse(isQuiet(quiet, Date.parse("2026-12-01T06:00:00Z")))
    for (const text of ["22:00", "25:00-06:00", "22:00-06:00 Mars/Base", "22:00-22:00"]) {
      assert.isUndefined(readQuiet(text), text)
    }
    assert.deepStrictEqual(readQuiet("22:00-06:00"), quiet)
  })

  it("are tighter only if they admit nothing new", () => {
    const tight: SignalRules = { muted: false, quiet, sources: ["tradingview"], perMinute: 5, maxAge: 60 }
    assert.isTrue(isTighter(noRules, tight))
    assert.isFalse(isTighter(tight, noRules))
    assert.isTrue(isTighter(tight, { ...tight, muted: true, perMinute: 4, sources: ["52.89.214.238"] }))
    assert.isFalse(isTighter({ ...tight, muted: true }, tight))
    assert.isFalse(isTighter(tight, { ...tight, quiet: { ...quiet, to: "05:00" } }))
    assert.isFalse(isTighter(tight, { ...tight, sources: ["tradingview", "198.51.100.1"] }))
    assert.strictEqual(addressesOf(["tradingview", "198.51.100.0/24"]).length, 5)
  })
})
