/** The line a process prints once it is ready. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { version } from "./ServiceVersion.ts"

/** Prints the line once the layers this one depends on are built. */
export const ready = <R>(what: Effect.Effect<string, never, R>) =>
  Layer.effectDiscard(Effect.map(what, (text) => {
    process.stdout.write(
      `Vault Trader ${version.version} ready in ${(performance.now() / 1000).toFixed(1)} s: ${text}\n`
    )
  }))
