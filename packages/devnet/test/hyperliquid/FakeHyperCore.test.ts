import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Question } from "../../src/hyperliquid/Info.ts"
import {
  abi,
  cancelByCloid,
  cancelByOid,
  classTransfer,
  e8,
  Hyperliquid,
  named,
  order,
  sendAsset,
  spotDex,
  spotSend,
  system,
  trading,
  usdc
} from "./TradingVault.ts"

const ether = 10n ** 18n

layer(Hyperliquid)("the fake derivatives exchange", (it) => {
  it.effect("fills an order that crosses its book, and reports it by order number, fills and account", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(10_000n * usdc)
      assert.strictEqual((yield* by.account).withdrawable, "10000.0")
      yield* by.act(order({ px: 3030, sz: 2, cloid: 77n }))
      const { order: placed, status } = yield* by.status(named(77n))
      assert.deepStrictEqual([status, placed?.status, placed?.order.sz, placed?.order.origSz], [
        "order",
        "filled",
        "0.0",
        "2.0"
      ])
      // A hundredth of a percent above the middle.
      const [fill, ...more] = yield* by.fills
      assert.lengthOf(more, 0)
      assert.deepInclude(fill, {
        coin: "ETH",
        px: "3000.3",
        sz: "2.0",
        side: "B",
        dir: "Open Long",
        startPosition: "0.0",
        crossed: true,
        closedPnl: "0.0"
      })
      assert.strictEqual(fill?.fee, "2.70027")
      const { assetPositions, marginSummary, withdrawable } = yield* by.account
      assert.deepStrictEqual(marginSummary, {
        accountValue: "9996.69973",
        totalNtlPos: "6000.0",
        totalRawUsd: "3996.69973",
        totalMarginUsed: "300.0"
      })
      assert.strictEqual(withdrawable, "9396.69973")
      assert.deepInclude(assetPositions[0]?.position, {
        ...{
          coin: "ETH",
          szi: "2.0",
          entryPx: "3000.3",
          positionValue: "6000.0",
          unrealizedPnl: "-0.6",
          marginUsed: "300.0",
          liquidationPx: null
        }
      })
      assert.strictEqual(yield* by.onExchange, 9_996_699_730_000_000_000_000n)
    }))

  it.effect("refuses an order for which the account has too little margin, although its transaction succeeded", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(100n * usdc)
      const { status } = yield* by.act(order({ px: 3030, sz: 2, cloid: 1n }))
      assert.strictEqual(status, 1n)
      assert.strictEqual((yield* by.status(named(1n))).order?.status, "perpMarginRejected")
      assert.deepStrictEqual((yield* by.account).assetPositions, [])
      assert.strictEqual((yield* by.account).withdrawable, "100.0")
    }))

  it.effect("names what is wrong with an order, and reports nothing about coins it does not trade and numbers it has seen", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(10_000n * usdc)
      const wrong = [
        ["tickRejected", order({ px: 3000.123, sz: 1, cloid: 1n })],
        ["tickRejected", order({ px: 3000, sz: 0.00001, cloid: 2n })],
        ["minTradeNtlRejected", order({ px: 3001, sz: 0.003, cloid: 3n })],
        ["reduceOnlyRejected", order({ px: 3001, sz: 1, reduceOnly: true, cloid: 4n })],
        ["badAloPxRejected", order({ px: 3001, sz: 1, tif: "alo", cloid: 5n })],
        ["iocCancelRejected", order({ px: 2999, sz: 1, cloid: 6n })]
      ] as const
      for (const [index, [status, data]] of wrong.entries()) {
        yield* by.act(data)
        assert.strictEqual((yield* by.status(named(BigInt(index + 1)))).order?.status, status)
      }
      yield* by.act(order({ px: 3001, sz: 1, cloid: 9n }))
      yield* by.act(order({ px: 3001, sz: 2, cloid: 9n }))
      assert.strictEqual((yield* by.status(named(9n))).order?.order.origSz, "1.0")
      assert.lengthOf(yield* by.fills, 1)
      assert.deepStrictEqual(yield* by.status(named(10n)), { status: "unknownOid" })
    }))

  it.effect("fills what it has and cancels the rest of an order that may not wait; one that may, waits for its price", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(10_000n * usdc)
      yield* by.core.setDepth({ coin: "ETH", size: "0.5" })
      yield* by.act(order({ px: 3030, sz: 2, cloid: 1n }))
      const taken = (yield* by.status(named(1n))).order
      assert.deepStrictEqual([taken?.status, taken?.order.sz, taken?.order.origSz], ["canceled", "1.5", "2.0"])
      yield* by.act(order({ px: 2950, sz: 1, tif: "gtc", cloid: 2n }))
      assert.strictEqual((yield* by.status(named(2n))).order?.status, "open")
      yield* by.core.setPrice({ coin: "ETH", usd: 2940 })
      assert.strictEqual((yield* by.status(named(2n))).order?.order.sz, "0.5")
      yield* by.core.setDepth({ coin: "ETH" })
      assert.strictEqual((yield* by.status(named(2n))).order?.status, "filled")
      const [last] = yield* by.fills
      assert.deepInclude(last, { px: "2950.0", sz: "0.5", crossed: false, startPosition: "1.0" })
    }))

  it.effect("cancels by either number, of the sender's own orders alone", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(1_000n * usdc)
      for (const cloid of [1n, 2n]) yield* by.act(order({ px: 2950, sz: 0.1, tif: "alo", cloid }))
      const oid = (yield* by.status(named(1n))).order?.order.oid ?? 0
      yield* by.send(by.stranger, by.coreWriter, abi, "sendRawAction", cancelByOid(1, oid))
      yield* by.act(cancelByOid(0, oid))
      assert.strictEqual((yield* by.status(oid)).order?.status, "open")
      yield* by.act(cancelByOid(1, oid))
      assert.strictEqual((yield* by.status(oid)).order?.status, "canceled")
      const open = () => by.core.info({ type: "frontendOpenOrders", user: by.pool })
      const [waiting] = (yield* open()) as ReadonlyArray<object>
      assert.deepInclude(waiting, { coin: "ETH", cloid: named(2n), tif: "Alo", reduceOnly: false, orderType: "Limit" })
      yield* by.act(cancelByCloid(1, 2n))
      assert.deepStrictEqual(yield* open(), [])
    }))

  it.effect("wins and loses with the price, counts it in the vault's value, and pays it out once the position is closed", () =>
    Effect.gen(function*() {
      const by = yield* trading
      const before = yield* by.held("USDC")
      yield* by.deposit(1_000n * usdc)
      yield* by.act(order({ isBuy: false, px: 2999, sz: 1 }))
      yield* by.core.setPrice({ coin: "ETH", usd: 2900 })
      const { assetPositions: [short], marginSummary } = yield* by.account
      assert.deepInclude(short?.position, { szi: "-1.0", entryPx: "2999.7", unrealizedPnl: "99.7" })
      assert.strictEqual(marginSummary.accountValue, "1098.350135")
      assert.strictEqual(yield* by.onExchange, 1_098_350_135_000_000_000_000n)
      yield* by.act(order({ px: 2910, sz: 5, reduceOnly: true }))
      const [closing] = yield* by.fills
      assert.deepInclude(closing, { dir: "Close Short", sz: "1.0", px: "2900.3", closedPnl: "99.4" })
      const { withdrawable } = yield* by.account
      assert.strictEqual(withdrawable, "1096.745")
      yield* by.act(classTransfer(1_096_745_000n, false))
      assert.strictEqual(yield* by.spot, "1096.745")
      yield* by.act(spotSend(system, 109_674_500_000n))
      assert.strictEqual(yield* by.spot, "0.0")
      assert.strictEqual((yield* by.held("USDC")) - before, 96_745_000n)
      assert.strictEqual(yield* by.onExchange, 0n)
    }))

  it.effect("moves nothing that is not there, and nothing that a position needs", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(100n * usdc)
      yield* by.deposit(50n * usdc, spotDex)
      assert.strictEqual(yield* by.spot, "50.0")
      yield* by.act(order({ px: 3030, sz: 0.5 }))
      const held = yield* by.held("USDC")
      for (
        const action of [
          classTransfer(90n * usdc, false),
          classTransfer(51n * usdc, true),
          spotSend(system, e8(51)),
          sendAsset(by.pool, 0, spotDex, e8(90))
        ]
      ) yield* by.act(action)
      assert.strictEqual(yield* by.spot, "50.0")
      assert.strictEqual(yield* by.held("USDC"), held)
      yield* by.act(sendAsset(by.pool, spotDex, 0, e8(20)))
      assert.strictEqual(yield* by.spot, "30.0")
      const moved = yield* by.core.info({ type: "userNonFundingLedgerUpdates", user: by.pool, startTime: 0 })
      assert.deepStrictEqual(
        (moved as Array<{ readonly delta: { readonly type: string } }>).map(({ delta }) => delta.type),
        ["deposit", "spotTransfer", "send"]
      )
    }))

  it.effect("drops actions, and holds them back, when configured to", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(1_000n * usdc)
      yield* by.core.drop(1)
      yield* by.act(order({ px: 3030, sz: 0.1, cloid: 1n }))
      yield* by.act(order({ px: 3030, sz: 0.1, cloid: 2n }))
      assert.deepStrictEqual([(yield* by.status(named(1n))).status, (yield* by.status(named(2n))).order?.status], [
        "unknownOid",
        "filled"
      ])
      yield* by.core.hold
      yield* by.act(order({ px: 3030, sz: 0.1, cloid: 3n }))
      assert.strictEqual((yield* by.status(named(3n))).status, "unknownOid")
      yield* by.core.resume
      assert.strictEqual((yield* by.status(named(3n))).order?.status, "filled")
    }))

  it.effect("follows the chain's feeds, and shows the guard its price", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.devnet.setPrice({ network: "hyperliquid", symbol: "WBTC", usd: 61_000 })
      yield* by.core.settled
      assert.deepInclude(yield* by.core.info({ type: "allMids" }), {
        BTC: "61000.0",
        ETH: "3000.0",
        SOL: "150.0",
        HYPE: "40.0"
      })
      assert.strictEqual(yield* by.readNumber(by.mirror, abi, "prices", 0), e8(61_000))
    }))

  it.effect("forgets events that its chain no longer has", () =>
    Effect.gen(function*() {
      const by = yield* trading
      const { rpc } = by
      yield* by.deposit(1_000n * usdc)
      const snapshot = yield* rpc.snapshot
      yield* by.act(order({ px: 3030, sz: 0.1, cloid: 1n }))
      yield* rpc.revert(snapshot)
      yield* by.core.settled
      assert.deepStrictEqual(yield* by.status(named(1n)), { status: "unknownOid" })
      assert.strictEqual((yield* by.account).withdrawable, "1000.0")
      assert.strictEqual(yield* by.onExchange, 1_000n * ether)
    }))

  it.effect("answers the configured number of HTTP errors, and 422 to unknown requests", () =>
    Effect.gen(function*() {
      const by = yield* trading
      const { infoUrl } = by.devnet.file.perpetuals!
      const post = (question: object) =>
        Effect.map(
          Effect.promise((signal) => fetch(infoUrl, { method: "POST", body: JSON.stringify(question), signal })),
          ({ status }) => status
        )
      const meta: typeof Question.Encoded = { type: "meta" }
      yield* by.core.fail("rateLimited", 1)
      assert.deepStrictEqual([yield* post(meta), yield* post(meta)], [429, 200])
      yield* by.core.fail("serverError")
      assert.deepStrictEqual([yield* post(meta), yield* post(meta)], [500, 500])
      yield* by.core.heal
      assert.deepStrictEqual([
        yield* post(meta),
        yield* post({ type: "nonsense" }),
        yield* post({ type: "clearinghouseState", user: "me" })
      ], [200, 422, 422])
    }))

  it.effect("shows its coins by their numbers, and its books", () =>
    Effect.gen(function*() {
      const by = yield* trading
      const [{ universe }, contexts] = (yield* by.core.info({ type: "metaAndAssetCtxs" })) as [
        { universe: ReadonlyArray<{ name: string; szDecimals: number }> },
        ReadonlyArray<object>
      ]
      assert.deepStrictEqual([0, 1, 5].map((asset) => [universe[asset]?.name, universe[asset]?.szDecimals]), [
        ["BTC", 5],
        ["ETH", 4],
        ["SOL", 2]
      ])
      assert.lengthOf(contexts, universe.length)
      assert.deepInclude(contexts[0], { markPx: "60000.0", midPx: "60000.0", oraclePx: "60000.0", funding: "0.0" })
      const { levels: [bids, asks] } = (yield* by.core.info({ type: "l2Book", coin: "ETH" })) as {
        levels: ReadonlyArray<ReadonlyArray<object>>
      }
      assert.deepStrictEqual([bids?.[0], asks?.[0], bids?.length], [{ px: "2999.7", sz: "100.0", n: 1 }, {
        px: "3000.3",
        sz: "100.0",
        n: 1
      }, 5])
    }))
})
