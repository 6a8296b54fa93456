/**
 * `vault-trader ledger check|export|report`: the billing ledger of a running service. `check` exits 1 when the ledger
 * does not balance or differs from a chain; `export` writes every charge as CSV, `report` the days of a vault.
 */
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { chargesCsv, viewOf } from "@vault-trader/core/billing/ChargeView"
import { reportCsv } from "@vault-trader/core/billing/Report"
import { ReportStore } from "@vault-trader/core/billing/ReportStore"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RunningDatabase } from "../RunningDatabase.ts"
import { check } from "./LedgerCheck.ts"
import * as ParsedParam from "./ParsedParam.ts"

const write = (text: string) => Effect.sync(() => process.stdout.write(text))

const pageSize = 1000

const selection = {
  wallet: ParsedParam.optional(ParsedParam.addressFlag("wallet")).pipe(
    Flag.withDescription("Only the charges of this gas wallet")
  ),
  from: ParsedParam.dayFlag("from").pipe(Flag.withDescription("First day (UTC)")),
  to: ParsedParam.dayFlag("to").pipe(Flag.withDescription("Day after the last one (UTC)"))
}

export const exportFlags = { ...selection, network: ParsedParam.optional(ParsedParam.networkFlag) }

const exported = ({ from, network, to, wallet }: Command.Command.Config.Infer<typeof exportFlags>) =>
  Effect.gen(function*() {
    const store = yield* ChargeStore
    let before: string | undefined
    yield* write(chargesCsv([]))
    for (;;) {
      const page = yield* store.list({ wallet, network, from, to, before, limit: pageSize })
      if (page.length > 0) yield* write(chargesCsv(page.map(viewOf)).slice(chargesCsv([]).length))
      if (page.length < pageSize) return
      before = page.at(-1)?.id
    }
  })

export const reportFlags = {
  ...selection,
  network: ParsedParam.networkFlag,
  pool: ParsedParam.addressFlag("pool").pipe(Flag.withDescription("The vault's address")),
  json: ParsedParam.toggle("json").pipe(Flag.withDescription("Print JSON instead of CSV"))
}

const reported = ({ json, ...flags }: Command.Command.Config.Infer<typeof reportFlags>) =>
  Effect.gen(function*() {
    const report = yield* (yield* ReportStore).report(flags)
    yield* write(json ? `${JSON.stringify(report, null, 2)}\n` : reportCsv(report.days))
  })

const Stores = Layer.mergeAll(ChargeStore.layer, ReportStore.layer).pipe(Layer.provideMerge(RunningDatabase))

export const ledger = Command.make("ledger").pipe(
  Command.withDescription("Checks, exports and reports the billing ledger of a running service."),
  Command.withSubcommands([
    check,
    Command.make("export", exportFlags, (flags) => Effect.provide(exported(flags), Stores)).pipe(
      Command.withDescription("Writes every charge as CSV to standard output.")
    ),
    Command.make("report", reportFlags, (flags) => Effect.provide(reported(flags), Stores)).pipe(
      Command.withDescription("Writes the days of a vault as CSV, or as JSON with --json.")
    )
  ])
)
