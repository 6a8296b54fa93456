/** Writes packages/app/src/cli/generated/commands.json: the endpoints and the operator's commands as data. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type * as HelpDoc from "effect/cli/HelpDoc"
import * as Effect from "effect/Effect"
import type { CommandTable, OperatorCommand } from "../cli/CommandTable.ts"
import { vaultTrader } from "../cli/VaultTrader.ts"
import { endpointCommands } from "./EndpointCommandSource.ts"

export const commandTableFile = "packages/app/src/cli/generated/commands.json"

/** Returns the help of a command as Effect presents it. */
const helpOf = (path: ReadonlyArray<string>): Effect.Effect<HelpDoc.HelpDoc> =>
  Effect.gen(function*() {
    const found: Array<HelpDoc.HelpDoc> = []
    yield* Command.runWith(vaultTrader, { version: "" })([...path, "--help"]).pipe(
      Effect.provideService(CliOutput.Presenter, {
        present: (event) => Effect.sync(() => void (event._tag === "Help" && found.push(event.helpDoc)))
      }),
      Effect.provideService(CliConfig.CliConfig, CliConfig.make({ builtIns: [GlobalFlag.Help] })),
      Effect.provide(NodeServices.layer),
      Effect.orDie
    )
    const [doc] = found
    return doc ?? (yield* Effect.die(new Error(`the command ${path.join(" ")} has no help`)))
  })

const commandOf = (path: ReadonlyArray<string>): Effect.Effect<OperatorCommand> =>
  Effect.gen(function*() {
    const doc = yield* helpOf(path)
    return {
      name: path.at(-1) ?? "",
      description: doc.description,
      flags: doc.flags.map(({ name }) => name),
      subcommands: yield* Effect.forEach(
        (doc.subcommands ?? []).flatMap(({ commands }) => commands),
        ({ name }) => commandOf([...path, name])
      )
    }
  })

/** Builds the table. */
export const commandTable: Effect.Effect<CommandTable> = Effect.gen(function*() {
  const { subcommands = [] } = yield* helpOf([])
  const operator = yield* Effect.forEach(subcommands, ({ commands, group }) =>
    Effect.map(
      Effect.forEach(commands, ({ name }) => commandOf([name])),
      (all) => ({ group: group ?? "Other", commands: all })
    ))
  return { operator, endpoints: endpointCommands }
})

/** Returns the file's content: one command a line, so that a change of one endpoint is a change of one line. */
export const commandTableText = ({ endpoints, operator }: CommandTable): string => {
  const lines = (list: ReadonlyArray<unknown>) => list.map((each) => `    ${JSON.stringify(each)}`).join(",\n")
  return `{\n  "operator": [\n${lines(operator)}\n  ],\n  "endpoints": [\n${lines(endpoints)}\n  ]\n}\n`
}
