/** The info API's responses in their documented shapes, and its failures. */
import { assert, describe, it } from "@effect/vitest"
import { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { defaultAccess, HyperCoreInfo } from "../../src/perpetual/HyperCoreInfo.ts"

const user = "0x00000000000000000000000000000000000000aa"
const book = PerpetualsBook.make({
  coreWriter: "0x3333333333333333333333333333333333333333",
  depositWallet: "0x6b9e773128f453f5c2c60935ee2de2cbc5390a24",
  usdc: "0xb88339cb7199b77e23db6e890353e22632ba630f",
  infoUrl: "https://core.invalid/secret-path/info"
})

type Reply = Effect.Effect<Response | undefined>
const replying = (body: unknown, status = 200): Reply =>
  Effect.sync(() => new Response(typeof body === "string" ? body : JSON.stringify(body), { status }))

/** A client over an API with scripted replies, and the requests it received. */
const setUp = (reply: Reply) =>
  Effect.gen(function*() {
    const requests: Array<HttpClientRequest.HttpClientRequest> = []
    const http = HttpClient.make((request) => {
      requests.push(request)
      return Effect.flatMap(reply, (response) =>
        response === undefined
          ? new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause: new Error(`no ${request.url}`) })
          })
          : Effect.succeed(HttpClientResponse.fromWeb(request, response)))
    })
    const info = yield* Effect.provide(
      HyperCoreInfo,
      HyperCoreInfo.layer(defaultAccess).pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, http)))
    )
    return { requests, info }
  })

const reasonOf = (reply: Reply) =>
  Effect.flatMap(setUp(reply), ({ info }) => Effect.map(Effect.flip(info.account(book, user)), ({ reason }) => reason))

const order = {
  coin: "ETH",
  side: "A",
  limitPx: "2412.7",
  sz: "0.0",
  oid: 91490942,
  timestamp: 1724361546645,
  triggerCondition: "N/A",
  isTrigger: false,
  triggerPx: "0.0",
  children: [],
  isPositionTpsl: false,
  reduceOnly: true,
  orderType: "Market",
  origSz: "0.0076",
  tif: "FrontendMarket",
  cloid: null
}

