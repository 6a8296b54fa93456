import { assert, it as plain } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NetworkBook, SupportedAsset } from "@vault-trader/core/chain/NetworkConfig"
import { Token } from "@vault-trader/core/chain/Token"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { encodeAbiParameters, parseAbiParameters, toFunctionSelector } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import type { Reads, Results } from "../../src/chain/Contract.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as PositionDetails from "../../src/vault/PositionDetails.ts"
import { lending, lendingSuite } from "../lending/TestLending.ts"
import { liquidity } from "../liquidity/TestLiquidity.ts"

lendingSuite("the lines of a composition", (it) => {
  it.effect("are named after their market, or their pair and fee, also while a guard does not value them", () =>
    Effect.gen(function*() {
      const { add, entry, manager, reader, setPrice } = yield* liquidity
      const named = Effect.map(
        reader.composition,
        ({ holdings }) =>
          Object.fromEntries(
            holdings.filter(({ asset_type }) => asset_type !== 0).map((line) => [line.asset, line.label])
          )
      )
      const markets = {
        [entry.aaveV3!.pool]: "Aave V3 account",
        [entry.comets["USDC"]!]: "Compound V3 USDC",
        [entry.fTokens["USDC"]!]: "Fluid USDC",
        [entry.fTokens["WETH"]!]: "Fluid WETH"
      }
      assert.deepStrictEqual(yield* named, { ...markets, [manager]: "Uniswap V3 positions" })

      const first = yield* add({ amount: "2000", fee: 500, lower: "2500", upper: "3600" })
      const one = first.result.token_id!
      const pair = entry.tokens["WETH"]!.address < entry.tokens["USDC"]!.address ? "WETH/USDC" : "USDC/WETH"
      const label = `Uniswap V3 position #${one} ${pair} 0.05 %`
      assert.deepStrictEqual(yield* named, { ...markets, [manager]: label })
      const line = (yield* reader.composition).holdings.find(({ asset }) => asset === manager)!
      const [position] = line.positions
      const [low, high] = [Number(position?.lower_price), Number(position?.upper_price)]
      const [lower, upper] = pair === "WETH/USDC" ? [low, high] : [1 / high, 1 / low]
      assert.approximately(lower, 2500, 15)
      assert.approximately(upper, 3600, 20)
      assert.deepInclude({ ...position }, {
        token_id: one.toString(),
        label,
        fee: 0.05,
        tick_spacing: null,
        liquidity: first.result.liquidity!.toString(),
        staked: false
      })
      assert.deepInclude({ ...line }, { symbol: "POSITION", kind: "position", asset_type: 7, reason: null })

      const two = (yield* add({ amount: "1000", fee: 3000 })).result.token_id!
      assert.deepStrictEqual((yield* named)[manager], `Uniswap V3 positions #${one}, #${two}`)
      const open = (yield* reader.composition).holdings.find(({ asset }) => asset === manager)!.positions[1]
      assert.deepInclude({ ...open }, { fee: 0.3, lower_price: null, upper_price: null })

      yield* setPrice("WETH", 3100)
      const unknown = (yield* reader.composition).holdings.find(({ asset }) => asset === manager)!
      assert.deepInclude({ ...unknown }, {
        amount: null,
        value_usd: null,
        reason: "the vault platform does not value it now (Uni v3 LP price mismatch)",
        label: `Uniswap V3 positions #${one}, #${two}`
      })
      assert.lengthOf(unknown.positions, 2)
    }))

  it.effect("keep their value when a lender's position has one", () =>
    Effect.gen(function*() {
      const { does, entry, reader } = yield* lending()
      yield* does("lend", "USDC", { amount: "100" })
      const line = (yield* reader.composition).holdings.find(({ asset }) => asset === entry.aaveV3!.pool)!
      assert.approximately(line.value_usd ?? 0, 100, 0.001)
      assert.deepInclude({ ...line }, { label: "Aave V3 account", asset_type: 8, positions: [] })
    }))
})

const address = (end: string): Address => `0x${end.padStart(40, "0")}`
const [pool, guard, manager, weth, usdc, gauge] = [
  address("1"),
  address("2"),
  address("3"),
  address("4"),
  address("5"),
  address("6")
] as const

/** A chain whose contracts return these values by selector, and counts its calls. */
const chainOf = (network: "base" | "optimism", answers: (selector: Hex, to: Address, data: Hex) => Hex | undefined) => {
  let calls = 0
  const chain = {
    book: NetworkBook.make({
      network,
      chainId: 1,
      rpcUrls: ["http://none.invalid"],
      confirmations: 1,
      finalityDepth: 1,
      blockPollMillis: 100,
      platformFactory: address("f"),
      multicall3: address("c"),
      wrappedNative: weth,
      tokens: [],
      assets: [SupportedAsset.make({ name: "Aerodrome VARIABLE WETH/USDC", address: gauge, type: 25 })]
    }),
    readAll: <const R extends Reads>(reads: R) =>
      Effect.sync(() => {
        calls += 1
        return reads.map(({ data, decode, to }) => {
          const answer = answers(data.slice(0, 10) as Hex, to, data)
          return answer === undefined
            ? Result.fail({ data: undefined, reason: "reverted" })
            : Result.mapError(decode(answer), (reason) => ({ data: undefined, reason }))
        }) as unknown as Results<R>
      })
  } as unknown as ChainClient
  const tokens = new Map([
    [weth, Token.make({ address: weth, symbol: "WETH", decimals: 18 })],
    [usdc, Token.make({ address: usdc, symbol: "USDC", decimals: 6 })]
  ])
  const at = (_: unknown, addresses: ReadonlyArray<Address>) =>
    Effect.succeed(addresses.map((each) => tokens.get(each)))
  return {
    chain,
    calls: () => calls,
    details: PositionDetails.make({
      network,
      pool,
      chain,
      tokens: { at, resolve: () => Effect.die(new Error("not needed")) }
    })
  }
}

