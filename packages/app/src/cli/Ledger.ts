/**
 * `npm run ledger -- check|export|report`: the billing ledger of a running service. `check` exits 1 when the ledger
 * does not balance; `export` writes every charge as CSV, `report` the days of a vault.
 */
import { sentence } from "@vault-trader/core/configuration/Setting"
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { chargesCsv, viewOf } from "@vault-trader/core/billing/ChargeView"
import { type Account, check } from "@vault-trader/core/billing/LedgerCheck"
import { reportCsv } from "@vault-trader/core/billing/Report"
import { ReportStore } from "@vault-trader/core/billing/ReportStore"
import { facts } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { run } from "../Command.ts"
import * as LedgerArguments from "./LedgerArguments.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { CannotStart } from "../StartupFailure.ts"

const write = (text: string) => Effect.sync(() => process.stdout.write(text))

const lineOf = (
  {
    charges,
    chargedUsd,
    chargedWei,
    network,
    outstandingUsd,
    outstandingWei,
    settledUsd,
    settledWei,
    unconverted,
    wallet
  }: Account
) => {
  const { native } = facts[network]
  const waiting = unconverted > 0 ? `, ${unconverted} waiting for a price` : ""
  return `${wallet} ${network}: ${charges} charges of ${chargedUsd} USD (${format(chargedWei, 18)} ${native}) = ` +
    `${settledUsd} USD (${format(settledWei, 18)}) settled + ${outstandingUsd} USD (${
      format(outstandingWei, 18)
    }) outstanding${waiting}\n`
}

const checked = Effect.gen(function*() {
  const { accounts, faults } = yield* check
  yield* Effect.forEach(accounts, (account) => write(lineOf(account)), { discard: true })
  if (faults.length > 0) {
    return yield* new CannotStart({ message: `The ledger does not balance:\n${faults.join("\n")}` })
  }
  yield* write(`The ledger balances: ${accounts.length} accounts.\n`)
})

const pageSize = 1000

const exported = ({ from, network, to, wallet }: LedgerArguments.LedgerArguments) =>
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

const reported = ({ from, json, network, pool, to, wallet }: LedgerArguments.LedgerArguments) =>
  Effect.gen(function*() {
    if (network === undefined || pool === undefined) return
    const report = yield* (yield* ReportStore).report({ wallet, network, pool, from, to })
    yield* write(json ? `${JSON.stringify(report, null, 2)}\n` : reportCsv(report.days))
  })

const command = (
  asked: LedgerArguments.LedgerArguments
): Effect.Effect<void, CannotStart | SqlError, ChargeStore | ReportStore | SqlClient.SqlClient> => {
  switch (asked.command) {
    case "check":
      return checked
    case "export":
      return exported(asked)
    case "report":
      return reported(asked)
  }
}

const Stores = Layer.mergeAll(ChargeStore.layer, ReportStore.layer).pipe(Layer.provideMerge(RunningDatabase))

const main = LedgerArguments.read(process.argv.slice(2)).pipe(
  Effect.flatMap((asked) => Effect.provide(command(asked), Stores)),
  Effect.tapError((failure) =>
    Effect.sync(() => process.stderr.write(`${"message" in failure ? failure.message : sentence(failure)}\n`))
  )
)

run(main)
