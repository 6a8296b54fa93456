/** The committed plan of one of the two steps in which a pool token is sold, and the result of both. */
import { Hash } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { againstOracle } from "@vault-trader/core/trading/Trading"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { movedBy } from "../platform/Transfers.ts"
import type * as Action from "../vault/Action.ts"
import type { VaultContext } from "../vault/Action.ts"

/** The plan of one of the two steps; quantities in smallest units. */
export const RedemptionStep = Schema.Struct({
  step: Schema.Literals(["first", "second"]),
  poolToken: Token,
  tokenOut: Token,
  /** Pool tokens: planned in the first step, redeemed by it in the second. */
  amount: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** Value of the pool tokens, USD with 18 decimals. It counts towards the wallet's limits in both steps. */
  usd18: Schema.BigIntFromString,
  /** Transaction of the first step; null in its own plan. */
  initTx: Schema.NullOr(Hash),
  /** Gas units and wei that earlier transactions of the request have spent. */
  gasUsed: Schema.BigIntFromString,
  gasCost: Schema.BigIntFromString,
  /** The assets that the second step can pay, with their prices in USD, 18 decimals; empty in the first step. */
  assets: Schema.Array(Schema.Struct({ token: Token, price: Schema.BigIntFromString })),
  /** The transaction of someone else that has paid the withdrawal out; null when this service does. */
  payout: Schema.NullOr(Schema.Struct({
    txHash: Hash,
    paid: Schema.Array(Schema.Struct({ token: Token, received: Schema.BigIntFromString }))
  })).pipe(Schema.withDecodingDefaultType(Effect.succeed(null)))
})
export type RedemptionStep = typeof RedemptionStep.Type

/** The decision for a step, without the action's own details. */
export type StepDecision = Omit<Action.Decision<RedemptionStep>, "vaults" | "direct">

/** Reads from the second step's receipt what the redemption has paid. */
export const resultOf = (
  pool: VaultContext["pool"],
  { amount, assets, gasCost, gasUsed, initTx, payout, poolToken, tokenOut, usd18 }: RedemptionStep,
  receipt: Receipt | null
) => {
  const logs = receipt?.logs ?? []
  const paid = payout?.paid.map((each) => ({ ...each, price: 0n })) ?? assets.flatMap(({ price, token }) => {
    const { received } = movedBy(logs, token.address, pool)
    return received === 0n ? [] : [{ token, price, received }]
  })
  const bought = payout === null
    ? movedBy(logs, tokenOut.address, pool).received
    : payout.paid.find(({ token }) => token.address === tokenOut.address)?.received ?? 0n
  const known = paid.some(({ token }) => token.address === tokenOut.address) || bought === 0n
  const all = known ? paid : [...paid, { token: tokenOut, price: 0n, received: bought }]
  const received18 = all.every(({ price }) => price > 0n)
    ? all.reduce((sum, { price, received, token }) => sum + Quantity.usdValue(received, price, token.decimals), 0n)
    : null
  const sold = Quantity.of(poolToken, amount)
  const words = all.map(({ received, token }) => `${Quantity.format(received, token.decimals)} ${token.symbol}`)
  return {
    message: `Redeemed ${sold.amount} ${sold.symbol} for ${words.length === 0 ? "nothing" : words.join(" and ")}.`,
    sold: { ...sold },
    bought: { ...Quantity.of(tokenOut, bought) },
    oracle: received18 === null ? null : againstOracle(usd18, received18),
    redemption: {
      init_tx_hash: initTx,
      paid_by: payout?.txHash ?? null,
      paid_out: all.map(({ received, token }) => ({ ...Quantity.of(token, received) }))
    },
    spentBefore: { gasUsed, gasCost }
  }
}
