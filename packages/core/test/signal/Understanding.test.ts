import { assert, describe, it } from "@effect/vitest"
import type { Side } from "../../src/threshold-bot/ThresholdBot.ts"
import { redacted } from "../../src/signal/Signal.ts"
import { understand } from "../../src/signal/Understanding.ts"

const json = "application/json"
const text = "text/plain"
const form = "application/x-www-form-urlencoded"
const of = (body: string, mediaType = text, query = "") => understand({ body, mediaType, query })

/** Bodies that people send, and their side. */
const sides: ReadonlyArray<readonly [body: string, mediaType: string, side: Side]> = [
  ...["buy", "BUY", "Long", " long\n", "open", "enter_long", "go long", "open long"].map((body) =>
    [body, text, "long"] as const
  ),
  ...["sell", "close", "flat", "exit", "neutral", "exit long", "close-long", "exit_short", "buy to cover", "close all"]
    .map((body) => [body, text, "neutral"] as const),
  ...["short", "enter short", "sell short", "go_short"].map((body) => [body, text, "short"] as const),
  ["hold", text, "hold"],
  ["\"exit\"", json, "neutral"],
  ["long", form, "long"],
  ["side=buy&ticker=ETHUSD", form, "long"],
  ["side=buy", "", "long"],
  ["SuperTrend Strategy (10, 3): order buy @ 1 filled on BTCUSD. New strategy position is 1", text, "long"],
  ["order sell @ 0.5 filled on BINANCE:BTCUSDT.P. New strategy position is 0", text, "neutral"],
  ["My strategy: order sell @ 2 filled on ETHUSD. New strategy position is -2", text, "short"],
  // The order closes a short position.
  ["order buy @ 1,000 filled on ETHUSD. New strategy position is 0", text, "neutral"],
  ["BTCUSD buy @ 64,250.5", text, "long"],
  ["Sell 50% ETHUSDT", text, "neutral"],
  ["order: buy BTCUSD at market", text, "long"],
  [`{"side": "long"}`, json, "long"],
  [`{"side": "long"}`, text, "long"],
  [`{"Action": "sell", "ticker": "BTCUSD", "price": "{{close}}"}`, json, "neutral"],
  [`{"action": "buy", "market_position": "flat", "prev_market_position": "short"}`, json, "neutral"],
  [`{"strategy": {"order_action": "buy", "market_position": "long", "prev_market_position": "flat"}}`, json, "long"],
  [`{"strategy": {"order": {"action": "sell"}}, "bar": {"close": 3000}}`, json, "neutral"],
  [`{"message": "buy ETHUSD"}`, json, "long"],
  // 3Commas: a signal bot, a message that starts a deal, one that closes it, and its own words.
  [
    `{"secret": "s3cr3t", "max_lag": "300", "timestamp": "2026-11-20T10:00:00Z", "trigger_price": "3012.5",
      "tv_exchange": "BINANCE", "tv_instrument": "ETHUSDT", "action": "buy", "bot_uuid": "${crypto.randomUUID()}",
      "strategy_info": {"market_position": "long", "market_position_size": "1", "prev_market_position": "flat"},
      "order": {"amount": "1", "currency_type": "base"}}`,
    json,
    "long"
  ],
  [`{"message_type": "bot", "bot_id": 1234, "email_token": "x", "delay_seconds": 0}`, json, "long"],
  [`{"message_type": "bot", "bot_id": 1, "email_token": "x", "action": "close_at_market_price_all"}`, json, "neutral"],
  [`{"action": "exit_long"}`, json, "neutral"],
  [`{"action": "enter_short"}`, json, "short"]
]

