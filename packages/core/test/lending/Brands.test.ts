import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "../../src/Catalogue.ts"
import { brandPath, parse, read, defaultBrands } from "../../src/lending/Brands.ts"

const also = (path: `/${string}`) => brandPath(defaultBrands)(path)

describe("brand names", () => {
  it("add an alias to every path of a market, and to no other path", () => {
    const paths = endpoints.flatMap(({ paths }) => paths)
    const found = Object.fromEntries(paths.flatMap((path) => also(path) === undefined ? [] : [[path, also(path)]]))
    assert.deepStrictEqual(found, {
      "/lenderAV3/lend": "/aaveV3/lend",
      "/lenderAV3/unlend": "/aaveV3/unlend",
      "/lenderAV3/borrow": "/aaveV3/borrow",
      "/lenderAV3/repay": "/aaveV3/repay",
      "/lenderAV3/getSupplied": "/aaveV3/getSupplied",
      "/lenderAV3/getBorrowed": "/aaveV3/getBorrowed",
      "/lenderAV3/getHealthFactor": "/aaveV3/getHealthFactor",
      "/lenderAV3/getPoolData": "/aaveV3/getPoolData",
      "/getPoolLenderAData": "/getPoolAaveData",
      "/lenderBV3/lend": "/compoundV3/lend",
      "/depositLenderBV3": "/depositCompoundV3",
      "/lenderBV3/unlend": "/compoundV3/unlend",
      "/withdrawLenderBV3": "/withdrawCompoundV3",
      "/lenderC/lend": "/fluid/lend",
      "/depositLenderC": "/depositFluid",
      "/lenderC/unlend": "/fluid/unlend",
      "/withdrawLenderC": "/withdrawFluid"
    })
  })

  it("collide with no existing path", () => {
    const paths: ReadonlyArray<string> = endpoints.flatMap(({ paths }) => paths)
    const further = endpoints.flatMap(({ paths }) => paths.flatMap((path) => also(path) ?? []))
    assert.deepStrictEqual(further.filter((path) => paths.includes(path)), [])
    assert.strictEqual(new Set(further).size, further.length)
  })

  it("name a market in addition to its own name, ignoring case, with and without the version", () => {
    for (const text of ["lenderA", "LENDERAV3", "aaveV3", "aave", "AaveV3"]) {
      assert.strictEqual(parse(defaultBrands, text), "lenderA", text)
    }
    for (const text of ["lenderB", "lenderBV3", "compound", "compoundv3"]) {
      assert.strictEqual(parse(defaultBrands, text), "lenderB", text)
    }
    for (const text of ["lenderC", "Fluid"]) assert.strictEqual(parse(defaultBrands, text), "lenderC", text)
    for (const text of ["lenderD", "lender", "auto", "", "uniswapV3"]) {
      assert.isUndefined(parse(defaultBrands, text), text)
    }
  })

  it("are three different words", () => {
    assert.deepStrictEqual(read(" spark , comet,morpho "), { lenderA: "spark", lenderB: "comet", lenderC: "morpho" })
    for (
      const text of [
        "",
        "a,b",
        "aaveV3,compoundV3",
        "aaveV3,aaveV2,fluid",
        "aaveV3,compoundV3,fluid,other",
        "Aave,comp,fluid",
        "aa/ve,comp,fluid",
        "lenderB,comp,fluid",
        "kyberswap,comp,fluid",
        "auto,comp,fluid",
        "aave,sushi,fluid"
      ]
    ) {
      assert.isUndefined(read(text), text)
    }
  })
})
