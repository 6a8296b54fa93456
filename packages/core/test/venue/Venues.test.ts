import { assert, describe, it } from "@effect/vitest"
import * as Networks from "../../src/chain/Network.ts"
import * as Venues from "../../src/venue/Venues.ts"

describe("Venues.parse", () => {
  it("knows each venue in any case", () => {
    for (const name of Venues.names) {
      assert.deepStrictEqual([name, name.toLowerCase(), name.toUpperCase()].map(Venues.parse), [name, name, name])
    }
  })

  it("routes every retired name to auto, in any case", () => {
    for (const name of Venues.retired) {
      assert.deepStrictEqual([name, name.toLowerCase(), name.toUpperCase()].map(Venues.parse), ["auto", "auto", "auto"])
    }
  })

  it("knows nothing else", () => {
    assert.deepStrictEqual(["", "bestdex", "constructor", "__proto__", "uniswapV3 "].map(Venues.parse), [undefined, undefined, undefined, undefined, undefined])
  })

  it("retires no venue that is in use", () => {
    const retired = new Set<string>(Venues.retired.map((name) => name.toLowerCase()))
    assert.deepStrictEqual(Venues.names.filter((name) => retired.has(name.toLowerCase())), [])
  })
})

describe("Venues.fallbackChains", () => {
  it("are the aggregators before what is quoted on chain, on polygon with one venue more", () => {
    const usual = ["1inch", "kyberswap", "uniswapV3"] as const
    const { hyperliquid: _, polygon, ...others } = Venues.fallbackChains
    assert.deepStrictEqual(polygon, [...usual, "quickswap"])
    for (const chain of Object.values(others)) assert.deepStrictEqual(chain, usual)
  })
})

describe("Venues.order", () => {
  for (const network of Networks.names) {
    it(`tries a named venue on ${network} and no other, and the whole chain for auto`, () => {
      for (const name of Venues.names) assert.deepStrictEqual(Venues.order(network, name), [name])
      assert.deepStrictEqual(Venues.order(network, "auto"), Venues.fallbackChains[network])
    })
  }
})