const collection = (type: number) => ({ asset: manager, type, token: undefined, balance: 1n })
const word = (text: string): Hex => `0x${text.replace(/^0x/, "").padStart(64, "0")}`

/** A manager with the position 5 of WETH and USDC, which this address owns. */
const holding = (owner: Address, ids: () => ReadonlyArray<bigint> = () => [5n]) => (selector: Hex): Hex | undefined =>
  ({
    [toFunctionSelector("getContractGuard(address)")]: word(guard),
    [toFunctionSelector("getOwnedTokenIds(address)")]: encodeAbiParameters(parseAbiParameters("uint256[]"), [ids()]),
    [toFunctionSelector("ownerOf(uint256)")]: word(owner),
    [toFunctionSelector("positions(uint256)")]: encodeAbiParameters(
      parseAbiParameters(
        "uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128"
      ),
      [0n, pool, weth, usdc, 100, -200_000, 887_200, 77n, 0n, 0n, 0n, 0n]
    )
  })[selector]

plain.effect(
  "distinguish pools by tick spacing where the exchange does, and name it as its network does",
  () =>
    Effect.gen(function*() {
      for (const [network, name] of [["base", "Aerodrome"], ["optimism", "Velodrome"]] as const) {
        const found = (yield* chainOf(network, holding(pool)).details([collection(26)])).get(manager)
        assert.strictEqual(found?.label, `${name} CL position #5 WETH/USDC tick spacing 100`)
        assert.deepStrictEqual(found?.positions.map((each) => ({ ...each })), [{
          token_id: "5",
          label: `${name} CL position #5 WETH/USDC tick spacing 100`,
          token0: weth,
          token1: usdc,
          fee: null,
          tick_spacing: 100,
          tick_lower: -200_000,
          tick_upper: 887_200,
          lower_price: 2063.2157,
          upper_price: null,
          liquidity: "77",
          staked: false
        }])
      }
    })
)

plain.effect(
  "say that a position is staked, and leave out a token of Uniswap's that the vault has lost",
  () =>
    Effect.gen(function*() {
      const staked = (yield* chainOf("base", holding(gauge)).details([collection(31)])).get(manager)
      assert.strictEqual(staked?.label, "Pancake CL position #5 WETH/USDC 0.01 %, staked")
      const lost = (yield* chainOf("base", holding(gauge)).details([collection(7)])).get(manager)
      assert.deepStrictEqual({ ...lost }, { label: "Uniswap V3 positions", positions: [] })
    })
)

plain.effect(
  "take one call once the position tokens are known, and none for a vault without any",
  () =>
    Effect.gen(function*() {
      let ids = [5n]
      const { calls, details } = chainOf("base", holding(pool, () => ids))
      yield* details([collection(7)])
      const before = calls()
      yield* details([collection(7)])
      assert.strictEqual(calls() - before, 1)
      ids = [5n, 6n]
      assert.lengthOf((yield* details([collection(7)])).get(manager)?.positions ?? [], 2)
      const without = calls()
      yield* details([{ ...collection(7), balance: 0n }, { asset: weth, type: 0, token: undefined, balance: 1n }])
      assert.strictEqual(calls(), without)
    })
)

plain.effect(
  "have the name of their type, or the published one, where a contract or the node does not answer",
  () =>
    Effect.gen(function*() {
      const lines = [
        collection(7),
        { asset: weth, type: 28, token: Token.make({ address: weth, symbol: "cWETHv3", decimals: 18 }), balance: 1n },
        { asset: gauge, type: 25, token: Token.make({ address: gauge, symbol: "vAMM", decimals: 18 }), balance: 1n },
        { asset: usdc, type: 77, token: undefined, balance: 1n },
        { asset: guard, type: 39, token: undefined, balance: 1n },
        { asset: pool, type: null, token: undefined, balance: 1n }
      ]
      const expected = [
        "Uniswap V3 positions",
        "cWETHv3",
        "Aerodrome VARIABLE WETH/USDC",
        "position of type 77",
        "Hyperliquid perpetuals account",
        "position of type unknown"
      ]
      const silent = chainOf("base", () => undefined)
      const labels = (found: ReadonlyMap<Address, PositionDetails.LineDetails>) =>
        lines.map(({ asset }) => found.get(asset)?.label)
      assert.deepStrictEqual(labels(yield* silent.details(lines)), expected)
      const down = PositionDetails.make({
        network: "base",
        pool,
        chain: { ...silent.chain, readAll: () => new RpcUnavailable({ network: "base", reason: "timeout" }) },
        tokens: { at: () => Effect.succeed([]), resolve: () => Effect.die(new Error("not needed")) }
      })
      assert.deepStrictEqual(labels(yield* down(lines)), expected)
    })
)

plain.effect("stay few at a node that returns endless position tokens", () =>
  Effect.gen(function*() {
    const ids = Array.from({ length: 500 }, (_, index) => BigInt(index))
    const { details } = chainOf("base", holding(pool, () => ids))
    assert.lengthOf((yield* details([collection(7)])).get(manager)?.positions ?? [], 20)
  }))
