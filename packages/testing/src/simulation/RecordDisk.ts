/** The disk of a run's machine: its signing record outlives the runners, until the disk is lost. */
import { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface RecordDisk {
  /** Reads the record; an empty one at first, and after it was lost. */
  readonly record: Effect.Effect<SigningRecord["Service"]>
  readonly lose: () => void
}

const makeRecord = Effect.provide(SigningRecord, Layer.fresh(SigningRecord.memory))

export const make = (): RecordDisk => {
  let record: SigningRecord["Service"] | undefined
  return {
    record: Effect.suspend(() =>
      record !== undefined ? Effect.succeed(record) : Effect.tap(makeRecord, (made) =>
        Effect.sync(() => {
          record = made
        }))
    ),
    lose: () => {
      record = undefined
    }
  }
}
