import { assert, it } from "@effect/vitest"
import { explain } from "@vault-trader/core/failure/Explanation"
import { meaningOf } from "../../src/perpetual/HyperCoreRevert.ts"

it("the guard's word for an account that is not enabled in the vault has a meaning, in its old form, too", () => {
  for (const revert of ["CoreWriter not supported asset", "core position not enabled"]) {
    assert.deepStrictEqual(meaningOf(revert), { _tag: "Reverted", meaning: "coreAccountNotEnabled", revert })
    assert.include(explain(meaningOf(revert)).message, "enable")
  }
})