/** Bodies that mean nothing certain, and why. */
const faults: ReadonlyArray<readonly [body: string, mediaType: string, code: string, message: RegExp]> = [
  ["", text, "1010", /^Missing required parameter: side/],
  ["{}", json, "1010", /^Missing required parameter: side/],
  ["ETHUSD crossing 3000", text, "1008", /^alert: must be one of long, buy, short, open/],
  ["buy or sell", text, "1008", /^alert: names long \(buy\) and neutral \(sell\); send one of them$/],
  ["close long and open short", text, "1008", /names neutral \(close long\) and short \(open short\)/],
  ["Close > Open", text, "1008", /names neutral \(close\) and long \(open\)/],
  ["close crossing above 3000", text, "1008", /^alert: has close beside words .* \(crossing, above\)/],
  ["do not buy", text, "1008", /^alert: has buy beside words that are not understood \(do, not\)/],
  ["NOT buy", text, "1008", /not understood \(NOT\)/],
  ["ETHUSD CROSSING buy", text, "1008", /not understood \(CROSSING\)/],
  ["buy 50% or 20%", text, "1008", /beside words/],
  ["buy 50% 20%", text, "1008", /names two percentages/],
  ["buy 150%", text, "1010", /^alert: names a percentage that is not above 0/],
  ["{{strategy.order.action}}", text, "1008", /^alert: has the placeholder \{\{strategy\.order\.action\}\}/],
  [`{"side": {{strategy.order.action}}}`, text, "1008", /^alert: has the placeholder/],
  [
    `{"side": "{{ strategy.order.action }}"}`,
    json,
    "1008",
    /^side: has the placeholder \{\{strategy\.order\.action\}\}/
  ],
  [`{"side": "up"}`, json, "1008", /^side: must be one of long/],
  [`{"side": ["buy", "sell"]}`, json, "1008", /^side: must be one value, not a list/],
  [`{"side": "long", "action": "sell"}`, json, "1008", /^side: is long, but action means neutral/],
  [`{"side": "long", "market_position": "flat"}`, json, "1008", /send one of them/],
  [`{"action": "buy", "order": {"action": "sell"}}`, json, "1008", /^action: is another side than order\.action/],
  ["side=buy&side=sell", form, "1008", /^side: must be one value, not a list/],
  [`{"side": "long", "percent": 0}`, json, "1010", /^percent: must be a percentage/],
  [`{"side": "long", "max_lag": 60}`, json, "1010", /^timestamp: is required with max_lag/],
  [
    `{"side": "long", "max_lag": 0, "timestamp": 1795284000}`,
    json,
    "1010",
    /^max_lag: must be a whole number of seconds/
  ],
  [`{"side": "long", "timestamp": "{{timenow}}"}`, json, "1010", /^timestamp: has the placeholder/],
  [`{"message_type": "bot", "bot_id": 1, "action": "cancel"}`, json, "1008", /^action: must be one of/]
]

describe("the understanding of a signal", () => {
  for (const [body, mediaType, side] of sides) {
    it(`reads ${side} in ${body.replaceAll(/\s+/g, " ").slice(0, 90)} as ${mediaType || "no type"}`, () => {
      const { fault, understood } = of(body, mediaType)
      assert.deepStrictEqual([fault, understood.side], [null, side])
    })
  }

  for (const [body, mediaType, code, message] of faults) {
    it(`refuses ${body.slice(0, 80) || "an empty body"} as ${mediaType}`, () => {
      const { fault } = of(body, mediaType)
      assert.strictEqual(fault?.code, code)
      assert.match(fault?.message ?? "", message)
    })
  }

  it("finds percentage, price, time and the placeholders that do not matter", () => {
    const { maxLag, time, understood } = of(
      `{"side": "buy", "percent": "25%", "price": "3012.5", "ts": 1795284000, "max_age": 30, "comment": "{{ticker}}"}`,
      json
    )
    assert.deepStrictEqual(understood, {
      side: "long",
      percent: 25,
      price: "3012.5",
      timestamp: new Date(1_795_284_000_000).toISOString(),
      placeholders: ["ticker"],
      unknown_words: []
    })
    assert.deepStrictEqual([time, maxLag], [1_795_284_000_000, 30])
    assert.deepInclude(of("buy 12.5% BTCUSD @ 64000").understood, { percent: 12.5, price: "64000" })
    assert.deepStrictEqual(of("ETHUSD crossing 3000").understood.unknown_words, ["crossing"])
  })

  it("takes the side from the query before a text, and refuses a query that contradicts the body", () => {
    assert.strictEqual(of("ETHUSD crossing 3000", text, "?side=long").understood.side, "long")
    assert.strictEqual(of(`{"side":"long"}`, json, "?side=LONG").understood.side, "long")
    assert.match(of(`{"side":"short"}`, json, "?side=long").fault?.message ?? "", /^side: is given in two places/)
  })
})

describe("a stored body", () => {
  it("has no credential, by name or by format", () => {
    const token = `whk_${"ab".repeat(32)}`
    const key = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
    const bodies = [
      `{"side": "long", "apiKey": "${key}", "note": "${token}"}`,
      `{"side": "long", "secret": "hunter2", "email_token": "hunter2", "passphrase":"hunter2"}`,
      `side=long&apiKey=${key}&api_key=hunter2&secret=hunter2`,
      `buy ${key} https://example.com/webhook/${token} 0x${"cd".repeat(32)}`,
      `Authorization: Bearer hunter2`,
      `{"a": "{\\"secret\\": \\"hunter2\\"}", "privateKey": "0x${"cd".repeat(32)}"}`
    ]
    for (const body of bodies) {
      const stored = redacted(body)
      for (const secret of [token.slice(4), key, "hunter2", "cd".repeat(32)]) assert.notInclude(stored, secret, body)
    }
    assert.strictEqual(redacted(`{"side": "long", "ticker": "ETHUSD"}`), `{"side": "long", "ticker": "ETHUSD"}`)
    assert.strictEqual(redacted("a\0b"), "a\uFFFDb")
  })
})
