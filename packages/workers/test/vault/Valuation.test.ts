import { assert, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { altered, multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { concatHex, encodeAbiParameters, parseAbiParameters, toFunctionSelector } from "viem"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import * as VaultReader from "../../src/vault/VaultReader.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"

const network = "base"
const manager: Address = "0x00000000000000000000000000000000000000f1"
const balanceOf = toFunctionSelector("assetBalance(address)")
const decimalOf = toFunctionSelector("assetDecimal(address)")
const valueOf = toFunctionSelector("assetValue(address)")
const priceOf = toFunctionSelector("getAssetPrice(address)")
const typeOf = toFunctionSelector("getAssetType(address)")
const listOf = toFunctionSelector("getSupportedAssets()")

const revert = (says: string): Hex =>
  concatHex(["0x08c379a0", encodeAbiParameters(parseAbiParameters("string"), [says])])

/** A vault of 1,000 USDC, 1 WETH and 0 WBTC on a chain of its own, as it is read through these nodes. */
const reading = (
  nodes: (chain: TestChain.TestChain) => ReadonlyArray<Request> = ({ request }) => [request],
  assets: ReadonlyArray<string> = ["USDC", "WETH", "WBTC"]
) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network })
    for (const symbol of assets.filter((each) => each.startsWith("T"))) {
      yield* chain.addToken({ symbol, decimals: 18, price: 2n * 10n ** 18n, assetType: 77 })
    }
    const { pool } = yield* chain.createVault({
      assets: [...assets],
      holdings: {
        USDC: 1_000_000_000n,
        WETH: 10n ** 18n,
        ...Object.fromEntries(assets.filter((each) => each.startsWith("T")).map((symbol) => [symbol, 10n ** 18n]))
      },
      manager
    })
    yield* chain.mine(2)
    let calls = 0
    const client = yield* clientOver(
      chain,
      nodes(chain).map((request, index) =>
        endpointOf(`rpc${index}.invalid`, (method, params) => {
          if (method === "eth_call") calls += 1
          return request(method, params)
        }, 50 + index)
      )
    )
    const services = Tokens.layer.pipe(
      Layer.provide(Layer.succeed(Chains, { networks: [network], get: () => Effect.succeed(client) }))
    )
    const reader = yield* Effect.provide(VaultReader.make({ network, pool, chain: client }), services)
    const lines = Effect.map(reader.lines, (all) =>
      Object.fromEntries(
        all.map((
          { balance, isPosition, label, rate, reason, value }
        ) => [label, { balance, isPosition, rate, reason, value }])
      ))
    return { chain, lines, pool, reader, calls: Effect.sync(() => calls), address: chain.token }
  })

it.effect("takes one call, and one more when the vault's assets have changed", () =>
  Effect.gen(function*() {
    const { calls, chain, lines, pool, reader } = yield* reading()
    yield* reader.composition
    const before = yield* calls
    assert.strictEqual((yield* reader.composition).totalValueUsd, 4_000)
    assert.strictEqual((yield* calls) - before, 1)
    yield* chain.enableAsset(pool, "DAI")
    yield* chain.mine()
    assert.hasAllKeys(yield* lines, ["USDC", "WETH", "WBTC", "DAI"])
    // The second one, and one for the symbol of the new asset.
    assert.strictEqual((yield* calls) - before, 4)
    yield* chain.disableAsset(pool, "WETH")
    yield* chain.mine()
    assert.strictEqual((yield* reader.composition).totalValueUsd, 1_000)
  }))

it.effect("values many assets of a type that governance has added since, by asking their contracts", () =>
  Effect.gen(function*() {
    const many = ["USDC", ...Array.from({ length: 60 }, (_, index) => `T${index}`)]
    const { reader } = yield* reading(({ request }) => [request], many)
    const { holdings, totalValueUsd } = yield* reader.composition
    assert.deepStrictEqual(holdings.map(({ symbol }) => symbol), many)
    assert.strictEqual(totalValueUsd, 1_120)
    assert.deepInclude({ ...holdings.at(-1)! }, {
      kind: "token",
      asset_type: 77,
      label: "T59",
      amount: "1",
      price: 2,
      value_usd: 2,
      reason: null,
      positions: []
    })
  }))

it.effect("does not know the value of an asset with a stale feed, nor the total", () =>
  Effect.gen(function*() {
    const { chain, lines, reader } = yield* reading()
    yield* chain.setPrice("WETH", 3_000, -1_000_000n)
    yield* chain.mine()
    assert.deepStrictEqual((yield* lines)["WETH"], {
      balance: 10n ** 18n,
      isPosition: false,
      rate: null,
      reason: "the vault's oracle has no fresh price for it (Chainlink price expired)",
      value: null
    })
    assert.isNull((yield* reader.composition).totalValueUsd)
    assert.strictEqual((yield* lines)["USDC"]?.value, 1_000n * 10n ** 18n)
  }))

