/** Computes the MACs of submissions' rows: HMAC-SHA-256 under the planner key. */
import {
  type SealedSubmission,
  SubmissionMac,
  type SubmissionMacs,
  textOf
} from "@vault-trader/core/gas-wallet/SubmissionMac"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHmac, timingSafeEqual } from "node:crypto"

/** `key`: the planner key, 64 hex characters. */
export const make = (key: Redacted.Redacted<string>): SubmissionMacs => {
  const digest = (submission: SealedSubmission) =>
    createHmac("sha256", Buffer.from(Redacted.value(key), "hex")).update(textOf(submission)).digest()
  return {
    of: (submission) => digest(submission).toString("hex"),
    verifies: (submission) =>
      submission.mac !== null && /^[0-9a-f]{64}$/.test(submission.mac) &&
      timingSafeEqual(Buffer.from(submission.mac, "hex"), digest(submission))
  }
}

export const layer = (key: Redacted.Redacted<string>): Layer.Layer<never> => Layer.succeed(SubmissionMac, make(key))
