/** The devnet of the service that runs on DATA_DIR, from its devnet.json. */
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import { CannotStart } from "../StartupFailure.ts"

export const devnetFile = Path.join(process.env["DATA_DIR"] ?? ".data", "devnet.json")

/** Connects to the devnet. Fails when no devnet was ever started on DATA_DIR. */
export const runningDevnet = Effect.mapError(
  DevnetClient.fromFile(devnetFile),
  () =>
    new CannotStart({
      message: `There is no devnet at ${devnetFile}; run npm start first (this never touches a real network).`
    })
)