const weth = (chain: TestChain.TestChain) => chain.token("WETH").slice(2)
for (
  const [what, selector, reason] of [
    ["balance", balanceOf, "the vault platform does not value it now (no word)"],
    ["price", priceOf, "the vault's oracle has no fresh price for it (no word)"],
    ["decimals", decimalOf, "the vault platform does not return its decimals (no word)"],
    ["value", valueOf, "the vault platform does not value it now (no word)"]
  ] as const
) {
  it.effect(`does not know a value whose ${what} reverts, and says the guard's word`, () =>
    Effect.gen(function*() {
      const { lines, reader } = yield* reading((chain) => [
        altered(chain.request, ({ data }) =>
          data.startsWith(selector) && data.endsWith(weth(chain))
            ? { success: false, returnData: revert("no word") }
            : undefined)
      ])
      const line = Object.entries(yield* lines).find(([label]) => label.startsWith("WETH"))?.[1]
      assert.strictEqual(line?.reason, reason)
      assert.isNull(line?.value)
      assert.isNull((yield* reader.composition).totalValueUsd)
      assert.strictEqual((yield* lines)["USDC"]?.reason, null)
    }))
}

it.effect("does not trade an asset whose type the platform does not return", () =>
  Effect.gen(function*() {
    const { reader } = yield* reading((chain) => [
      altered(chain.request, ({ data }) =>
        data.startsWith(typeOf) && data.endsWith(weth(chain)) ? { success: false, returnData: "0x" } : undefined)
    ])
    const line = (yield* reader.lines)[1]!
    assert.isTrue(line.isPosition)
    assert.strictEqual(line.value, 3_000n * 10n ** 18n)
    assert.deepInclude({ ...(yield* reader.composition).holdings[1]! }, {
      asset_type: null,
      kind: "position",
      value_usd: 3_000
    })
  }))

for (const [what, selectors] of [["balance", [balanceOf]], ["price", [priceOf]], ["value", [valueOf]]] as const) {
  it.effect(`does not believe a node whose ${what} contradicts the other two`, () =>
    Effect.gen(function*() {
      const { lines, reader } = yield* reading((chain) => [
        altered(chain.request, multiplied(selectors, chain.token("WETH"), 2n))
      ])
      assert.deepInclude((yield* lines)["WETH"], {
        rate: null,
        value: null,
        reason: "the vault platform's value of it is not its balance at the oracle's price"
      })
      assert.isNull((yield* reader.composition).totalValueUsd)
    }))
}

it.effect("confirms by a second endpoint, so that a lie without contradiction decides nothing", () =>
  Effect.gen(function*() {
    const lie = (chain: TestChain.TestChain) =>
      altered(chain.request, multiplied([priceOf, valueOf], chain.token("WETH"), 2n))
    const { lines, reader } = yield* reading((chain) => [lie(chain), chain.request])
    assert.strictEqual((yield* lines)["WETH"]?.value, 6_000n * 10n ** 18n, "one endpoint alone can lie")
    const failure = yield* Effect.flip(reader.confirmedLines)
    assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure._tag, "rpc_unavailable")
    assert.include(failure.message, "the network's RPC endpoints contradict each other")
    assert.isTrue(reader.needsConfirmation)
    const honest = yield* reading((chain) => [chain.request, chain.request])
    assert.deepStrictEqual(yield* honest.reader.confirmedLines, yield* honest.reader.lines)
  }))

it.effect("fails, and does not run on, at a node whose list of assets differs every time or never ends", () =>
  Effect.gen(function*() {
    const list = (assets: ReadonlyArray<Address>): Hex =>
      encodeAbiParameters(parseAbiParameters("(address asset, bool isDeposit)[]"), [
        assets.map((asset) => ({ asset, isDeposit: false }))
      ])
    const listing = (next: () => ReadonlyArray<Address>) => (chain: TestChain.TestChain) => [
      altered(chain.request, ({ data }) => data === listOf ? { success: true, returnData: list(next()) } : undefined)
    ]
    const numbered = (number: number): Address => `0x${number.toString(16).padStart(40, "0")}`
    let turn = 0
    const changing = yield* reading(listing(() => [numbered(++turn)]))
    const endless = yield* reading(listing(() => Array.from({ length: 1_000 }, (_, index) => numbered(index + 1))))
    for (const { reader } of [changing, endless]) {
      const failure = yield* Effect.flip(reader.lines)
      assert.include(failure.message, "list of the vault's assets is too long or differs every time")
    }
    assert.isAtMost(yield* changing.calls, 6)
    assert.isAtMost(yield* endless.calls, 3)
  }))

it.effect("fails at a node that returns fewer results than reads", () =>
  Effect.gen(function*() {
    const { reader } = yield* reading(({ request }) => [
      (method, params) =>
        Effect.map(request(method, params), (answer) =>
          method === "eth_call" ? encodeAbiParameters(parseAbiParameters("(bool, bytes)[]"), [[]]) : answer)
    ])
    const failure = yield* Effect.flip(reader.lines)
    assert.include(failure.message, "another number of results than reads")
  }))
