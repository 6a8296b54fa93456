/** Signal to trade: checks the trader and the approval, trades, and sends the same signal a second time. */
import { format } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import { ask, mustBe, rawOf, say } from "./HttpTranscript.ts"
import * as DemoSetup from "./DemoSetup.ts"
import * as ChainCheck from "./ChainCheck.ts"

export const signal = Effect.gen(function*() {
  const scene = yield* DemoSetup.enter("plain")
  const { apiKey, pool } = scene
  const about = { apiKey, network: DemoSetup.network, pool }
  const witness = ChainCheck.of(scene)
  yield* scene.becomeTrader
  const held = Effect.all([witness.held("USDC"), witness.held("WETH"), witness.sent])

  const approval = yield* ask("POST", "/approve", { ...about, asset: "USDC" })
  const [usdc, weth, sent] = yield* held
  yield* mustBe(sent === (approval["tx_hash"] === null ? 0 : 1), "the approval is not what the gas wallet has sent.")

  yield* say("\n  a signal says: buy WETH with a twentieth of the vault's USDC")
  const order = {
    ...about,
    from: "USDC",
    to: "WETH",
    share: "5",
    idempotency_key: `signal-${new Date().toISOString()}`
  }
  const trade = yield* ask("POST", "/vaultTrade", order)
  yield* say("\n  the same signal comes again: the same answer, and nothing is sent")
  const again = yield* ask("POST", "/vaultTrade", order)
  yield* mustBe(
    again["intent_id"] === trade["intent_id"] && again["tx_hash"] === trade["tx_hash"],
    "the repeated signal made another trade."
  )

  const [usdcAfter, wethAfter, sentAfter] = yield* held
  const [sold, bought] = [usdc - usdcAfter, wethAfter - weth]
  yield* say(
    `\n  the chain says: ${format(sold, 6)} USDC less in the vault, ${format(bought, 18)} WETH more, ${
      sentAfter - sent
    } transaction`
  )
  yield* mustBe(
    sold === rawOf(trade["sold"]) && bought === rawOf(trade["bought"]),
    "that is not what the answer says was sold and bought."
  )
  yield* mustBe(
    sold === usdc * 5n / 100n && sentAfter === sent + 1,
    "that is not one trade of the share that was asked for."
  )
  yield* say(`\nDone: transaction ${String(trade["tx_hash"])} is the one trade of the signal, and the chain has it so.`)
})
