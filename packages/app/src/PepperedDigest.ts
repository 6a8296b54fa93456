/** The digest of API keys under the pepper of PEPPER_FILE. */
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import * as FirstStartSecret from "./FirstStartSecret.ts"
import * as PepperCheck from "./PepperCheck.ts"
import * as SecretFile from "./SecretFile.ts"
import type { Settings } from "./Settings.ts"

const what = "API key pepper"

/** Reads the pepper, which the first start creates, and verifies that it belongs to this database. */
export const PepperedDigest = ({ service: { dataDir, pepperFile } }: Settings) => {
  const file = pepperFile ?? Path.join(dataDir, "pepper")
  const pepper = Effect.andThen(FirstStartSecret.ensure(file, what), SecretFile.read({ file, what }))
  return Layer.effectDiscard(PepperCheck.verify(file)).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(pepper, ApiKeyDigest.layer)))
  )
}
