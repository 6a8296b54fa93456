import { assert, describe, it } from "@effect/vitest"
import * as Networks from "../../src/chain/Network.ts"
import * as VenueName from "../../src/venue/VenueName.ts"

describe("Venues.parse", () => {
  it("parses each venue in any case", () => {
    for (const name of VenueName.names) {
      assert.deepStrictEqual([name, name.toLowerCase(), name.toUpperCase()].map(VenueName.parse), [name, name, name])
    }
  })

  it("parses every retired name as auto, in any case", () => {
    for (const name of VenueName.retiredVenues) {
      assert.deepStrictEqual([name, name.toLowerCase(), name.toUpperCase()].map(VenueName.parse), [
        "auto",
        "auto",
        "auto"
      ])
    }
  })

  it("parses the two values that choose a venue, in any case", () => {
    for (const name of ["auto", "best"] as const) {
      assert.deepStrictEqual([name, name.toUpperCase()].map(VenueName.parse), [name, name])
    }
  })

  it("rejects all other names", () => {
    assert.deepStrictEqual(["", "bestdex", "constructor", "__proto__", "uniswapV3 "].map(VenueName.parse), [
      undefined,
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  it("retires no venue that is in use", () => {
    const retired = new Set<string>(VenueName.retiredVenues.map((name) => name.toLowerCase()))
    assert.deepStrictEqual(VenueName.names.filter((name) => retired.has(name.toLowerCase())), [])
  })
})

describe("Venues.fallbackChains", () => {
  it("list the aggregators before the on-chain venues, with one more venue on polygon", () => {
    const usual = ["1inch", "kyberswap", "odosV3", "uniswapV3"] as const
    const { hyperliquid, plasma, polygon, ...others } = VenueName.fallbackChains
    assert.deepStrictEqual([hyperliquid, plasma], [["kyberswap"], ["kyberswap"]])
    assert.deepStrictEqual(polygon, [...usual, "quickswap"])
    for (const chain of Object.values(others)) assert.deepStrictEqual(chain, usual)
  })
})

describe("Venues.order", () => {
  for (const network of Networks.names) {
    it(`tries a named venue on ${network} and no other, and the whole chain for auto and best`, () => {
      for (const name of VenueName.names) assert.deepStrictEqual(VenueName.order(network, name), [name])
      for (const choice of ["auto", "best"] as const) {
        assert.deepStrictEqual(VenueName.order(network, choice), VenueName.fallbackChains[network])
      }
    })
  }
})
