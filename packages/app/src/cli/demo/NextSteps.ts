/** Prints how to continue with a gas wallet of one's own, and where the console is. */
import * as Effect from "effect/Effect"
import { CannotStart } from "../../StartupFailure.ts"
import { devnetFile, runningDevnet } from "../RunningDevnet.ts"
import { baseUrl, say } from "./HttpTranscript.ts"
import { network } from "./DemoSetup.ts"

const linesOf = (pool: string) => [
  "",
  "Next, with a gas wallet of your own (put its address for ADDRESS and its API key for API_KEY):",
  `  curl -s ${baseUrl}/createGasWallet`,
  `  npx vault-trader devnet fund ADDRESS ${network}`,
  `  npx vault-trader devnet set-trader ${pool} ADDRESS ${network}`,
  `  curl -s "${baseUrl}/vaultTrade?apiKey=API_KEY&network=${network}&pool=${pool}&from=USDC&to=WETH&amount=1000"`,
  `Or in the browser: ${baseUrl}/console`
]

export const nextSteps = Effect.gen(function*() {
  const devnet = yield* runningDevnet
  const vault = devnet.file.networks[network]?.vaults[0]
  if (vault === undefined) {
    return yield* new CannotStart({ message: `${devnetFile} has no vault on ${network}.` })
  }
  yield* Effect.forEach(linesOf(vault.pool), say, { discard: true })
})
