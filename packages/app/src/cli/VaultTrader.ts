/** The command `vault-trader`: every process, recipe and operator's tool of this project is one of its commands. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import { version } from "../ServiceVersion.ts"
import { approvals } from "./Approvals.ts"
import { audit } from "./Audit.ts"
import { backtest } from "./Backtest.ts"
import { ledger } from "./Ledger.ts"
import { limit } from "./Limit.ts"
import * as LocalTools from "./LocalTools.ts"
import { doctor } from "./Doctor.ts"
import { mcp } from "./Mcp.ts"
import { networks } from "./NetworkBooks.ts"
import { signingRecord } from "./Record.ts"
import { rehearse } from "./Rehearse.ts"
import { rewrap } from "./Rewrap.ts"
import { server, signer, start, workers } from "./ServiceProcesses.ts"
import { lane } from "./Lane.ts"
import { killSwitch } from "./Switch.ts"
import { presenter } from "./UsagePresenter.ts"
import { wallet } from "./Wallet.ts"

/** The operator's commands. The endpoints are commands too: cli/Dispatch.ts runs those without Effect. */
export const vaultTrader = Command.make("vault-trader").pipe(
  Command.withDescription("Trades managed on-chain vaults over HTTP; DATA_DIR (.data) says which service is meant."),
  Command.withSubcommands([
    { group: "Service", commands: [start, server, workers, signer] },
    ...LocalTools.commandGroups,
    {
      group: "Operator",
      commands: [
        doctor,
        rehearse,
        networks,
        killSwitch,
        lane,
        limit,
        wallet,
        approvals,
        rewrap,
        ledger,
        signingRecord,
        audit
      ]
    },
    { group: "Strategy", commands: [backtest] },
    { group: "Agents", commands: [mcp] }
  ])
)

const printFailure = (failure: Error | Config.ConfigError) =>
  Effect.sync(() => {
    // The presenter has printed what is wrong with the command line.
    if (failure instanceof CliError.ShowHelp) return
    process.stderr.write(`${failure instanceof Config.ConfigError ? sentence(failure) : failure.message}\n`)
  })

/** Runs the command that the words name. A failure is printed as one sentence on standard error. */
export const execute = (words: ReadonlyArray<string>): Effect.Effect<void, Error | Config.ConfigError> =>
  Command.runWith(vaultTrader, { version: version.version })(words).pipe(
    // Without any command the help is the answer.
    Effect.catchIf(
      (failure) => failure instanceof CliError.ShowHelp && words.length === 0,
      () => Effect.void
    ),
    Effect.tapError(printFailure),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provideService(
      CliConfig.CliConfig,
      CliConfig.make({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] })
    ),
    Effect.provide(NodeServices.layer)
  )
