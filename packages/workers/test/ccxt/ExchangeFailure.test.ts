import { assert, describe, it } from "@effect/vitest"
import { ExchangeRefused, ExchangeUnavailable, scrubbed, told, unknown, UnknownExchange } from "../../src/ccxt/ExchangeFailure.ts"

describe("what an exchange's error says", () => {
  it("is repeated without addresses, credentials and signatures, and not for long", () => {
    const text = "binance GET https://api.binance.com/api/v3/account?timestamp=1&signature=abcdef request timed out\n apiKey=KEY123456 secret: 's3cret' {\"token\":\"t0k3n\"}"
    const words = scrubbed(text, ["KEY123456"])
    for (const never of ["https", "abcdef", "KEY123456", "s3cret", "t0k3n", "\n"]) assert.notInclude(words, never)
    assert.include(words, "request timed out")
    assert.isAtMost(scrubbed("x".repeat(5000), []).length, 240)
    assert.notInclude(scrubbed("signature deadbeef", ["deadbeef", ""]), "deadbeef")
  })

  it("is told as 2030 when it is not known what happened, as 2031 when the exchange said no, and 1010 when there is no such exchange", () => {
    assert.strictEqual(told(new ExchangeUnavailable({ exchange: "okx", reason: "maintenance." })).errorType, "exchange_error")
    const { errorType, message } = told(new ExchangeRefused({ exchange: "okx", kind: "funds", reason: "not enough." }))
    assert.deepStrictEqual([errorType, message], ["exchange_rejected", "okx refused: not enough."])
    const { code, message: words } = unknown(new UnknownExchange({ exchange: "mtgox", known: ["a", "b"] }))
    assert.deepStrictEqual([code, words], ["1010", "exchange: 'mtgox' is not known; accepted are a, b"])
  })
})
