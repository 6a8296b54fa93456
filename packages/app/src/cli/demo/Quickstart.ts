/** The quickstart: wallet, gas, trader, dry run, approval, trade; then the result is verified. */
import { format, toRaw } from "@vault-trader/core/chain/Quantity"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import * as Effect from "effect/Effect"
import { CannotStart } from "../../StartupFailure.ts"
import { ask, type Fields, say } from "./HttpTranscript.ts"
import * as DemoSetup from "./DemoSetup.ts"

const compositionLines = (fields: Fields) =>
  (fields["composition"] as ReadonlyArray<Fields>)
    .filter(({ amount }) => amount !== "0")
    .map(({ amount, label, value_usd }) => {
      const worth = typeof value_usd === "number" ? `$ ${value_usd.toFixed(2)}` : "value unknown"
      const held = typeof amount === "string" ? amount : "unknown"
      return `    ${String(label).padEnd(6)} ${held.padStart(26)}   ${worth}`
    })

export const quickstart = Effect.gen(function*() {
  const { apiKey, becomeTrader, pool } = yield* DemoSetup.enter("plain")
  const { network } = DemoSetup
  yield* ask("GET", "/getGasBalance", { apiKey, network, USD: "true" })
  yield* becomeTrader

  const before = yield* ask("GET", "/poolComposition", { apiKey, network, pool })
  yield* ask("POST", "/approve", { apiKey, network, pool, asset: "USDC" })
  yield* ask("GET", "/vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1000", dryRun: "true" })
  const trade = yield* ask("GET", "/vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1000" })
  const after = yield* ask("GET", "/poolComposition", { apiKey, network, pool })

  yield* say("\n  before")
  yield* Effect.forEach(compositionLines(before), say)
  yield* say("  after")
  yield* Effect.forEach(compositionLines(after), say)
  yield* confirm(before, after, trade)
  yield* say(`\nDone: transaction ${String(trade["tx_hash"])} is mined, and what it moved is what the vault holds.`)
})

/** Checks that the compositions before and after differ by exactly what the receipt says was sold and bought. */
const confirm = (before: Fields, after: Fields, trade: Fields) =>
  Effect.gen(function*() {
    const moved = (symbol: string) => amountOf(after, symbol) - amountOf(before, symbol)
    const sold = raw(trade["sold"])
    const bought = raw(trade["bought"])
    if (moved("USDC") !== -sold || moved("WETH") !== bought) {
      return yield* new CannotStart({
        message: `The compositions differ by ${format(moved("USDC"), 18)} USDC and ${
          format(moved("WETH"), 18)
        } WETH, which is not what was sold and bought.`
      })
    }
  })

interface Line {
  readonly symbol: string
  readonly amount: string
}
const scaled = (text: string) => {
  const decimal = readDecimal(text)
  return decimal === undefined ? 0n : toRaw(decimal, 18)
}
const amountOf = (composition: Fields, symbol: string) =>
  scaled((composition["composition"] as ReadonlyArray<Line>).find((line) => line.symbol === symbol)?.amount ?? "0")
const raw = (quantity: unknown) => scaled((quantity as Line).amount)
