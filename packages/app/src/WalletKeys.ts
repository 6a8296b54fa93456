/** The key-encryption keys of this process: those of its own secrets, and of the wallets' keys where it signs. */
import * as Rewrap from "@vault-trader/workers/gas-wallet/Rewrap"
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import * as CoreDumps from "./CoreDumps.ts"
import * as FirstStartSecret from "./FirstStartSecret.ts"
import * as KekFile from "./KekFile.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

/** Reads keys and verifies that they decrypt these columns of this database. `columns`: all of them by default. */
const verified = (file: string, columns?: ReadonlyArray<Rewrap.Sealed>) =>
  Effect.gen(function*() {
    yield* CoreDumps.disable
    yield* FirstStartSecret.ensure(file, "key-encryption key", columns)
    const kek = yield* KekFile.follow(file)
    yield* Effect.catchTag(Rewrap.verify(kek, columns), "CannotDecrypt", ({ message }) =>
      new CannotStart({
        message:
          `The file ${file} does not hold the key-encryption key of this database (${message}): put the right file back.`
      }))
    return kek
  })

/** The keys of a runner: without the wallets' where another process signs. */
export const ofRunner = ({ service: { dataDir }, workers: { kekFile, signerKekFile, signerSocket } }: Settings) =>
  signerKekFile !== undefined
    ? Effect.fail(
      new CannotStart({
        message: "SIGNER_KEK_FILE is for npm run signer only: a process that does not sign alone must not have it."
      })
    )
    : verified(kekFile ?? Path.join(dataDir, "kek"), signerSocket === undefined ? undefined : Rewrap.ofRunner)

/** The keys of the signer that is a process of its own: the wallets' alone. */
export const ofSigner = ({ service: { dataDir }, workers: { kekFile, signerKekFile } }: Settings) =>
  kekFile !== undefined
    ? Effect.fail(
      new CannotStart({
        message: "KEK_FILE is for runners: the signer's keys are in SIGNER_KEK_FILE, so that no runner has them."
      })
    )
    : verified(signerKekFile ?? Path.join(dataDir, "signer-kek"), Rewrap.ofSigner)
