/**
 * `vault-trader rewrap [--new-key] [--retire]`: re-encrypts every secret with the newest key-encryption key, on the
 * service's database, while the service runs. `--new-key` adds a key to KEK_FILE first; `--retire` removes the older
 * ones from it once nothing needs them. Where the signer is a process of its own, `--signer` does this for the wallets'
 * keys and SIGNER_KEK_FILE, and without it the other secrets are meant.
 */
import * as Rewrap from "@vault-trader/workers/gas-wallet/Rewrap"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import { configuration } from "../Configuration.ts"
import * as CoreDumps from "../CoreDumps.ts"
import * as KekFile from "../KekFile.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import type { Settings } from "../Settings.ts"
import { CannotStart } from "../StartupFailure.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const countsText = (counts: ReadonlyMap<number, number>) =>
  [...counts].sort(([a], [b]) => a - b).map(([version, count]) => `v${version}: ${count}`).join(", ") || "none"

interface Options {
  readonly newKey: boolean
  readonly retire: boolean
  readonly signer: boolean
}

/** Returns the columns that are meant, and the file of their key. */
const selected = (
  { service: { dataDir }, workers: { kekFile, signerKekFile, signerSocket } }: Settings,
  signer: boolean
) =>
  signer
    ? { columns: Rewrap.ofSigner, file: signerKekFile ?? Path.join(dataDir, "signer-kek") }
    : {
      columns: signerSocket === undefined && signerKekFile === undefined ? Rewrap.sealed : Rewrap.ofRunner,
      file: kekFile ?? Path.join(dataDir, "kek")
    }

const rewrapSecrets = Effect.fnUntraced(function*(options: Options) {
  yield* CoreDumps.disable
  const { columns, file } = selected(yield* configuration, options.signer)
  // Before anything is changed: verifies that these are the keys of this database.
  yield* Rewrap.verify(yield* KekFile.follow(file), columns)
  if (options.newKey) yield* say(`Added key-encryption key v${yield* KekFile.extend(file)} to ${file}.`)
  const kek = yield* KekFile.follow(file)
  yield* say(`Wrapped ${yield* Rewrap.rewrap(kek, columns)} secrets by key-encryption key v${kek.version}.`)
  const counts = yield* Rewrap.census(columns)
  yield* say(`Secrets by key: ${countsText(counts)}.`)
  if (!options.retire) return
  if ([...counts.keys()].some((version) => version !== kek.version)) {
    return yield* new CannotStart({
      message: "Some secrets were wrapped by an older key meanwhile; the file is left as it is. Run it again."
    })
  }
  const retired = yield* KekFile.retire(file)
  yield* say(
    retired.length === 0
      ? "There was no older key to retire."
      : `Took ${retired.map((version) => `v${version}`).join(", ")} out of ${file}.`
  )
})

export const rewrap = Command.make(
  "rewrap",
  {
    newKey: ParsedParam.toggle("new-key").pipe(Flag.withDescription("First add a key-encryption key to KEK_FILE")),
    retire: ParsedParam.toggle("retire").pipe(
      Flag.withDescription("Afterwards remove the older keys from KEK_FILE, when nothing needs them")
    ),
    signer: ParsedParam.toggle("signer").pipe(
      Flag.withDescription("The wallets' keys of a signer that is a process of its own, under SIGNER_KEK_FILE")
    )
  },
  (options) => Effect.provide(rewrapSecrets(options), Layer.merge(RunningDatabase, Operator))
).pipe(Command.withDescription("Encrypts every stored secret again with the newest key-encryption key."))
