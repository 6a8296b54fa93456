/** Test rows of exchange bots' turns, on accounts that no other test uses. */
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import type { Decision } from "../../src/exchange/ExchangeDecision.ts"
import { ExchangeOrderStore } from "../../src/exchange/ExchangeOrderStore.ts"
import { ExchangeStore } from "../../src/exchange/ExchangeStore.ts"
import { freshAddress } from "../storage/Database.ts"

const big = BigDecimal.fromStringUnsafe

/** Creates an account of the wallet with a bot whose side is long. */
export const account = (wallet: Address, name = "main") =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const put = store.put({
      manager: yield* freshAddress,
      exchange: "binance",
      name,
      wallet,
      paymentNetwork: "base",
      settings: { testnet: false, slippage: 0.5 },
      ciphertext: "ciphertext"
    })
    const made = Option.getOrThrow(yield* put)
    const bot = yield* store.setBot({
      accountId: made.id,
      pair: "BTC-USDT",
      symbol: "BTC/USDT",
      side: "long",
      strategy: "custom",
      maxUsd: big("1000"),
      share: 100
    })
    return { account: made, bot }
  })

export type Turn = Effect.Success<ReturnType<typeof account>>

export const accept = (turn: Turn, idempotencyKey: string | null = null) =>
  Effect.flatMap(ExchangeOrderStore, (store) => store.accept({ ...turn, request: { side: "long" }, idempotencyKey }))

/** Returns a decision to buy one BTC for this many dollars. */
export const decisionOf = (dollars: number): Extract<Decision, { readonly _tag: "order" }> => ({
  _tag: "order",
  side: "buy",
  amount: big("1"),
  limit: big(String(dollars)),
  usd: big(String(dollars)),
  rest: big("0"),
  reason: "Converting to BTC."
})

/** Decides an order; fails with the reason when it is not decided. */
export const decide = (turn: Turn, dollars: number) =>
  Effect.gen(function*() {
    const store = yield* ExchangeOrderStore
    const { id } = yield* accept(turn)
    return Option.getOrThrow(yield* store.decide(id, turn.bot.revision, decisionOf(dollars)))
  })
