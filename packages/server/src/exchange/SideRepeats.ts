/** Answers repeats of setCEXSide from the database. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { type ExchangeBot, viewOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { requestOf, sameRequest } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { conflict } from "../gate/IdempotentWrites.ts"
import { messageOf, setMessage } from "./ExchangeViews.ts"

/** The parameters of setCEXSide that define a bot. */
interface SideParams extends Pick<ExchangeBot, "pair" | "side" | "share"> {
  readonly subaccount_name: string
  readonly strategy?: ExchangeBot["strategy"] | undefined
  readonly max_usd: BigDecimal.BigDecimal
  readonly take_profit?: number | undefined
  readonly stop_loss?: number | undefined
}

/** Returns the function that answers a repeat by the id of its order. */
export const repeats = Effect.gen(function*() {
  const store = yield* ExchangeStore
  const orders = yield* ExchangeOrderStore
  /** Answers a repeat from the database: the account may have been deleted, and its actor may be unreachable. */
  return (
    id: string,
    {
      max_usd: maxUsd,
      pair,
      share,
      side,
      stop_loss: stopLoss,
      strategy = "custom",
      subaccount_name: subaccount,
      take_profit: takeProfit
    }: SideParams
  ) =>
    Effect.gen(function*() {
      const { wallet } = yield* Caller
      const order = Option.getOrUndefined(yield* query(orders.find(id)))
      if (order === undefined || order.idempotencyKey === null) return yield* conflict(id)
      const known = Option.getOrUndefined(yield* query(orders.findByIdempotencyKey(wallet, order.idempotencyKey)))
      if (known === undefined) return yield* conflict(id)
      if (
        !sameRequest(
          known.request,
          requestOf({ subaccount, pair, side, strategy, share, maxUsd, takeProfit, stopLoss })
        )
      ) return yield* conflict(id)
      const bot = (yield* query(store.bots(order.accountId))).find((each) => each.id === order.botId)
      const data = bot !== undefined ? viewOf(bot) : {
        ...{ pair: order.pair, side, strategy, share, max_usd: BigDecimal.toNumberUnsafe(maxUsd) },
        ...{ take_profit: takeProfit ?? null, stop_loss: stopLoss ?? null, exit: null },
        ...{ active: false, paused_reason: "It was deleted.", last_decision: null, last_intent_id: id }
      }
      return {
        intent_id: id,
        tx_hash: null,
        message: bot === undefined ? messageOf(order) : setMessage(bot),
        data
      }
    })
})
