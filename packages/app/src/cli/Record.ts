/**
 * `vault-trader record verify|export|import|show`: the signing record in SIGNING_RECORD_DIR or under DATA_DIR. All but
 * `import` may be used while the service runs.
 */
import { facts, type Network, names } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"
import * as RecordExport from "@vault-trader/workers/gas-wallet/RecordExport"
import * as RecordFolder from "@vault-trader/workers/gas-wallet/RecordFolder"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { configuration } from "../Configuration.ts"
import { folderOf } from "../SigningRecordFolder.ts"
import { CannotStart } from "../StartupFailure.ts"
import * as ParsedParam from "./ParsedParam.ts"

const write = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const networkOf = (chainId: number): string =>
  names.find((name) => facts[name].chainId === chainId) ?? `chain ${chainId}`

/** Reads all files of the record. */
const record = Effect.gen(function*() {
  const settings = yield* configuration
  const folder = folderOf(settings)
  const contents = yield* RecordFolder.read(folder)
  if (contents.files.length > 0) return { ...contents, folder, days: settings.workers.signingRecordDays }
  return yield* new CannotStart({
    message: `There is no signing record in ${folder}; SIGNING_RECORD_DIR or DATA_DIR says where it is.`
  })
})

const verify = Effect.gen(function*() {
  const { files, folder, index, lines, torn } = yield* record
  for (const { chainId, next, wallet } of index.marks) {
    yield* write(`${wallet} ${networkOf(chainId)}: next nonce ${next}`)
  }
  if (torn !== undefined) {
    yield* write(`${torn.name} ends in an incomplete line: an append in progress, or one that a crash cut off.`)
  }
  yield* write(
    `The signing record ${folder} is unbroken: ${files.length} files, ${lines} lines, ${index.size} transactions, ` +
      `${index.marks.length} lanes.`
  )
})

const shown = ({ network, wallet }: { readonly wallet: Address; readonly network: Option.Option<Network> }) =>
  Effect.gen(function*() {
    const { index } = yield* record
    const chainId = Option.getOrUndefined(Option.map(network, (name) => facts[name].chainId))
    const isShown = (lane: { readonly chainId: number; readonly wallet: Address }) =>
      lane.wallet === wallet && (chainId === undefined || lane.chainId === chainId)
    for (const known of index.all) {
      if (!isShown(known)) continue
      const { hash, key, kind, nonce, recordedAt } = known
      const time = new Date(recordedAt).toISOString()
      yield* write(`${time} ${networkOf(known.chainId)} nonce ${nonce} ${kind} ${key} ${hash}`)
    }
    const marks = index.marks.filter(isShown)
    if (marks.length === 0) yield* write(`The record has nothing of ${wallet}.`)
    for (const mark of marks) yield* write(`${networkOf(mark.chainId)}: next nonce ${mark.next}`)
  })

const exported = ({ file }: { readonly file: string }) =>
  Effect.gen(function*() {
    const { days, folder } = yield* record
    const { entries, lanes } = yield* RecordExport.write(folder, file, days)
    yield* write(`Exported ${entries} transactions and the next nonces of ${lanes} lanes to ${file}.`)
  })

const imported = ({ file }: { readonly file: string }) =>
  Effect.gen(function*() {
    const settings = yield* configuration
    const folder = folderOf(settings)
    const { entries, lanes } = yield* Effect.scoped(
      RecordExport.merge(folder, file, { days: settings.workers.signingRecordDays })
    )
    yield* write(`Imported ${entries} transactions and the next nonces of ${lanes} lanes into ${folder}.`)
  })

const file = Argument.String("file")

export const signingRecord = Command.make("record").pipe(
  Command.withDescription("Verifies, shows and moves the signing record of this process."),
  Command.withSubcommands([
    Command.make("verify", {}, () => verify).pipe(
      Command.withDescription("Checks every line of the record; exits with code 1 when one is missing or changed.")
    ),
    Command.make(
      "show",
      { wallet: ParsedParam.addressArgument("wallet"), network: Argument.optional(ParsedParam.networkArgument) },
      shown
    ).pipe(Command.withDescription("Lists the recorded transactions of a wallet.")),
    Command.make("export", { file: file.pipe(Argument.withDescription("The file to create")) }, exported).pipe(
      Command.withDescription("Writes the record to one file, for another machine.")
    ),
    Command.make("import", { file: file.pipe(Argument.withDescription("The file of an export")) }, imported).pipe(
      Command.withDescription("Merges another machine's export into this record, while the service is stopped.")
    )
  ])
)
