/** One line that says what runs where. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { version } from "./Parts.ts"

/** Said when everything this layer is provided with stands. */
export const ready = <R>(what: Effect.Effect<string, never, R>) =>
  Layer.effectDiscard(Effect.map(what, (text) => {
    process.stdout.write(`Vault Trader ${version.version} ready in ${(performance.now() / 1000).toFixed(1)} s: ${text}\n`)
  }))
