/** The requests of the read benches. */
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { network } from "../engine/ServiceUnderTest.ts"

/** Keep-alive connections of the load. */
export const connections = 32

/** Returns the token that is read. */
export const token = Effect.gen(function*() {
  const found = (yield* Devnet).file.networks[network]?.tokens["USDC"]
  return found === undefined
    ? yield* Effect.die(new Error(`no USDC on ${network}`))
    : { ...found, symbol: "USDC" }
})

/** Returns the path of a read of a token. */
export const symbolPath = (apiKey: string, contract: string): string =>
  `/getSymbol?${new URLSearchParams({ apiKey, contract, network }).toString()}`

/** Returns the path of a list of 50 intents. */
export const listPath = (apiKey: string): string =>
  `/getIntents?${new URLSearchParams({ apiKey, limit: "50" }).toString()}`
