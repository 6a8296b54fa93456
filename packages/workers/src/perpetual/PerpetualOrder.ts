/** An order at the core: its state, and what of it was traded at which price. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { format } from "@vault-trader/core/chain/Quantity"
import { wireDecimals } from "@vault-trader/core/perpetual/OrderTerms"
import * as OrderStatus from "@vault-trader/core/perpetual/OrderStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { HyperCoreInfo, type InfoUnavailable } from "./HyperCoreInfo.ts"
import { scaled, type ToldOrder } from "./HyperCoreSchema.ts"

/** Sizes in coins and prices in USD, decimal text. */
export interface Found {
  readonly state: ToldOrder
  readonly verdict: OrderStatus.Verdict
  readonly filled: string
  /** Null where nothing is filled, or the core has not told its fills yet. */
  readonly average: string | null
}

/** Digits of an average price that mean something. */
const shownDecimals = 6

/** The order of this name; none where the core does not know it. */
export const find = (
  { pool }: { readonly pool: Address },
  book: PerpetualsBook,
  name: Hex | number
): Effect.Effect<Option.Option<Found>, InfoUnavailable, HyperCoreInfo> =>
  Effect.gen(function*() {
    const info = yield* HyperCoreInfo
    const told = yield* info.order(book, pool, name)
    if (Option.isNone(told)) return Option.none()
    const state = told.value
    // A moment earlier: its fills can be told with a time before its own.
    const fills = (yield* info.fills(book, pool, state.at - 1_000)).filter(({ oid }) => oid === state.oid)
    const traded = fills.reduce((sum, { sz }) => sum + scaled(sz, wireDecimals), 0n)
    const cost = fills.reduce((sum, { px, sz }) => sum + scaled(px, wireDecimals) * scaled(sz, wireDecimals), 0n)
    const size = scaled(state.size, wireDecimals)
    const left = state.status === "filled" ? 0n : scaled(state.remaining, wireDecimals)
    const byItself = OrderStatus.isTraded(state) ? size - left : 0n
    const filled = traded > byItself ? traded : byItself
    return Option.some({
      state,
      verdict: OrderStatus.of(state, filled > 0n),
      filled: format(filled, wireDecimals),
      average: traded === 0n ? null : format(cost / traded / 10n ** BigInt(wireDecimals - shownDecimals), shownDecimals)
    })
  })