describe("HyperCore's info API", () => {
  it.effect("numbers contracts by their index and leaves out delisted ones", () =>
    Effect.gen(function*() {
      const context = {
        dayNtlVlm: "1169046.29406",
        funding: "0.0000125",
        impactPxs: ["14.3047", "14.3444"],
        markPx: "14.3161",
        midPx: "14.314",
        openInterest: "688.11",
        oraclePx: "14.32",
        premium: "0.00031774",
        prevDayPx: "15.322"
      }
      const { info } = yield* setUp(replying([
        {
          universe: [{ name: "BTC", szDecimals: 5, maxLeverage: 50 }, {
            name: "OLD",
            szDecimals: 4,
            maxLeverage: 5,
            isDelisted: true
          }, { name: "HPOS", szDecimals: 0, maxLeverage: 3, onlyIsolated: true }]
        },
        [context, { ...context, midPx: null, premium: null }, { ...context, midPx: null }]
      ]))
      const listed = yield* info.markets(book)
      assert.deepStrictEqual(listed.map(({ asset, coin, isolatedOnly }) => [asset, coin, isolatedOnly]), [[
        0,
        "BTC",
        false
      ], [2, "HPOS", true]])
      assert.strictEqual(listed[1]?.context.midPx, null)
    }))

  it.effect("returns an account with its positions, and the free balance of the spot side", () =>
    Effect.gen(function*() {
      const { requests, info } = yield* setUp(replying({
        assetPositions: [{
          position: {
            coin: "ETH",
            cumFunding: { allTime: "514.085417", sinceChange: "0.0", sinceOpen: "0.0" },
            entryPx: "2986.3",
            leverage: { rawUsd: "-95.059824", type: "isolated", value: 20 },
            liquidationPx: "2866.26936529",
            marginUsed: "4.967826",
            maxLeverage: 50,
            positionValue: "100.02768",
            returnOnEquity: "-0.0026789",
            szi: "0.0335",
            unrealizedPnl: "-0.0134"
          },
          type: "oneWay"
        }],
        crossMaintenanceMarginUsed: "0.0",
        crossMarginSummary: {},
        marginSummary: {
          accountValue: "13109.482328",
          totalMarginUsed: "4.967826",
          totalNtlPos: "100.02768",
          totalRawUsd: "13009.454648"
        },
        time: 1708622398623,
        withdrawable: "13104.514502"
      }))
      const account = yield* info.account(book, user)
      assert.deepStrictEqual([account.withdrawable, account.assetPositions[0]?.position.szi, account.time], [
        "13104.514502",
        "0.0335",
        1708622398623
      ])
      assert.deepStrictEqual(requests.map(({ method, url }) => [method, url]), [["POST", book.infoUrl]])
      const spot = yield* setUp(
        replying({
          balances: [{ coin: "USDC", token: 0, hold: "0.5", total: "14.625485", entryNtl: "0.0" }, {
            coin: "PURR",
            token: 1,
            hold: "0",
            total: "2000",
            entryNtl: "1234.56"
          }]
        })
      )
      assert.strictEqual(yield* spot.info.spotUsdc(book, user), 1_412_548_500n)
      assert.strictEqual(yield* (yield* setUp(replying({ balances: [] }))).info.spotUsdc(book, user), 0n)
    }))

  it.effect("returns an order, or none when it has no record of it", () =>
    Effect.gen(function*() {
      const { info } = yield* setUp(
        replying({ status: "order", order: { order, status: "filled", statusTimestamp: 1724361546645 } })
      )
      const state = Option.getOrThrow(yield* info.order(book, user, "0x01936f5a0b1c7d2e8f30a1b2c3d4e5f6"))
      assert.deepInclude(state, {
        oid: 91490942,
        coin: "ETH",
        side: "sell",
        size: "0.0076",
        remaining: "0.0",
        status: "filled"
      })
      assert.isTrue(Option.isNone(yield* (yield* setUp(replying({ status: "unknownOid" }))).info.order(book, user, 1)))
    }))

  it.effect("returns ledger entries of every kind", () =>
    Effect.gen(function*() {
      const { info } = yield* setUp(replying([
        {
          time: 1681222254710,
          hash: "0xa166e3fa63c25663024b03f2e0da011a00307e4017465df020210d3d432e7cb8",
          delta: { type: "deposit", usdc: "1000.0" }
        },
        {
          time: 1681222254711,
          hash: "0x00",
          delta: {
            type: "spotTransfer",
            token: "USDC",
            amount: "5.0",
            usdcValue: "5.0",
            user,
            destination: "0x2000000000000000000000000000000000000000",
            fee: "0.0"
          }
        },
        { time: 1681222254712, hash: "0x00", delta: { type: "somethingNew", what: 1 } }
      ]))
      assert.deepStrictEqual((yield* info.ledger(book, user, 0)).map(({ delta }) => delta.type), [
        "deposit",
        "spotTransfer",
        "somethingNew"
      ])
    }))

  it.effect("is unavailable on every failure, with a reason that does not contain its URL", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reasonOf(replying("", 429)), "it is rate limited")
      assert.strictEqual(yield* reasonOf(replying("<html>", 502)), "HTTP 502")
      assert.strictEqual(yield* reasonOf(replying("<html>")), "its response to clearinghouseState is invalid")
      assert.strictEqual(
        yield* reasonOf(replying({ time: "yesterday" })),
        "its response to clearinghouseState is invalid"
      )
      assert.strictEqual(yield* reasonOf(Effect.succeed(undefined)), "it cannot be reached")
      const waiting = yield* Effect.forkChild(reasonOf(Effect.never))
      yield* TestClock.adjust(defaultAccess.timeoutMillis)
      assert.strictEqual(yield* Fiber.join(waiting), "no answer within 5 s")
    }))
})
