import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook, SupportedAsset } from "@vault-trader/core/chain/NetworkConfig"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { AddressResult } from "@vault-trader/devnet/contract/Deployer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAbi, zeroAddress } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as VaultReader from "../../src/vault/VaultReader.ts"
import { network, TestDevnet, testVault } from "./TestVault.ts"

/** The platform's own answer, read without the code under test. */
const Fund = Schema.Tuple([
  Schema.Array(Schema.Struct({ asset: AddressResult, isDeposit: Schema.Boolean })),
  Schema.Array(Schema.BigInt),
  Schema.Array(Schema.BigInt)
])

const reading = Effect.map(testVault, (vault) => ({
  ...vault,
  readerOf: (pool: Address, chain: ChainClient = vault.chain) => VaultReader.make({ network, pool, chain }),
  fund: vault.read(vault.poolManagerLogic, vault.own.PoolManagerLogic.abi, Fund, "getFundComposition")
}))

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("a vault that is read", (it) => {
  it.effect("returns its manager and trader in lower case, and that nothing is paused", () =>
    Effect.gen(function*() {
      const { manager, pool, poolManagerLogic, reader, trader } = yield* reading
      assert.deepStrictEqual({ ...(yield* reader.state).facts }, {
        pool,
        managerLogic: poolManagerLogic,
        manager,
        trader,
        paused: false,
        traderChangesAssets: true
      })
    }))

  it.effect("returns a changed trader at once, and null without one", () =>
    Effect.gen(function*() {
      const { asManager, devnet, pool, reader, stranger, trader } = yield* reading
      assert.strictEqual((yield* reader.state).facts.trader, trader)
      yield* devnet.setTrader({ network, pool, trader: stranger })
      assert.strictEqual((yield* reader.state).facts.trader, stranger)
      yield* asManager("removeTrader")
      assert.isNull((yield* reader.state).facts.trader)
    }))

  it.effect("is paused when its trading or the platform is, but not when only its shares are", () =>
    Effect.gen(function*() {
      const { asOwner, pool, reader } = yield* reading
      const paused = Effect.map(reader.state, ({ facts }) => facts.paused)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: true, pauseTrading: false }])
      assert.isFalse(yield* paused)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: true }])
      assert.isTrue(yield* paused)
      yield* asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: false }])
      yield* asOwner("pause")
      assert.isTrue(yield* paused)
      yield* asOwner("unpause")
      assert.isFalse(yield* paused)
    }))

  it.effect("lists its enabled assets as tokens, and no others", () =>
    Effect.gen(function*() {
      const { reader, token } = yield* reading
      const expected = ["USDC", "WETH", "WBTC", "DAI", "LINK", "ETHBEAR1X"].map(token)
      assert.deepStrictEqual((yield* reader.state).assets, expected)
    }))

  it.effect("lists no asset that the platform publishes as a position, although it is an ERC-20", () =>
    Effect.gen(function*() {
      const { chain, pool, readerOf, token } = yield* reading
      const assets = [
        SupportedAsset.make({ name: "Velodrome LINK/DAI", address: token("LINK").address, type: 25 }),
        SupportedAsset.make({ name: "Dai", address: token("DAI").address, type: 0 })
      ]
      const reader = yield* readerOf(pool, { ...chain, book: NetworkBook.make({ ...chain.book, assets }) })
      const symbols = (yield* reader.state).assets.map(({ symbol }) => symbol)
      assert.deepStrictEqual(symbols, ["USDC", "WETH", "WBTC", "DAI", "ETHBEAR1X"])
    }))

  it.effect("is not a vault when it is an account, a token, the platform itself or an unused address", () =>
    Effect.gen(function*() {
      const { entry, poolManagerLogic, readerOf, stranger, token } = yield* reading
      for (const pool of [stranger, token("USDC").address, entry.factory, poolManagerLogic, zeroAddress]) {
        const reader = yield* readerOf(pool)
        const none = new ValidationFailure({
          code: "1004",
          message: `pool: ${pool} is not a vault of the platform on ${network}`
        })
        assert.deepStrictEqual(yield* Effect.flip(reader.state), none)
        assert.deepStrictEqual(yield* Effect.flip(reader.composition), none)
      }
    }))

  it.effect("is not a vault when another platform created it", () =>
    Effect.gen(function*() {
      const { deployer, entry, own, pool, readerOf, chain } = yield* reading
      const contract = yield* deployer.deploy(own.PoolFactory, entry.factory, entry.factory)
      const reader = yield* readerOf(pool, { ...chain, book: { ...chain.book, platformFactory: contract.address } })
      const failure = yield* Effect.flip(reader.state)
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1004")
    }))

  it.effect("is found once it exists, although it was read before", () =>
    Effect.gen(function*() {
      const { asOwner, entry, manager, own, read, readerOf, rpc, token } = yield* reading
      const assets = [{ asset: token("USDC").address, isDeposit: true }]
      const create = asOwner("createFund", false, manager, "Manager", "Second", "TWO", 0n, 0n, 0n, 0n, assets)
      const funds = read(entry.factory, own.PoolFactory.abi, Schema.Array(AddressResult), "getDeployedFunds")
      // Created and undone, only to learn its address.
      const before = yield* rpc.snapshot
      yield* create
      const pool = (yield* funds).at(-1)!
      yield* rpc.revert(before)
      const reader = yield* readerOf(pool)
      assert.strictEqual((yield* Effect.flip(reader.state))._tag, "ValidationFailure")
      yield* create
      assert.deepInclude({ ...(yield* reader.state).facts }, { pool, manager, trader: null })
    }))

  it.effect("has exactly the platform's composition, at the block it names", () =>
    Effect.gen(function*() {
      const { devnet, fund, pool, reader, rpc } = yield* reading
      yield* devnet.mintToken({ network, symbol: "WBTC", address: pool, amount: 123_456_789n })
      yield* devnet.mintToken({ network, symbol: "LINK", address: pool, amount: 1n })
      const { block, holdings, totalValueUsd } = yield* reader.composition
      assert.strictEqual(BigInt(block), yield* rpc.blockNumber)
      const [assets, balances, rates] = yield* fund
      const decimals = new Map((yield* reader.state).assets.map((token) => [token.address, token.decimals]))
      assert.deepStrictEqual(
        holdings.map(({ amount, asset, isDeposit, price }) => ({ amount, asset, isDeposit, price })),
        assets.map(({ asset, isDeposit }, index) => ({
          amount: Quantity.format(balances[index]!, decimals.get(asset)!),
          asset,
          isDeposit,
          price: Quantity.usd(rates[index]!)
        }))
      )
      assert.deepStrictEqual(
        holdings.map(({ assetPair, kind, symbol, value_usd }) => [symbol, assetPair, kind, value_usd]),
        [
          ["USDC", "USDC-USD", "token", 100_000],
          ["WETH", "WETH-USD", "token", 30_000],
          ["WBTC", "WBTC-USD", "token", 74_074.0734],
          ["DAI", "DAI-USD", "token", 0],
          ["LINK", "LINK-USD", "token", 0],
          ["ETHBEAR1X", "ETHBEAR1X-USD", "token", 0]
        ]
      )
      assert.strictEqual(totalValueUsd, 204_074.0734)
    }))

  it.effect("has the platform's total value", () =>
    Effect.gen(function*() {
      const { own, poolManagerLogic, read, reader, setPrice } = yield* reading
      yield* setPrice("WETH", 3123.456789)
      const total = yield* read(poolManagerLogic, own.PoolManagerLogic.abi, Schema.BigInt, "totalFundValue")
      assert.strictEqual((yield* reader.composition).totalValueUsd, Quantity.usd(total))
    }))

  it.effect("is read line by line when one price is stale: that line and the total have no value, the others do", () =>
    Effect.gen(function*() {
      const { expirePrice, fund, reader } = yield* reading
      const before = yield* reader.composition
      yield* expirePrice("WBTC")
      assert.strictEqual((yield* Effect.flip(fund))._tag, "RpcRefused", "the platform's own answer fails as a whole")
      const after = yield* reader.composition
      assert.isNull(after.totalValueUsd)
      assert.deepStrictEqual(
        after.holdings.map((holding) => ({ ...holding })),
        before.holdings.map((holding) =>
          holding.symbol === "WBTC"
            ? {
              ...holding,
              price: null,
              value_usd: null,
              reason: "the vault's oracle has no fresh price for it (Chainlink price expired)"
            }
            : { ...holding }
        )
      )
      assert.isAbove(after.block, before.block)
    }))

  it.effect("has no value while a guard refuses to value one position: that line and the total are unknown, the others are not", () =>
    Effect.gen(function*() {
      const { asManager, asOwner, deployer, entry, own, pool, poolManagerLogic, read, reader, rpc, send, owner } =
        yield* reading
      const total = read(poolManagerLogic, own.PoolManagerLogic.abi, Schema.BigInt, "totalFundValue")
      // Aave's own pool, with a deposit on the vault's behalf.
      const lender = entry.aaveV3?.pool ?? "0x"
      const dai = entry.tokens["DAI"]?.address ?? "0x"
      yield* asManager("changeAssets", [{ asset: lender, isDeposit: false }], [])
      yield* deployer.send({ address: dai, abi: own.DevToken.abi }, "mint", owner, 60_000n * 10n ** 18n)
      yield* send(owner, dai, own.DevToken.abi, "approve", lender, 60_000n * 10n ** 18n)
      const supplyAbi = parseAbi([
        "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)"
      ])
      yield* send(owner, lender, supplyAbi, "supply", dai, 60_000n * 10n ** 18n, pool, 0)
      const before = yield* reader.composition
      assert.strictEqual(before.totalValueUsd, Quantity.usd(yield* total))
      assert.approximately(before.totalValueUsd ?? 0, 190_000, 1)

      yield* send(owner, entry.feeds["DAI"] ?? "0x", own.DevAggregator.abi, "setFrozenTime", true)
      yield* asOwner("setChainlinkTimeout", 0n)
      yield* rpc.increaseTime(2)
      yield* rpc.mine
      assert.strictEqual((yield* Effect.flip(total))._tag, "RpcRefused", "the platform's own total fails as a whole")
      const after = yield* reader.composition
      const line = after.holdings.find(({ asset }) => asset === lender)!
      assert.deepInclude({ ...line }, {
        kind: "position",
        amount: null,
        price: null,
        value_usd: null,
        reason: "the vault platform does not value it now (Chainlink price expired)"
      })
      assert.isNull(after.totalValueUsd)
      assert.deepStrictEqual(
        after.holdings.filter(({ reason }) => reason === null).map((holding) => ({ ...holding })),
        before.holdings.filter(({ asset, symbol }) => asset !== lender && symbol !== "DAI").map((holding) => ({
          ...holding
        }))
      )

      yield* asOwner("setChainlinkTimeout", 90_000n)
      const again = yield* reader.composition
      assert.strictEqual(again.totalValueUsd, Quantity.usd(yield* total))
      assert.isTrue(again.holdings.every(({ reason }) => reason === null))
    }))

  it.effect("fails, and is not unknown, when the node does not answer", () =>
    Effect.gen(function*() {
      const { chain, pool, reader, readerOf } = yield* reading
      yield* reader.composition
      const down = yield* readerOf(pool, {
        ...chain,
        readAll: () => new RpcUnavailable({ network, reason: "timeout" })
      })
      const failure = yield* Effect.flip(down.composition)
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure._tag, "rpc_unavailable")
    }))

  it.effect("counts a position in the decimals its guard says, and a reward token as the token it is", () =>
    Effect.gen(function*() {
      const { asManager, asOwner, deployer, entry, own, pool, poolManagerLogic, read, reader } = yield* reading
      const [account, reward] = [39, 200]
      const tokenGuard = yield* read(entry.factory, own.PoolFactory.abi, AddressResult, "assetGuards", 0)
      const list = (type: number, asset: Address) =>
        Effect.gen(function*() {
          yield* asOwner("setAssetGuard", type, tokenGuard)
          yield* asOwner("addAsset", asset, type, entry.feeds["DAI"])
          yield* asManager("changeAssets", [{ asset, isDeposit: false }], [])
        })
      const perpetuals = yield* deployer.deploy(own.DevToken, "Account", "ACC", 6)
      yield* list(account, perpetuals.address)
      yield* deployer.send(perpetuals, "mint", pool, 1_234_500_000n)
      const aero = yield* deployer.deploy(own.DevToken, "Reward", "AERO", 18)
      yield* list(reward, aero.address)
      yield* deployer.send(aero, "mint", pool, 10n ** 18n)
      const { holdings, totalValueUsd } = yield* reader.composition
      const shown = holdings.slice(-2).map(({ amount, asset, kind, price, reason, symbol, value_usd }) => ({
        amount,
        asset,
        kind,
        price,
        reason,
        symbol,
        value_usd
      }))
      assert.deepStrictEqual(shown, [
        {
          amount: "1234.5",
          asset: perpetuals.address,
          kind: "position",
          price: 1,
          reason: null,
          symbol: "ACC",
          value_usd: 1234.5
        },
        { amount: "1", asset: aero.address, kind: "token", price: 1, reason: null, symbol: "AERO", value_usd: 1 }
      ])
      const total = yield* read(poolManagerLogic, own.PoolManagerLogic.abi, Schema.BigInt, "totalFundValue")
      assert.strictEqual(totalValueUsd, Quantity.usd(total))

      // A type this service does not know, of a contract that is not a token: its guard cannot count it, so it is not 0
      // either.
      const nameless = yield* deployer.deploy(own.ClosedContractGuard)
      yield* list(77, nameless.address)
      const after = yield* reader.composition
      assert.deepInclude({ ...after.holdings.at(-1)! }, {
        asset: nameless.address,
        symbol: "POSITION",
        kind: "position",
        amount: null,
        value_usd: null
      })
      assert.isNull(after.totalValueUsd)
      assert.notInclude((yield* reader.state).assets.map(({ address }) => address), nameless.address)
    }))
})
