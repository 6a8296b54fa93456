/** Reads the settings of this process, or fails with one sentence that names the invalid one. */
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Effect from "effect/Effect"
import { misspelt } from "./SettingNames.ts"
import { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

export const configuration: Effect.Effect<Settings, CannotStart> = Effect.suspend(() => {
  const wrong = misspelt(process.env)
  return wrong === undefined
    ? Effect.mapError(Settings, (error) => new CannotStart({ message: sentence(error) }))
    : new CannotStart({ message: `There is no setting ${wrong.name}; did you mean ${wrong.nearest}?` })
})
