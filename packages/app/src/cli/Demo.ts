/** `vault-trader demo [recipe]`: runs a recipe against a running service on the devnet. Prints each request and response. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { nextSteps } from "./demo/NextSteps.ts"
import * as Recipes from "./demo/Recipes.ts"

export const demo = Command.make(
  "demo",
  {
    recipe: Argument.Literals("recipe", Recipes.names).pipe(
      Argument.withDescription("The recipe to run (quickstart)"),
      Argument.withDefault("quickstart" as const)
    )
  },
  ({ recipe }) =>
    Effect.provide(
      Effect.andThen(Recipes.recipes[recipe], nextSteps),
      Logger.layer([Logger.consoleJson])
    )
).pipe(Command.withDescription("Runs a recipe against the running service and checks the responses against the chain."))
