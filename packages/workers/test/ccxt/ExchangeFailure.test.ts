import { assert, describe, it } from "@effect/vitest"
import {
  ExchangeRefused,
  ExchangeUnavailable,
  redact,
  sentence,
  explainFailure,
  unknownExchange,
  UnknownExchange
} from "../../src/ccxt/ExchangeFailure.ts"

describe("the text of an exchange's error", () => {
  it("is redacted of URLs, credentials and signatures, and truncated", () => {
    const text =
      "binance GET https://api.binance.com/api/v3/account?timestamp=1&signature=abcdef request timed out\n " +
      "apiKey=KEY123456 secret: 's3cret' {\"token\":\"t0k3n\"}"
    const words = redact(text, ["KEY123456"])
    for (const never of ["https", "abcdef", "KEY123456", "s3cret", "t0k3n", "\n"]) assert.notInclude(words, never)
    assert.include(words, "request timed out")
    assert.isAtMost(redact("x".repeat(5000), []).length, 240)
    assert.notInclude(redact("signature deadbeef", ["deadbeef", ""]), "deadbeef")
  })

  it("is the message and the number in its JSON, if there is one", () => {
    assert.strictEqual(
      sentence("binance {\"code\":-1022,\"msg\":\"Signature for this request is not valid.\"}"),
      "Signature for this request is not valid. (-1022)"
    )
    assert.strictEqual(sentence("kraken {\"error\":[\"EAPI:Invalid key\"]}"), "EAPI:Invalid key")
    assert.strictEqual(
      sentence("bybit {\"retCode\":10003,\"retMsg\":\"API key is invalid.\",\"result\":{}}"),
      "API key is invalid. (10003)"
    )
    for (const other of ["", "{", "binance request timed out", "okx {\"code\":\"1\",\"msg\":\"\"}", "x [1]"]) {
      assert.strictEqual(sentence(other), other)
    }
  })

  it("becomes 2030 when the outcome is unknown, 2031 when the exchange refused, and 1010 when there is no such exchange", () => {
    assert.strictEqual(
      explainFailure(new ExchangeUnavailable({ exchange: "okx", reason: "maintenance." })).errorType,
      "exchange_error"
    )
    const { errorType, message } = explainFailure(
      new ExchangeRefused({ exchange: "okx", kind: "funds", reason: "not enough." })
    )
    assert.deepStrictEqual([errorType, message], ["exchange_rejected", "okx refused: not enough. Nothing was sent."])
    const { code, message: words } = unknownExchange(new UnknownExchange({ exchange: "mtgox", known: ["a", "b"] }))
    assert.deepStrictEqual([code, words], ["1010", "exchange: 'mtgox' is not known; accepted are a, b"])
  })
})
