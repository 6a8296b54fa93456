/** Reads the settings of this process, or fails with one sentence that names the invalid one. */
import { faultOf } from "@vault-trader/core/change-approval/ApprovalSettings"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Effect from "effect/Effect"
import { misspelt } from "./SettingNames.ts"
import { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

export const configuration: Effect.Effect<Settings, CannotStart> = Effect.suspend(() => {
  const wrong = misspelt(process.env)
  return wrong === undefined
    ? Effect.flatMap(
      Effect.mapError(Settings, (error) => new CannotStart({ message: sentence(error) })),
      (settings) => {
        const fault = faultOf(settings.approvals)
        return fault === undefined ? Effect.succeed(settings) : new CannotStart({ message: fault })
      }
    )
    : new CannotStart({ message: `There is no setting ${wrong.name}; did you mean ${wrong.nearest}?` })
})
