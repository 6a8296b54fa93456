import { assert, it } from "@effect/vitest"
import { bookOf } from "../../src/address-book/AddressBook.ts"
import * as PoolTokenName from "../../src/address-book/PoolTokenName.ts"

it("the published names of pool tokens state asset, direction and multiple", () => {
  assert.deepStrictEqual(PoolTokenName.parse("Toros ETHBEAR1X"), { asset: "WETH", leverage: -1, symbol: "ETHBEAR1X" })
  assert.deepStrictEqual(PoolTokenName.parse("Toros Bitcoin Bull 3X"), {
    asset: "WBTC",
    leverage: 3,
    symbol: "BTCBULL3X"
  })
  assert.deepStrictEqual(PoolTokenName.parse("Toros SOL1X"), { asset: "SOL", leverage: 1, symbol: "SOL1X" })
  assert.deepStrictEqual(PoolTokenName.parse("Toros SUIBULL3X")?.leverage, 3)
  for (const name of ["Toros ETHy", "WETH", "Toros", "EasySwapperV2 Unrolled Assets"]) {
    assert.isUndefined(PoolTokenName.parse(name), name)
  }
})

it("the address book has inverse and leveraged tokens of the networks whose lists have them", () => {
  const of = (network: Parameters<typeof bookOf>[0]) => bookOf(network, ["http://127.0.0.1:1"])
  for (const network of ["optimism", "arbitrum", "polygon"] as const) {
    const { easySwapper, inverseTokens } = of(network)
    assert.includeMembers(Object.keys(inverseTokens), ["WETH", "WBTC"], network)
    for (const token of easySwapper?.poolTokens ?? []) {
      if (token.leverage === -1) assert.strictEqual(inverseTokens[token.asset], token.address)
    }
  }
  assert.deepStrictEqual(of("ethereum").inverseTokens, {})
  assert.isAbove(of("ethereum").easySwapper?.poolTokens.length ?? 0, 4)
  assert.isUndefined(of("base").easySwapper)
  assert.isUndefined(of("plasma").easySwapper)
})
