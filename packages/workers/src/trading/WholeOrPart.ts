/** Makes a bot's trade as large as its pool bears, where the bot's owner has set no maximum price impact. */
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import type { VaultContext } from "../vault/Action.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"
import type * as PairState from "./PairState.ts"
import { isLight, SliceSizer } from "./SliceSizer.ts"
import type * as VenueOffer from "./VenueOffer.ts"

/** Returns true if a trade of the pair can be made in parts: pool tokens are traded whole. */
export const isDivisible = ({ chain }: Pick<VaultContext, "chain">, { tokenIn, tokenOut }: PairState.Market): boolean =>
  [tokenIn, tokenOut].every(({ address }) => poolTokenAt(chain.book, address) === undefined)

const isTooExpensive = (failure: unknown) =>
  failure instanceof ExecutionFailure && failure.errorType === "slippage_exceeded"

/** A wanted trade, its venue's quote in smallest units, and the quotes' terms. */
interface Wanted<A> {
  readonly market: PairState.Market
  readonly request: VenueOffer.Terms
  readonly amount: bigint
  /** Returns the plan's amount and its quote; undefined for a plan that buys nothing. */
  readonly quotedBy: (plan: A) => { readonly amount: bigint; readonly bought: bigint } | undefined
}

/**
 * Plans the whole trade. When it loses more than `defaultImpact`, or more than the slippage, it is the part that loses
 * no more than that beyond what a small trade loses; when no part does, it is the whole, or its failure.
 */
export const plan = <A, E, R>(
  context: VaultContext,
  { amount, market, quotedBy, request }: Wanted<A>,
  planOf: (amount: bigint) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | ExecutionFailure, R | SliceSizer> =>
  Effect.gen(function*() {
    const whole = yield* Effect.result(planOf(amount))
    if (!isDivisible(context, market)) return yield* Effect.fromResult(whole)
    if (whole._tag === "Failure") {
      if (!isTooExpensive(whole.failure)) return yield* Effect.fail(whole.failure)
    } else {
      const quoted = quotedBy(whole.success)
      if (quoted === undefined || isLight(market, quoted.amount, quoted.bought)) return whole.success
    }
    const found = yield* (yield* SliceSizer).largest(context, request, market, amount, null)
    if (found._tag === "none" || found.amount >= amount) return yield* Effect.fromResult(whole)
    const part = planOf(found.amount)
    // The part's venue may no longer take it; the whole, which another one takes, is then as good.
    return yield* whole._tag === "Success"
      ? Effect.catchIf(part, isTooExpensive, () => Effect.succeed(whole.success))
      : part
  })
