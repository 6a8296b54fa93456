/** Reports vaults' HyperCore accounts and orders, and the traded contracts, for one network. */
import { Network } from "@vault-trader/core/chain/Network"
import type {
  ListedMarket,
  PerpetualAccount,
  Position,
  RestingOrder
} from "@vault-trader/core/perpetual/PerpetualAccount"
import { Perpetuals } from "@vault-trader/core/perpetual/Perpetuals"
import type { Address } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import * as HyperCoreInfo from "./HyperCoreInfo.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import { type Account, type HyperCoreMarket, type OpenOrder, sideOf, spotDecimals } from "./HyperCoreSchema.ts"

/** How long prices are cached for other callers. */
const marketsTtlMillis = 1_000

const toPosition = (
  { position }: typeof Account.Type["assetPositions"][number],
  listed: ReadonlyArray<HyperCoreMarket>
): Position => ({
  coin: position.coin,
  side: position.szi.startsWith("-") ? "short" : "long",
  size: position.szi,
  entryPrice: position.entryPx,
  markPrice: listed.find(({ coin }) => coin === position.coin)?.context.markPx ?? null,
  positionValue: position.positionValue,
  unrealizedPnl: position.unrealizedPnl,
  marginUsed: position.marginUsed,
  leverage: position.leverage.value,
  liquidationPrice: position.liquidationPx
})

const toAccount = (
  account: typeof Account.Type,
  spot: bigint,
  listed: ReadonlyArray<HyperCoreMarket>
): PerpetualAccount => ({
  margin: {
    accountValue: account.marginSummary.accountValue,
    totalPositionValue: account.marginSummary.totalNtlPos,
    totalMarginUsed: account.marginSummary.totalMarginUsed,
    withdrawable: account.withdrawable,
    spotUsdc: format(spot, spotDecimals)
  },
  positions: account.assetPositions.map((each) => toPosition(each, listed)),
  time: account.time
})

/**
 * Returns the intent id of a cloid. Our cloids are intent ids (UUID version 7) without dashes, so others' cloids give
 * null.
 */
const intentOf = (cloid: string | null): string | null => {
  const parts = /^0x([0-9a-f]{8})([0-9a-f]{4})(7[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/.exec(cloid ?? "")
  return parts === null ? null : parts.slice(1).join("-")
}

const toOrder = (order: typeof OpenOrder.Type): RestingOrder => ({
  oid: String(order.oid),
  cloid: order.cloid,
  intent_id: intentOf(order.cloid),
  coin: order.coin,
  side: sideOf(order),
  price: order.limitPx,
  size: order.origSz,
  remaining: order.sz,
  reduce_only: order.reduceOnly,
  tif: order.tif?.toLowerCase() ?? null,
  placed_at: Math.floor(order.timestamp / 1000)
})

const toMarket = (
  { asset, coin, context, isolatedOnly, maxLeverage, sizeDecimals }: HyperCoreMarket
): typeof ListedMarket.Type => ({
  coin,
  asset_id: asset,
  size_decimals: sizeDecimals,
  max_leverage: maxLeverage,
  isolated_only: isolatedOnly,
  mark_price: context.markPx,
  mid_price: context.midPx,
  oracle_price: context.oraclePx,
  funding: context.funding,
  open_interest: context.openInterest
})

export const PerpetualsLive = Perpetuals.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const info = yield* HyperCoreInfo.HyperCoreInfo
    const book = PerpetualContext.bookOf(network, yield* (yield* Chains).get(network))
    const withFailure = <A, E>(effect: Effect.Effect<A, E | HyperCoreInfo.InfoUnavailable>) =>
      Effect.catchIf(
        effect,
        (failure): failure is HyperCoreInfo.InfoUnavailable => failure instanceof HyperCoreInfo.InfoUnavailable,
        (failure) => Effect.fail(HyperCoreInfo.unavailable(failure))
      )
    const markets = yield* TtlCache.make(Effect.flatMap(book, info.markets), marketsTtlMillis)

    const account = (pool: Address) =>
      Effect.gen(function*() {
        const core = yield* book
        const [state, spot, listed] = yield* Effect.all(
          [info.account(core, pool), info.spotUsdc(core, pool), markets],
          { concurrency: "unbounded" }
        )
        return toAccount(state, spot, listed)
      })

    return Perpetuals.of({
      account: ({ payload: { pool } }) => withFailure(account(pool)),
      orders: ({ payload: { pool } }) =>
        withFailure(
          Effect.map(
            Effect.flatMap(book, (core) => info.openOrders(core, pool)),
            (orders) => [...orders].sort((a, b) => b.timestamp - a.timestamp).map(toOrder)
          )
        ),
      markets: () => withFailure(Effect.map(markets, (listed) => listed.map(toMarket)))
    })
  }).pipe(orNotServed((refuse) => ({ account: refuse, orders: refuse, markets: refuse }))),
  { concurrency: "unbounded", disableFatalDefects: true }
)
