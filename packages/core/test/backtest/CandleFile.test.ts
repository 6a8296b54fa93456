import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type Candle, regularityOf } from "../../src/backtest/Candle.ts"
import { read, readSignals } from "../../src/backtest/CandleFile.ts"

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * 10n ** 12n
const csv = (...rows: ReadonlyArray<string>) => ["time,open,high,low,close,volume", ...rows].join("\n")
const good = ["3600,10,12,9,11,5", "7200,11,13,10,12.5,6"]
const candles: ReadonlyArray<Candle> = [
  { time: 3_600, open: usd(10), high: usd(12), low: usd(9), close: usd(11), side: null },
  { time: 7_200, open: usd(11), high: usd(13), low: usd(10), close: usd(12.5), side: null }
]
const fault = (text: string) => Result.getOrThrow(Result.flip(read("prices.csv", text)))

describe("a candle file", () => {
  const same: ReadonlyArray<readonly [string, string]> = [
    ["CSV with a header", csv(...good)],
    ["CSV without one", good.join("\n")],
    [
      "CSV with Windows line ends, quotes, a byte order mark and an empty last line",
      `\uFEFF${csv(...good).replace("10,12", "\"10\",\"12\"").replaceAll("\n", "\r\n")}\r\n`
    ],
    [
      "CSV with values that contain a comma, a quote and a line break",
      "time,open,high,low,close,note\n3600,10,12,9,11,\"a, \"\"b\"\"\nc\"\n7200,11,13,10,12.5,d"
    ],
    [
      "CSV with columns in another order, in capitals, and more of them",
      "Close,Low,High,Open,Trades,Date\n11,9,12,10,3,1970-01-01 01:00\n12.5,10,13,11,4,1970-01-01T02:00:00Z"
    ],
    [
      "CSV in milliseconds",
      csv("3600000000000,10,12,9,11,5", "3603600000000,11,13,10,12.5,6").replaceAll("3600000000000", "1767225600000")
        .replaceAll("3603600000000", "1767229200000")
    ],
    [
      "JSON rows as returned by getCandles",
      JSON.stringify([{ time: 3600, open: 10, high: 12, low: 9, close: 11, volume: 5 }, {
        time: 7200,
        open: "11",
        high: 13,
        low: 10,
        close: 12.5,
        volume: 6
      }])
    ],
    [
      "the whole response of getCandles",
      JSON.stringify({
        status: ["success"],
        candles: [[{ time: 3600, open: 10, high: 12, low: 9, close: 11 }, {
          time: 7200,
          open: 11,
          high: 13,
          low: 10,
          close: 12.5
        }]]
      })
    ]
  ]
  for (const [what, text] of same) {
    it(`is read from ${what}`, () => {
      const found = Result.getOrThrowWith(read("prices.csv", text), (sentence) => new Error(sentence))
      const shift = (found[0]?.time ?? 0) - 3_600
      assert.deepStrictEqual(found.map((candle) => ({ ...candle, time: candle.time - shift })), candles)
      assert.include([0, 1_767_222_000], shift)
    })
  }

  it("can have a column of signalled sides", () => {
    const found = Result.getOrThrow(
      read("x", "time,open,high,low,close,side\n1,1,1,1,1,LONG\n2,1,1,1,1,\n3,1,1,1,1,neutral")
    )
    assert.deepStrictEqual(found.map(({ side }) => side), ["long", null, "neutral"])
  })

  const wrong: ReadonlyArray<readonly [string, RegExp]> = [
    ["", /^prices\.csv is empty; expected columns time,open,high,low,close,volume,side$/],
    [csv(), /^prices\.csv has no candles; expected at least two/],
    [csv(good[0]!), /^prices\.csv has one candle/],
    ["time,price\n1,2", /^prices\.csv line 1: missing columns open, high, low, close; expected columns time,/],
    [
      csv(good[0]!, "7200,11,13,10,abc,6"),
      /^prices\.csv line 3: close 'abc' is not a price; expected a number above 0 such as 3012\.55$/
    ],
    [csv(good[0]!, "7200,11,13,0,12,6"), /line 3: low '0' is not a price/],
    [csv(good[0]!, "7200,-11,13,10,12,6"), /line 3: open '-11' is not a price/],
    [csv(good[0]!, "7200,NaN,13,10,12,6"), /line 3: open 'NaN' is not a price/],
    [csv(good[0]!, "7200,1e40,13,10,12,6"), /line 3: open '1e40' is not a price/],
    [csv(good[0]!, "7200,11,13,10"), /line 3: close '' is not a price/],
    [csv(good[0]!, "7200,11,13,10,12,6,long,7"), /line 3: has 8 values for 6 columns/],
    [csv(good[0]!, "7200,11,13,10,12,many"), /line 3: volume 'many' is not a number; it may be left out$/],
    [csv(good[0]!, "7200,11,9,10,12,6"), /line 3: high 9 is below low 10/],
    [
      csv(good[0]!, "yesterday,11,13,10,12,6"),
      /line 3: time 'yesterday' is not a time; expected unix seconds such as 1767225600 or ISO 8601/
    ],
    [csv(good[0]!, "2026-13-41,11,13,10,12,6"), /line 3: time '2026-13-41' is not a time/],
    [
      csv(...good, "3601,1,1,1,1,1"),
      /line 4: time '3601' is before that of prices\.csv line 3; expected rows from the oldest to the newest$/
    ],
    [
      csv(...good, "7200,1,1,1,1,1"),
      /line 4: time '7200' repeats that of prices\.csv line 3; expected each time once$/
    ],
    [
      "time,open,high,low,close,side\n1,1,1,1,1,up\n2,1,1,1,1,up",
      /line 2: side 'up' is unknown; expected one of long, neutral, short, hold$/
    ],
    [csv(good[0]!, "7200,1\"1,13,10,12,6"), /^prices\.csv line 3: quotes are not balanced; expected a value with/],
    [csv(good[0]!, "7200,\"11,13,10,12,6"), /^prices\.csv line 3: quotes are not balanced/],
    ["[1, 2", /^prices\.csv is not a JSON list of rows/],
    ["{\"rows\": []}", /is not a JSON list of rows; expected such a list, or an object with the list as candles$/],
    ["[]", /has no candles/],
    ["[1, 2]", /^prices\.csv row 1: is not an object/],
    ["[{\"time\": 1, \"open\": 1, \"high\": 1, \"low\": 1, \"close\": null}, {}]", /row 1: close '' is not a price/]
  ]
  for (const [text, sentence] of wrong) {
    it(`that is ${JSON.stringify(text.slice(-40))} is refused in a sentence`, () => assert.match(fault(text), sentence))
  }

  it("may have gaps, which are counted", () => {
    assert.deepStrictEqual(regularityOf([0, 60, 120, 300, 360, 480]), { step: 60, gaps: 2, missing: 3 })
    assert.deepStrictEqual(regularityOf([5]), { step: 0, gaps: 0, missing: 0 })
  })
})

describe("a signal file", () => {
  it("contains sides and times; two signals at one time are both kept", () => {
    const found = Result.getOrThrow(readSignals("s.csv", "time,side\n2026-01-01,long\n1767225600,Neutral"))
    assert.deepStrictEqual(found, [{ time: 1_767_225_600, side: "long" }, { time: 1_767_225_600, side: "neutral" }])
  })

  it("is refused in a sentence when it has no signals", () => {
    const fault = (text: string) => Result.getOrThrow(Result.flip(readSignals("s.csv", text)))
    assert.match(fault(""), /^s\.csv is empty/)
    assert.match(fault("time,side"), /^s\.csv has no signals/)
    assert.match(fault("time,side\n5,"), /^s\.csv line 2: has no side; expected one of long, neutral, short, hold$/)
    assert.match(fault("time,side\n5,buy"), /line 2: side 'buy' is unknown/)
    assert.match(fault("time,side\n5,long\n4,long"), /line 3: time '4' is before/)
  })
})
