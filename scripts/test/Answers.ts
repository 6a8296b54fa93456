/** What tests expect of an answer as a whole: that it succeeded, or was refused by a code and in words. */
import { assert } from "@effect/vitest"
import type { Answer, Fields } from "./Harness.ts"

/** The fields of a success. */
export const succeeded = ({ fields, status, text }: Answer): Fields => {
  assert.deepStrictEqual([status, fields["status"]], [200, "success"], text)
  return fields
}

/** A validation failure. */
export const refused = ({ fields, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, fields["status"], fields["status_code"]], [200, "fail", code], text)
  assert.match(String(fields["message"]), saying)
}
