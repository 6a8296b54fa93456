/** The signing record of this process, in SIGNING_RECORD_DIR or under DATA_DIR, and its health check. */
import { ProcessChecks } from "@vault-trader/server/gate/HealthChecks"
import type { Options as RecordOptions } from "@vault-trader/workers/gas-wallet/RecordWriter"
import { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

/** Returns the folder of the record. */
export const folderOf = ({ service, workers }: Settings): string =>
  workers.signingRecordDir ?? Path.join(service.dataDir, "signing-record")

const check = Effect.map(SigningRecord, ({ status }) => ({
  signingRecord: Effect.map(status, ({ _tag }) => _tag === "ok" ? "ok" as const : "not writable" as const)
}))

/** Opens the record. Call it once per process: its folder has one holder. */
export const SigningRecordFolder = (settings: Settings, options: Partial<RecordOptions> = {}) =>
  Layer.effect(ProcessChecks, check).pipe(
    Layer.provideMerge(
      SigningRecord.layer(folderOf(settings), { days: settings.workers.signingRecordDays, ...options })
    ),
    Layer.catch(({ message }) =>
      Layer.effectContext<SigningRecord, CannotStart, never>(Effect.fail(new CannotStart({ message })))
    )
  )
