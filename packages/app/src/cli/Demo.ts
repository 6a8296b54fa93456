/**
 * `npm run demo [-- <recipe>]`: runs a recipe against a running service on the devnet. Prints each request and
 * response.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { run } from "../Command.ts"
import { recipeOf } from "./demo/Recipes.ts"

const demo = Effect.suspend(() => recipeOf(process.argv.slice(2))).pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${failure.message}\n`))),
  Effect.provide(Logger.layer([Logger.consoleJson]))
)

run(demo)
