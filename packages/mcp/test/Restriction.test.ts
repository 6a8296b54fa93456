import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { offered, type Restriction, refusal } from "../src/Restriction.ts"
import * as Scope from "@vault-trader/core/endpoint/ChangeScope"
import { tools } from "../src/Tool.ts"

const pool: Address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const other = "0x1111111111111111111111111111111111111111"
const free: Restriction = { allow: new Set(Scope.scopes), pools: undefined, assets: undefined, maxUsd: undefined }

const check = (restriction: Partial<Restriction>, name: string, args: Readonly<Record<string, unknown>>) => {
  const tool = tools.find((each) => each.name === name)
  assert.isDefined(tool, name)
  return refusal({ ...free, ...restriction }, tool, args)
}

describe("a restriction", () => {
  it("refuses arguments that the tool does not have, among them every way to give another key", () => {
    for (const name of ["apiKey", "gas_wallet_api_key", "privateKey", "signature", "dryRun", "idempotency_key", "x"]) {
      assert.match(
        check({}, "vaultTrade", { pool, from: "USDC", to: "WETH", [name]: "y" }) ?? "",
        /does not take/,
        name
      )
    }
    assert.isUndefined(check({}, "vaultTrade", { pool, from: "USDC", to: "WETH", confirmation: "y" }))
  })

  it("lets only its vaults pass, in any spelling, also in lists and in reads", () => {
    const only = { pools: new Set([pool]) }
    const shouting = `0x${pool.slice(2).toUpperCase()}`
    assert.isUndefined(check(only, "vaultTrade", { pool: shouting, from: "USDC", to: "WETH" }))
    assert.match(check(only, "vaultTrade", { pool: other, from: "USDC", to: "WETH" }) ?? "", /--pools/)
    assert.match(check(only, "poolComposition", { pool: other, network: "base" }) ?? "", /--pools/)
    assert.match(check(only, "mintManagerFeeBatch", { pools: [pool, other], network: "base" }) ?? "", /--pools/)
    assert.match(check(only, "mintManagerFeeBatch", { pools: `${pool},${other}`, network: "base" }) ?? "", /must be/)
    assert.match(check(only, "vaultTrade", { from: "USDC", to: "WETH" }) ?? "", /must be the address of a vault/)
    assert.match(check(only, "vaultTrade", { pool: [pool], from: "USDC" }) ?? "none", /none/)
    assert.isUndefined(check(only, "getIntents", {}))
  })

  it("to vaults offers no change that names none", () => {
    const names = offered({ ...free, pools: new Set([pool]) }).map(({ name }) => name)
    assert.includeMembers(names, ["vaultTrade", "mintManagerFee", "setBot"])
    for (const name of ["mintAllFeesByManager", "setCEXSide", "pauseWallet", "api_cex_chargeFee"]) {
      assert.notInclude(names, name)
    }
  })

  it("lets changes name only its assets, to the letter, and reads any", () => {
    const only = { assets: new Set(["USDC", "WETH", other]) }
    const order = { pool, from: "USDC", to: "WETH" }
    assert.isUndefined(check(only, "vaultTrade", order))
    assert.isUndefined(check(only, "vaultTrade", { ...order, to: `0x${other.slice(2).toUpperCase()}` }))
    assert.isUndefined(check(only, "setBot", { pool, pair: "WETH-USDC" }))
    assert.isUndefined(check(only, "getTicks", { pair: "WBTC-USDT" }))
    for (const to of ["WBTC", "weth", "WETHx", pool, ""]) {
      assert.match(
        check(only, "vaultTrade", { ...order, to }) ?? "",
        /is not an asset .*--assets\): USDC, WETH, 0x1/,
        to
      )
    }
    assert.match(check(only, "vaultTrade", { ...order, from: "DAI" }) ?? "", /^DAI is not an asset/)
    assert.match(check(only, "vaultTrade", { ...order, to: ["WETH"] }) ?? "", /to must be a symbol or an address/)
    assert.match(check(only, "setBot", { pool, pair: "WBTC-USDC" }) ?? "", /^WBTC is not an asset/)
    for (const pair of ["WETH", "WETH-USDC-WBTC", 1]) {
      assert.match(check(only, "setBot", { pool, pair }) ?? "", /pair must be two symbols/)
    }
    const position = { pool, asset1: "WETH", asset2: "USDC", token_id: "1" }
    assert.match(check(only, "removeLiquidity", { ...position, output_asset: "DAI" }) ?? "", /^DAI is not an asset/)
  })

  it("to assets offers no change that buys what its arguments do not name, and everything that ends one", () => {
    const names = offered({ ...free, assets: new Set(["USDC"]) }).map(({ name }) => name)
    assert.includeMembers(names, ["vaultTrade", "tradeGroup", "lend", "addLiquidity", "setBot", "placeOrder"])
    assert.includeMembers(names, ["cancelOrder", "deleteBot", "pauseBot", "pauseWallet", "cancelPerpetualOrder"])
    const unbounded = ["setIndexBot", "rebalancePool", "setStrategyBot", "setFollower", "setGuardian"]
    for (const name of [...unbounded, "placePerpetualOrder", "enableAsset", "amendOrder", "setVaultGroup"]) {
      assert.notInclude(names, name)
    }
    assert.includeMembers(offered(free).map(({ name }) => name), unbounded)
  })

  it("bounds orders in USD, and accepts no order of another size where the endpoint takes USD", () => {
    const bounded = { maxUsd: 500 }
    const order = { pool, coin: "ETH", side: "long" }
    assert.isUndefined(check(bounded, "placePerpetualOrder", { ...order, usd: "500" }))
    assert.isUndefined(check(bounded, "placePerpetualOrder", { ...order, usd: 4.9e2 }))
    assert.match(check(bounded, "placePerpetualOrder", { ...order, usd: "500.01" }) ?? "", /above 500 USD/)
    assert.match(check(bounded, "placePerpetualOrder", { ...order, usd: "1e9" }) ?? "", /above 500 USD/)
    assert.match(check(bounded, "placePerpetualOrder", { ...order, size: "9" }) ?? "", /usd is required/)
    assert.match(check(bounded, "placePerpetualOrder", { ...order, usd: "1", size: "9" }) ?? "", /size would win/)
    assert.match(check(bounded, "placePerpetualOrder", { ...order, usd: ["1"] }) ?? "", /usd is required/)
    assert.match(check(bounded, "setBot", { network: "base", pool, pair: "WETH-USDC", side: "long" }) ?? "", /max_usd/)
    assert.isUndefined(check(bounded, "vaultTrade", { pool, from: "USDC", to: "WETH", amount: "1000" }))
  })
})
