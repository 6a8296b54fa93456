/** Sets up a recipe: a network of the devnet, a vault there, and a new gas wallet with gas. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { CannotStart } from "../../StartupFailure.ts"
import { devnetFile, runningDevnet } from "../RunningDevnet.ts"
import { ask, say } from "./HttpTranscript.ts"

export const network = "base"

/** The devnet's vaults: one with plain tokens, and one that may also lend. */
const vaults = { plain: 0, lending: 1 } as const

export const enter = (kind: keyof typeof vaults) =>
  Effect.gen(function*() {
    const devnet = yield* runningDevnet
    const entry = devnet.file.networks[network]
    const vault = entry?.vaults[vaults[kind]]
    if (entry === undefined || vault === undefined) {
      return yield* new CannotStart({ message: `${devnetFile} has no vault on ${network}.` })
    }
    const { pool } = vault

    const wallet = yield* ask("GET", "/createGasWallet", {})
    const apiKey = String(wallet["apiKey"])
    const address = String(wallet["address"]) as Address
    yield* say(`\n  the devnet's faucet sends 1 ETH to ${address} on ${network}`)
    yield* devnet.faucet({ network, address, amountWei: 10n ** 18n })

    return {
      devnet,
      entry,
      pool,
      apiKey,
      address,
      becomeTrader: Effect.gen(function*() {
        yield* say(`\n  the vault's manager makes the gas wallet its trader`)
        yield* devnet.setTrader({ network, pool, trader: address })
        yield* ask("GET", "/isPoolTrader", { apiKey, network, pool, trader: address })
      })
    }
  })

export type DemoSetup = Effect.Success<ReturnType<typeof enter>>
