/** Reads an order from HyperCore: its state, its filled size and average price. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { format } from "@vault-trader/core/chain/Quantity"
import { wireDecimals } from "@vault-trader/core/perpetual/OrderTerms"
import * as OrderStatus from "@vault-trader/core/perpetual/OrderStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { HyperCoreInfo, type InfoUnavailable } from "./HyperCoreInfo.ts"
import { toUnits, type OrderRecord } from "./HyperCoreSchema.ts"

/** Sizes in coins and prices in USD, decimal text. */
interface OrderState {
  readonly state: OrderRecord
  readonly verdict: OrderStatus.Verdict
  readonly filled: string
  /** Null when nothing is filled, or HyperCore does not report the fills yet. */
  readonly average: string | null
}

/** Decimals of an average price in responses. */
const averageDecimals = 6

/** Finds the order of this name; none when HyperCore has no record of it. */
export const find = (
  { pool }: { readonly pool: Address },
  book: PerpetualsBook,
  name: Hex | number
): Effect.Effect<Option.Option<OrderState>, InfoUnavailable, HyperCoreInfo> =>
  Effect.gen(function*() {
    const info = yield* HyperCoreInfo
    const order = yield* info.order(book, pool, name)
    if (Option.isNone(order)) return Option.none()
    const state = order.value
    // Starts one second earlier: fills can carry a time before the order's own.
    const fills = (yield* info.fills(book, pool, state.at - 1_000)).filter(({ oid }) => oid === state.oid)
    const traded = fills.reduce((sum, { sz }) => sum + toUnits(sz, wireDecimals), 0n)
    const cost = fills.reduce((sum, { px, sz }) => sum + toUnits(px, wireDecimals) * toUnits(sz, wireDecimals), 0n)
    const size = toUnits(state.size, wireDecimals)
    const left = state.status === "filled" ? 0n : toUnits(state.remaining, wireDecimals)
    const filledByState = OrderStatus.isTraded(state) ? size - left : 0n
    const filled = traded > filledByState ? traded : filledByState
    return Option.some({
      state,
      verdict: OrderStatus.of(state, filled > 0n),
      filled: format(filled, wireDecimals),
      average: traded === 0n
        ? null
        : format(cost / traded / 10n ** BigInt(wireDecimals - averageDecimals), averageDecimals)
    })
  })
