import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Param from "../../src/endpoint/Param.ts"
import { Settings } from "../../src/exchange/ExchangeParams.ts"

const [settings] = Param.describe({ settings: Schema.optional(Settings) })

describe("an exchange account's settings", () => {
  it("have defaults for missing members", () => {
    assert.deepStrictEqual(settings?.decode({ testnet: true }), Option.some({ testnet: true, slippage: 0.5 }))
    assert.deepStrictEqual(settings?.decode({}), Option.some({ testnet: false, slippage: 0.5 }))
  })

  it("are refused with an unknown member, which could be meant as a safeguard", () => {
    assert.isTrue(Option.isNone(settings!.decode({ testnet: true, url: "http://127.0.0.1" })))
  })
})
