import { assert, describe, it } from "@effect/vitest"
import { read, weiOf } from "../../src/gas-wallet/GasAmount.ts"

const ether = 10n ** 18n

describe("an amount of gas", () => {
  it("is US dollars or native token, for all networks or for one", () => {
    const amounts = read("5usd, polygon=2.5, base=0.001")!
    assert.deepInclude(amounts("ethereum")!, { _tag: "usd", usd18: 5n * ether })
    assert.deepInclude(amounts("polygon")!, { _tag: "native", wei: 5n * ether / 2n })
    assert.deepInclude(amounts("base")!, { _tag: "native", wei: ether / 1000n })
    assert.isUndefined(read("base=1usd")!("optimism"))
    assert.strictEqual(read("mainnet=7 USD")!("ethereum")?._tag, "usd")
  })

  it("is converted by the native token's price, and is unknown without one", () => {
    const [usd, native] = [read("5usd")!("base")!, read("0.5")!("base")!]
    assert.strictEqual(weiOf(usd, 2_500n * ether), ether / 500n)
    assert.isUndefined(weiOf(usd, undefined))
    assert.isUndefined(weiOf(usd, 0n))
    assert.strictEqual(weiOf(native, undefined), ether / 2n)
  })

  for (const text of ["", "usd", "-1", "1e3", "5eur", "mars=1", "base=", "0", "0usd", "base=1=2"]) {
    it(`is not valid as '${text}'`, () => assert.isUndefined(read(text)))
  }
})
