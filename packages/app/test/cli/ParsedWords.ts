/** Parses the words of a command line as the command itself does, without running the command. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { sentenceOf } from "../../src/cli/UsagePresenter.ts"

/** Returns the values of the parameters; fails with the sentence that says what is wrong with the words. */
export const parsed = <const C extends Command.Command.Config>(config: C, words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    let values: Command.Command.Config.Infer<C> | undefined
    const command = Command.make("command", config, (given) =>
      Effect.sync(() => {
        values = given
      }))
    yield* Command.runWith(command, { version: "" })(words)
    return values!
  }).pipe(
    Effect.provideService(CliOutput.Presenter, { present: () => Effect.void }),
    Effect.mapError((error) =>
      sentenceOf(CliError.isCliError(error) && error._tag === "ShowHelp" ? error.errors[0]! : error)
    ),
    Effect.provide(NodeServices.layer)
  )
