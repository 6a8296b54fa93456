/** Takes the place of LocalTools.ts in a build, which has no devnet. */
import * as Effect from "effect/Effect"
import { CannotStart } from "../StartupFailure.ts"
import type * as LocalTools from "./LocalTools.ts"

export const commandGroups = [] satisfies ReadonlyArray<typeof LocalTools.commandGroups[number]>

export const networksOnDisk: typeof LocalTools.networksOnDisk = () => Effect.succeed({ books: [] })

export const forkOf: typeof LocalTools.forkOf = () =>
  Effect.fail(
    new CannotStart({
      message: "A build has no local node for --fork; run without it, or from a clone of the repository."
    })
  )
