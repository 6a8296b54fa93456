import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { AaveV3Book, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import { parseAbi } from "viem"
import { dataProviderOf } from "../../src/lending/AaveV3Contracts.ts"
import * as LendingAccount from "../../src/lending/LendingAccount.ts"
import { approval, network, refusal, refuseChangedAllowances } from "../vault/TestVault.ts"
import { ether, lending, lendingSuite, usdc } from "./TestLending.ts"

const pauseAbi = parseAbi([
  "function pause(bool supply, bool transfer, bool withdraw, bool absorb, bool buy)",
  "function setOpen(bool isOpen)"
])

lendingSuite("lending", (it) => {
  it.effect("supplies a share of the vault's balance to lenderA, approved for exactly that in the same transaction", () =>
    Effect.gen(function*() {
      const { allowanceOf, does, held, lenderA, supplied, token } = yield* lending()
      const { calls, message, planned, result, worth } = yield* does("lend", "USDC", { share: 25 })
      assert.lengthOf(calls, 2)
      assert.strictEqual(yield* held("USDC"), 75_000n * usdc)
      assert.strictEqual(yield* supplied("USDC"), 25_000n * usdc)
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
      assert.strictEqual(message, "Supplied 25000 USDC to lenderA.")
      assert.deepStrictEqual({ ...result.supplied }, {
        asset: token("USDC").address,
        symbol: "USDC",
        amount: "25000",
        raw: "25000000000"
      })
      assert.deepStrictEqual(result, planned)
      assert.deepStrictEqual([result.lender, result.market, result.projected_health_factor], [
        "lenderA",
        lenderA,
        "infinity"
      ])
      assert.strictEqual(worth, 25_000n * ether)
    }))

  it.effect("takes an amount in human units, the share when both are given, and everything when neither is", () =>
    Effect.gen(function*() {
      const { does, supplied } = yield* lending()
      yield* does("lend", "weth", { amount: "1.5" })
      assert.strictEqual(yield* supplied("WETH"), 3n * ether / 2n)
      yield* does("lend", "DAI", { share: 50, amount: "1" }).pipe(Effect.flip)
      const { result } = yield* does("lend", "USDC", { share: 10, amount: "1" })
      assert.strictEqual(result.supplied?.amount, "10000")
      assert.strictEqual((yield* does("lend", "USD")).result.supplied?.amount, "90000")
    }))

  it.effect("supplies to lenderB and to lenderC, reported as what left the vault", () =>
    Effect.gen(function*() {
      const { allowanceOf, balanceAt, does, held, lenderB, lenderC } = yield* lending()
      const comet = yield* does("lend", "USDC", { lender: "lenderB", amount: "1000" })
      assert.strictEqual(comet.message, "Supplied 1000 USDC to lenderB.")
      assert.approximately(Number(yield* balanceAt(lenderB)), 1000e6, 1)
      const fToken = yield* does("lend", "USDC", { lender: "lenderC", amount: "2000" })
      assert.strictEqual(fToken.message, "Supplied 2000 USDC to lenderC.")
      assert.isAbove(Number(yield* balanceAt(lenderC("USDC"))), 1900e6)
      assert.strictEqual((yield* does("lend", "WETH", { lender: "lenderC", share: 100 })).result.supplied?.amount, "10")
      assert.strictEqual(yield* held("USDC"), 97_000n * usdc)
      assert.strictEqual(yield* held("WETH"), 0n)
      for (const market of [lenderB, lenderC("USDC")]) assert.strictEqual(yield* allowanceOf("USDC", market), 0n)
      for (const { result } of [comet, fToken]) assert.isNull(result.projected_health_factor)
    }))

  it.effect("uses an existing allowance, and resets one that is too small to zero first", () =>
    Effect.gen(function*() {
      const { allowanceOf, does, execute, held, lenderA, plan, pool, rpc, supplied, token } = yield* lending()
      yield* execute([{ to: token("USDC").address, data: approval(lenderA, 500n * usdc) }])
      assert.lengthOf((yield* plan("lend", "USDC", { amount: "500" })).calls, 1)
      yield* refuseChangedAllowances(rpc, token("USDC").address)
      assert.lengthOf((yield* does("lend", "USDC", { amount: "600" })).calls, 3)
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
      assert.strictEqual(yield* supplied("USDC"), 600n * usdc)
      assert.strictEqual(yield* held("USDC", pool), 99_400n * usdc)
    }))

  it.effect("of more than the vault holds, of zero, and of an asset it does not hold is refused for lack of balance", () =>
    Effect.gen(function*() {
      const { plan } = yield* lending()
      const more = yield* refusal(plan("lend", "USDC", { amount: "100000.000001" }))
      assert.strictEqual(more.errorType, "insufficient_balance")
      assert.strictEqual(
        more.message,
        "The vault holds 100000 USDC, less than the requested 100000.000001 USDC. Nothing was sent."
      )
      assert.strictEqual(
        (yield* refusal(plan("lend", "USDC", { amount: "0.0000001" }))).errorType,
        "insufficient_balance"
      )
      assert.strictEqual(
        (yield* refusal(plan("lend", "DAI"))).message,
        "The vault holds 0 DAI; the requested share rounds to zero. Nothing was sent."
      )
    }))

  it.effect("of an asset the market does not list is refused with those it lists", () =>
    Effect.gen(function*() {
      const { plan } = yield* lending()
      const listed: ReadonlyArray<readonly [LenderName, string, string]> = [
        ["lenderA", "LINK", "USDC, WETH, WBTC, DAI"],
        ["lenderB", "DAI", "USDC, WETH"],
        ["lenderC", "WBTC", "USDC, WETH, DAI"]
      ]
      for (const [lender, asset, list] of listed) {
        const failure = yield* refusal(plan("lend", asset, { lender }))
        assert.strictEqual(failure.errorType, "market_not_available")
        assert.match(
          failure.message,
          new RegExp(`^${lender} does not list ${asset} on optimism\\. Nothing was sent\\. It lists `)
        )
        for (const symbol of list.split(", ")) assert.include(failure.message, symbol)
      }
    }))

  it.effect("resolves lenderA's data provider on chain when the book does not name it", () =>
    Effect.gen(function*() {
      const { book, chain, entry, lenderA, place, plan, pool } = yield* lending()
      const asking = (market: Address) => ({
        ...chain,
        book: NetworkBook.make({ ...book, aaveV3: AaveV3Book.make({ pool: market }) })
      })
      const found = asking(lenderA)
      assert.strictEqual(yield* dataProviderOf(found, found.book.aaveV3!), entry.aaveV3!.poolDataProvider)
      const resolved = yield* plan("lend", "USDC", { amount: "5" }, { ...place, chain: found })
      assert.deepStrictEqual(resolved.details, (yield* plan("lend", "USDC", { amount: "5" })).details)
      const { totalSupplied } = yield* LendingAccount.read(network, found, pool)
      assert.strictEqual(totalSupplied, "0")
      const silent = yield* refusal(plan("lend", "USDC", { amount: "5" }, { ...place, chain: asking(entry.factory) }))
      assert.deepStrictEqual([silent.errorType, silent.message], [
        "market_not_available",
        "lenderA's contracts on optimism do not answer. Nothing was sent."
      ])
    }))

  it.effect("to a market that is not on the network is refused with its name", () =>
    Effect.gen(function*() {
      const { book, chain, place, plan } = yield* lending()
      const { aaveV3: _, ...rest } = book
      const bare = { ...place, chain: { ...chain, book: NetworkBook.make({ ...rest, comets: [], fTokens: [] }) } }
      for (const lender of ["lenderA", "lenderB", "lenderC"] as const) {
        const failure = yield* refusal(plan("lend", "USDC", { lender }, bare))
        assert.strictEqual(failure.errorType, "market_not_available")
        assert.strictEqual(failure.message, `${lender} is not available on optimism. Nothing was sent.`)
      }
    }))

  it.effect("requires market and asset to be enabled in the vault", () =>
    Effect.gen(function*() {
      const { asManager, lenderA, lenderB, lenderC, plan, token } = yield* lending()
      yield* asManager("changeAssets", [], [lenderA, lenderB, lenderC("USDC"), token("DAI").address])
      for (
        const [lender, market] of [["lenderA", lenderA], ["lenderB", lenderB], ["lenderC", lenderC("USDC")]] as const
      ) {
        const failure = yield* refusal(plan("lend", "USDC", { lender }))
        assert.strictEqual(failure.errorType, "asset_not_enabled")
        assert.include(failure.message, market)
      }
      const asset = yield* refusal(plan("lend", "DAI"))
      assert.strictEqual(asset.errorType, "asset_not_enabled")
      assert.match(asset.message, /^DAI \(/)
    }))

  it.effect("is refused while trading is paused, and to a wallet that is not the trader", () =>
    Effect.gen(function*() {
      const { asOwner, place, plan, stranger } = yield* lending()
      const failure = yield* Effect.flip(plan("lend", "USDC", {}, { ...place, wallet: stranger }))
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1006")
      yield* asOwner("pause")
      assert.strictEqual((yield* refusal(plan("lend", "USDC"))).errorType, "vault_paused")
    }))

  it.effect("finds lenderB's and lenderC's market by the asset, among all of the network", () =>
    Effect.gen(function*() {
      const { asManager, balanceAt, does, entry, plan } = yield* lending()
      const [comet, fToken] = [entry.comets["WETH"] ?? "0x", entry.fTokens["DAI"] ?? "0x"] as const
      const notYet = yield* refusal(plan("lend", "WETH", { lender: "lenderB" }))
      assert.strictEqual(notYet.errorType, "asset_not_enabled")
      assert.include(notYet.message, comet)
      assert.include(notYet.message, "trader can enable it with enableAsset")
      yield* asManager("changeAssets", [{ asset: comet, isDeposit: false }], [])
      yield* does("lend", "WETH", { lender: "lenderB", amount: "1" })
      assert.isTrue((yield* balanceAt(comet)) > 0n)
      const full = yield* refusal(plan("lend", "DAI", { lender: "lenderC" }))
      assert.include(full.message, fToken)
    }))

  it.effect("names the manager alone where the trader may not enable a market", () =>
    Effect.gen(function*() {
      const { asManager, plan } = yield* lending()
      yield* asManager("setTraderAssetChangeDisabled", true)
      assert.match(
        (yield* refusal(plan("lend", "WETH", { lender: "lenderB" }))).message,
        /The vault's manager can enable it; the vault does not let its trader change assets/
      )
    }))

  it.effect("names a lender that is paused, frozen or full; only auto takes the next one, and says why none is left", () =>
    Effect.gen(function*() {
      const { configure, does, lenderB, lenderC, owner, plan, send, token } = yield* lending()
      const freeze = "function setReserveFreeze(address asset, bool freeze)"
      yield* configure(freeze, token("USDC").address, true)
      const frozen = yield* refusal(plan("lend", "USDC", { amount: "1" }))
      assert.strictEqual(frozen.errorType, "market_not_available")
      assert.match(frozen.message, /^lenderA has frozen USDC: it accepts no supply of it at the moment.*platform=auto/)
      assert.strictEqual((yield* does("lend", "USDC", { lender: "auto", amount: "1" })).result.lender, "lenderB")
      yield* send(owner, lenderB, pauseAbi, "pause", true, false, false, false, false)
      assert.match(
        (yield* refusal(plan("lend", "USDC", { lender: "lenderB", amount: "1" }))).message,
        /^lenderB has paused USDC/
      )
      assert.strictEqual((yield* does("lend", "USDC", { lender: "auto", amount: "1" })).result.lender, "lenderC")
      yield* send(owner, lenderC("USDC"), pauseAbi, "setOpen", false)
      const none = yield* refusal(plan("lend", "USDC", { lender: "auto", amount: "1" }))
      assert.strictEqual(none.errorType, "market_not_available")
      assert.match(
        none.message,
        /^No lender accepts USDC .*lenderA: lenderA has frozen.*lenderB: lenderB has paused.*lenderC: lenderC takes no more/
      )
    }))

  it.effect("and borrowing are refused in the words of Aave's newer, named errors", () =>
    Effect.gen(function*() {
      const { configure, does, plan, token, useNamedErrors } = yield* lending()
      yield* does("lend", "WETH", { amount: "1" })
      yield* useNamedErrors
      const cap = "function setSupplyCap(address asset, uint256 newSupplyCap)"
      yield* configure(cap, token("USDC").address, 1n)
      const full = yield* refusal(plan("lend", "USDC", { amount: "100" }))
      assert.strictEqual(full.errorType, "market_not_available")
      assert.match(full.message, /^The market accepts no more of this asset for now/)
      yield* configure("function setBorrowCap(address asset, uint256 newBorrowCap)", token("USDC").address, 1n)
      assert.match(
        (yield* refusal(plan("borrow", "USDC", { amount: "100" }))).message,
        /^The market lends no more of this asset for now/
      )
    }))
})
