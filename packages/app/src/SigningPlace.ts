/** Where a runner's transactions are signed: in this process, or by the signer at SIGNER_SOCKET. */
import { ProcessChecks } from "@vault-trader/server/gate/HealthChecks"
import type { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import { RemoteRecord, RemoteSigner } from "@vault-trader/workers/signer/RemoteSigner"
import { SignerConnection } from "@vault-trader/workers/signer/SignerConnection"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlannerKey } from "./PlannerKey.ts"
import type { Settings } from "./Settings.ts"
import { SigningRecordFolder } from "./SigningRecordFolder.ts"
import { CannotStart } from "./StartupFailure.ts"

const check = Effect.map(SignerConnection, ({ status }) => ({
  signer: Effect.map(status, ({ _tag }) => _tag === "away" ? "no answer" as const : "ok" as const),
  signingRecord: Effect.map(status, ({ _tag }) => _tag === "unwritable" ? "not writable" as const : "ok" as const)
}))

/** Fails when settings of a process that signs are given to one that does not. */
const contradiction = ({ workers: { signingRecordDir } }: Settings) =>
  signingRecordDir === undefined ? Effect.void : new CannotStart({
    message: "SIGNING_RECORD_DIR has no effect beside SIGNER_SOCKET: the signing record is the signer's. Remove one."
  })

/**
 * Returns the layers of the place: the signing record with its health checks, and the signer where it is elsewhere. Call
 * it once per process.
 */
export const of = (settings: Settings) => {
  const { signerSocket } = settings.workers
  if (signerSocket === undefined) return { record: SigningRecordFolder(settings), signer: undefined }
  const connection = SignerConnection.layer(signerSocket).pipe(
    Layer.provide(Layer.effectDiscard(contradiction(settings))),
    Layer.provide(PlannerKey(settings))
  )
  const record: Layer.Layer<SigningRecord, Layer.Error<typeof connection>, Layer.Services<typeof connection>> = Layer
    .effect(ProcessChecks, check).pipe(Layer.provideMerge(RemoteRecord), Layer.provide(connection))
  return { record, signer: Layer.provide(RemoteSigner, connection) }
}
