/** Idle collateral: approve it for a lender, supply it, read the health factor, withdraw it. */
import { format } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import { ask, type Fields, mustBe, rawOf, say } from "./HttpTranscript.ts"
import * as DemoSetup from "./DemoSetup.ts"
import * as ChainCheck from "./ChainCheck.ts"

const amount = 5_000n * 1_000_000n

export const collateral = Effect.gen(function*() {
  const scene = yield* DemoSetup.enter("lending")
  const { apiKey, pool } = scene
  const about = { apiKey, network: DemoSetup.network, pool }
  const witness = ChainCheck.of(scene)
  yield* scene.becomeTrader
  const idle = yield* witness.held("USDC")

  yield* ask("POST", "/approve", { ...about, asset: "USDC", platform: "lenderA", amount: "5000" })
  yield* mustBe((yield* witness.allowedToLenderA("USDC")) === amount, "lenderA may not take what was approved.")

  const lent = yield* ask("POST", "/lenderAV3/lend", { ...about, asset: "USDC", amount: "5000" })
  const supplied = yield* witness.supplied("USDC")
  yield* say(
    `\n  the chain says: ${format(idle - (yield* witness.held("USDC")), 6)} USDC less in the vault, ${
      format(supplied, 6)
    } USDC with lenderA`
  )
  yield* mustBe(
    idle - (yield* witness.held("USDC")) === rawOf(lent["supplied"]),
    "that is not what the answer says was supplied."
  )
  // The market's rounding may differ by one unit.
  yield* mustBe(
    supplied + 1n >= amount && (yield* witness.allowedToLenderA("USDC")) === 0n,
    "that is not what was to be lent, all of the approval."
  )

  const health = yield* ask("GET", "/lenderAV3/getHealthFactor", about)
  yield* say(`\n  health factor: ${String((health["data"] as Fields)["healthFactor"])}`)

  const taken = yield* ask("POST", "/lenderAV3/unlend", { ...about, asset: "USDC", share: "100" })
  const back = yield* witness.held("USDC")
  yield* say(
    `\n  the chain says: ${format(back - idle, 6)} USDC more in the vault than before, ${
      format(yield* witness.supplied("USDC"), 6)
    } USDC left with lenderA`
  )
  yield* mustBe(
    back - idle === rawOf(taken["withdrawn"]) - rawOf(lent["supplied"]),
    "that is not what the answers say was supplied and taken back."
  )
  yield* mustBe((yield* witness.supplied("USDC")) === 0n, "something was left behind.")
  yield* say(
    `\nDone: the idle USDC was lent in ${String(lent["tx_hash"])} and all of it taken back in ${
      String(taken["tx_hash"])
    }.`
  )
})
